import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import { type Gateway, Gateways } from '../../payments/index.js';
import { Config } from '../../platform/config/config.js';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import { serverUrl } from '../../platform/http/server-url.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import { Log } from '../../platform/observability/log.js';
import { SandboxBook } from './sandbox-book.js';
import type { SandboxEvent, SandboxPayment, SandboxSending } from './sandbox-outcomes.js';
import { SandboxGateway } from './sandbox.gateway.js';

const EVERY_MS = 1000;
const ANSWER_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;
/** As long as Stripe tries. */
const GIVEN_UP_MS = 3 * 24 * 3_600_000;

/**
 * Sends the sandbox's events as a provider would: over HTTP to our own webhook, signed, and again
 * with growing waits when one is refused. Events that are still to be sent survive the process.
 */
@Injectable()
export class SandboxDeliveries {
  private readonly book: SandboxBook;
  private readonly job: Job;

  constructor(
    private readonly gateways: Gateways,
    private readonly clock: Clock,
    config: Config,
    private readonly http: HttpAdapterHost,
    private readonly outgoing: OutgoingClient,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    this.book = new SandboxBook(config.dataDir);
    const everyMs = config.production ? 0 : EVERY_MS;
    const failure = 'events of the sandbox could not be sent';
    this.job = jobs.every(everyMs, failure, () => this.run());
  }

  /** The choice on a pay page, if there was one. */
  async chosen(gateway: string, linkId: string): Promise<SandboxPayment | undefined> {
    return this.book.find({ gateway, linkId });
  }

  /**
   * Begins the life of a payment, once for a link. Events that are due are sent before this ends.
   * @returns the payment that counts: that of the first choice; and the sendings that are left
   */
  async begin(
    gateway: SandboxGateway,
    payment: SandboxPayment,
  ): Promise<{ payment: SandboxPayment; left: SandboxSending[] }> {
    const kept = await this.book.keep(payment);
    if (kept !== payment) return { payment: kept, left: [] };
    const left = await this.send(gateway, payment, gateway.sendingsOf(payment));
    // A process that dies before this has told too little, as providers may: look-ups tell it.
    await this.book.plan(payment, left);
    return { payment, left };
  }

  async run(): Promise<void> {
    for (const named of await this.book.waiting()) {
      if (this.job.isStopping) return;
      const sendings = await this.book.sendingsOf(named);
      const now = this.clock.serverNow();
      if (!sendings.some(({ due }) => due <= now)) continue;
      const payment = await this.book.find(named);
      // A gateway that cannot be read now may be readable again.
      const gateway = await this.gateways.find(named.gateway).catch(() => undefined);
      const left = payment ? await this.send(gateway, payment, sendings) : [];
      await this.book.plan(named, left);
    }
  }

  /** Sends what is due, in this order. @returns what is left */
  private async send(
    gateway: Gateway | undefined,
    payment: SandboxPayment,
    sendings: readonly SandboxSending[],
  ): Promise<SandboxSending[]> {
    const left: SandboxSending[] = [];
    for (const sending of sendings.toSorted((a, b) => a.due.getTime() - b.due.getTime())) {
      const event = payment.events[sending.event];
      if (!event) continue;
      const isDue = sending.due <= this.clock.serverNow();
      if (!isDue) left.push(sending);
      else if (!(await this.isTaken(gateway, event))) left.push(...this.again(event, sending));
    }
    return left;
  }

  private async isTaken(gateway: Gateway | undefined, event: SandboxEvent): Promise<boolean> {
    if (!(gateway instanceof SandboxGateway)) return false;
    const status = await this.tell(gateway, event);
    return status >= 200 && status < 300;
  }

  /** Sends an event once. @returns the status of the answer; 0 if there is none */
  async tell(gateway: SandboxGateway, event: SandboxEvent): Promise<number> {
    const { body, headers } = gateway.signedEvent(event);
    // One that is under way when we stop counts as refused, and comes again.
    const signal = AbortSignal.any([this.job.stopping, AbortSignal.timeout(ANSWER_MS)]);
    const own = this.ownAddress();
    const url = `${own}/v1/webhooks/${gateway.name}`;
    try {
      const answer = await this.outgoing.fetchFor([own])(url, {
        method: 'POST',
        body,
        headers,
        signal,
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  /** Twice as long after each refusal; nothing after three days. */
  private again(event: SandboxEvent, { tries, ...sending }: SandboxSending): SandboxSending[] {
    const now = this.clock.serverNow().getTime();
    if (now - event.at.getTime() > GIVEN_UP_MS) {
      this.log.warn({ event: event.id }, 'the sandbox gives up an event that is always refused');
      return [];
    }
    const waitMs = Math.min(EVERY_MS * 2 ** (tries + 1), LONGEST_WAIT_MS);
    return [{ ...sending, tries: tries + 1, due: new Date(now + waitMs) }];
  }

  private ownAddress(): string {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return serverUrl(server.address() as AddressInfo);
  }
}
