import { NO_EVENT, type PastEvent } from '../../events/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { OpenSpan, SpanOptions } from '../../platform/tracing/tracer.js';
import { tracing } from '../../platform/tracing/tracing.js';
import {
  type DeliveryTry,
  failsTooLong,
  isGone,
  nextTryAt,
  pausedUntil,
  type TryResult,
} from '../domain/delivery.js';
import type { DisabledReason } from '../domain/webhook-endpoint.js';
import type {
  Behind,
  DeliveryStep,
  DueQueue,
  QueuedDelivery,
} from '../infrastructure/delivery-queue.repository.js';
import type { CallResult, OpenEndpoint } from './delivery-calls.js';

/** A lane asks this of its process. */
export interface LaneMeans {
  now(): Date;
  /** Seconds after each try that failed. */
  waits: readonly number[];
  open(queue: DueQueue): Promise<OpenEndpoint | undefined>;
  fresh(queue: DueQueue, behind: Behind, count: number): Promise<QueuedDelivery[]>;
  again(queue: DueQueue, without: readonly Uuid[], count: number): Promise<QueuedDelivery[]>;
  /** Waits until there is room for one more call of the account. */
  enter(accountId: Uuid): Promise<void>;
  leave(accountId: Uuid): void;
  call(endpoint: OpenEndpoint, event: PastEvent): Promise<CallResult>;
  settle(step: DeliveryStep): Promise<void>;
  noteFailing(queue: DueQueue, since: Date | null): Promise<void>;
  disable(queue: DueQueue, reason: Exclude<DisabledReason, 'asked'>): Promise<void>;
  lease(queue: DueQueue): Promise<boolean>;
  release(queue: DueQueue): Promise<boolean>;
  giveUp(queue: DueQueue, until: Date | null): Promise<void>;
  failed(error: unknown, of: object): void;
}

const LOADED_AT_ONCE = 100;
const ITS_OWN: SpanOptions = { rootFor: () => [] };
const FIRST_WINDOW = 4;
const LARGEST_WINDOW = 100;
/** A lane whose calls hang looks for others that are due. */
const LOOK_AGAIN_MS = 1000;

/**
 * The deliveries of one endpoint, on their way from one process. They begin in the order of their
 * commits. How many are under way at once follows the endpoint: twice as many while all goes well,
 * and half as many after a failure.
 */
export class DeliveryLane {
  private readonly waiting: QueuedDelivery[] = [];
  private readonly underWay = new Set<Uuid>();
  private window = FIRST_WINDOW;
  private behind: Behind = { xact: 0n, event: NO_EVENT };
  private endpoint: OpenEndpoint | undefined;
  private mayHaveMore = true;
  private loadedAt = 0;
  private pausedUntil: Date | null = null;
  private isEnding = false;
  private tell: (() => void) | undefined;

  constructor(
    private queue: DueQueue,
    private readonly means: LaneMeans,
  ) {}

  /** Something was added, or its calls hang. */
  wake({ round }: DueQueue): void {
    const isOld = performance.now() - this.loadedAt > LOOK_AGAIN_MS;
    if (round <= this.queue.round && !isOld) return;
    this.queue = { ...this.queue, round };
    this.mayHaveMore = true;
    this.tell?.();
  }

  /** Begins no more calls. */
  end(): void {
    this.isEnding = true;
    this.tell?.();
  }

  /** Sends all that is due. It ends when nothing is, or when it is told to. */
  async run(): Promise<void> {
    for (;;) {
      await this.sendAll();
      if (this.isEnding || this.pausedUntil) {
        return this.means.giveUp(this.queue, this.pausedUntil);
      }
      if (await this.means.release(this.queue)) return;
      // Something came meanwhile, or another process has it now.
      if (!(await this.means.lease(this.queue))) return;
      this.mayHaveMore = true;
    }
  }

  private get begins(): boolean {
    return !this.isEnding && !this.pausedUntil;
  }

  private async sendAll(): Promise<void> {
    for (;;) {
      if (this.begins && this.waiting.length === 0 && this.mayHaveMore) await this.load();
      const hasRoom = this.begins && this.underWay.size < this.window;
      const next = hasRoom ? this.waiting.shift() : undefined;
      if (next) {
        this.underWay.add(next.event.id);
        await this.means.enter(this.queue.accountId);
        void this.deliver(next);
      } else if (this.underWay.size > 0) {
        await new Promise<void>((resolve) => (this.tell = resolve));
      } else {
        return;
      }
    }
  }

  private async load(): Promise<void> {
    this.mayHaveMore = false;
    this.loadedAt = performance.now();
    this.endpoint = await this.means.open(this.queue);
    if (!this.endpoint) return this.end();
    const again = await this.means.again(this.queue, [...this.underWay], LOADED_AT_ONCE);
    const fresh = await this.means.fresh(this.queue, this.behind, LOADED_AT_ONCE);
    const last = fresh.at(-1)?.event;
    if (last) this.behind = { xact: last.xact, event: last.id };
    this.mayHaveMore ||= fresh.length === LOADED_AT_ONCE || again.length === LOADED_AT_ONCE;
    this.waiting.push(...again, ...fresh);
  }

  /** A trace of its own: what happened is long committed, and others may have made it. */
  private async deliver(next: QueuedDelivery): Promise<void> {
    const { id, type } = next.event;
    const attributes = { 'quittance.event': publicId('evt', id), 'quittance.event_type': type };
    await tracing.span('delivery', attributes, async (span) => this.send(next, span), ITS_OWN);
  }

  private async send({ event, tries }: QueuedDelivery, span: OpenSpan): Promise<void> {
    const { accountId, endpointId } = this.queue;
    const { means } = this;
    try {
      const at = means.now();
      const { result, answer, ms } = await means.call(this.endpoint!, event);
      const made: DeliveryTry = { at, ms, code: result.code, failure: result.failure };
      const isDone = result.failure === null;
      const nextTry = isDone
        ? null
        : nextTryAt(tries + 1, result, means.waits, means.now(), Math.random());
      const status = isDone ? 'delivered' : nextTry ? 'pending' : 'failed';
      span.set({ 'quittance.status': status });
      const key = { accountId, endpointId, eventId: event.id };
      await means.settle({ ...key, status, nextTryAt: nextTry, made, answer });
      await this.learn(result, at);
    } catch (error) {
      means.failed(error, { endpoint: endpointId });
      this.end();
    } finally {
      this.underWay.delete(event.id);
      means.leave(accountId);
      this.tell?.();
    }
  }

  /**
   * One call says something of the endpoint.
   * @param at when it began: what became of it may be written much later
   */
  private async learn(result: TryResult, at: Date): Promise<void> {
    const { failingSince } = this.queue;
    if (result.failure === null) {
      this.window = Math.min(LARGEST_WINDOW, this.window + 1);
      if (failingSince) await this.noteFailing(null);
      return;
    }
    const now = this.means.now();
    this.window = Math.max(1, Math.floor(this.window / 2));
    this.pausedUntil = pausedUntil(result, this.means.waits, now) ?? this.pausedUntil;
    if (!failingSince) await this.noteFailing(at);
    const failsForDays = failingSince !== null && failsTooLong(failingSince, now);
    const reason = isGone(result) ? 'gone' : failsForDays ? 'failing' : null;
    if (!reason) return;
    this.end();
    await this.means.disable(this.queue, reason);
  }

  private async noteFailing(since: Date | null): Promise<void> {
    this.queue = { ...this.queue, failingSince: since };
    await this.means.noteFailing(this.queue, since);
  }
}
