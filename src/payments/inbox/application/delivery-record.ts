import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, pause } from '../../../kernel/clock.js';
import { CommonRefusal } from '../../../kernel/common-refusals.js';
import { IdGenerator } from '../../../kernel/ids.js';
import { Log } from '../../../platform/observability/log.js';
import type { Delivery, Gateway } from '../../port/domain/gateway.js';
import type { NewDelivery } from '../domain/gateway-delivery.js';
import { GatewayDeliveryRepository } from '../infrastructure/gateway-delivery.repository.js';

/** Those that come meanwhile share a statement. */
const GATHER_MS = 20;
const MOST_IN_STATEMENT = 100;
const MOST_BYTES_IN_STATEMENT = 1_048_576;
/** Bytes that may wait for the database; more than these are not kept. */
const MOST_WAITING_BYTES = 16_777_216;

/**
 * Keeps verified deliveries, beside the requests: a provider waits for none of it, and is answered
 * the same if it fails. A crash loses the last ones. Only a large one is stored before it is applied.
 */
@Injectable()
export class DeliveryRecord implements OnModuleDestroy {
  private waiting: NewDelivery[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  /** Until those that wait now are written. */
  private gathering?: Promise<void>;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly deliveries: GatewayDeliveryRepository,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await this.written();
  }

  /** One that has just come. */
  begin({ name, accounts }: Gateway, delivery: Delivery, reports: number) {
    const [id, receivedAt] = [this.ids.next(), this.clock.serverNow()];
    return { id, gateway: { name, accounts }, receivedAt, delivery, reports };
  }

  /** Its provider does not send it again, so it is on the disk before it is answered. */
  async store(delivery: NewDelivery): Promise<void> {
    try {
      await this.deliveries.insert(delivery.gateway, [delivery], true);
    } catch (error) {
      this.log.warn({ error, gateway: delivery.gateway.name }, 'a delivery could not be stored');
      throw CommonRefusal.database_unavailable.later(
        1,
        'The delivery could not be stored; send it again.',
      );
    }
  }

  /** The caller waits for nothing. */
  note(delivery: NewDelivery): void {
    const bytes = bytesOf(delivery);
    if (this.waitingBytes + bytes > MOST_WAITING_BYTES) {
      this.dropped += 1;
      return;
    }
    this.waiting.push(delivery);
    this.waitingBytes += bytes;
    this.gathering ??= this.gather();
  }

  /** Until all that was noted before is there to read. */
  async written(): Promise<void> {
    await (this.gathering ?? this.writing);
  }

  private async gather(): Promise<void> {
    await pause(GATHER_MS);
    const all = this.waiting;
    this.waiting = [];
    this.gathering = undefined;
    const before = this.writing;
    this.writing = before.then(() => this.write(all));
    await this.writing;
  }

  private async write(all: readonly NewDelivery[]): Promise<void> {
    for (const part of partsOf(all)) {
      await this.insert(part);
      for (const one of part) this.waitingBytes -= bytesOf(one);
    }
    if (this.dropped === 0) return;
    this.log.warn({ count: this.dropped }, 'calls of providers came too fast to be kept');
    this.dropped = 0;
  }

  private async insert(part: readonly NewDelivery[]): Promise<void> {
    const [first] = part;
    if (!first) return;
    try {
      await this.deliveries.insert(first.gateway, part, false);
    } catch (error) {
      const of = { error, gateway: first.gateway.name, count: part.length };
      this.log.warn(of, 'calls of a provider could not be kept');
    }
  }
}

const bytesOf = ({ delivery }: NewDelivery) => delivery.rawBody.length;

/** Of one gateway each. */
function partsOf(all: readonly NewDelivery[]): NewDelivery[][] {
  const parts: NewDelivery[][] = [];
  const open = new Map<string, { part: NewDelivery[]; bytes: number }>();
  for (const one of all) {
    const { name } = one.gateway;
    let last = open.get(name);
    const bytes = (last?.bytes ?? 0) + bytesOf(one);
    if (!last || last.part.length >= MOST_IN_STATEMENT || bytes > MOST_BYTES_IN_STATEMENT) {
      last = { part: [], bytes: 0 };
      open.set(name, last);
      parts.push(last.part);
    }
    last.part.push(one);
    last.bytes += bytesOf(one);
  }
  return parts;
}
