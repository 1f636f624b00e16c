import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import type { Gateway } from '../../payments/index.js';
import { OutgoingClient } from '../../platform/http/outgoing/outgoing-client.js';
import { serverUrl } from '../../platform/http/server-url.js';
import { Log } from '../../platform/observability/log.js';
import type { SandboxEvent, SandboxPayment, SandboxSending } from './sandbox-outcomes.js';
import { SandboxGateway } from './sandbox.gateway.js';

const ANSWER_MS = 10_000;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 3_600_000;
/** As long as Stripe tries. */
const GIVEN_UP_MS = 3 * 24 * 3_600_000;

/** Calls our own webhook over HTTP, signed, and says when to call again if one is refused. */
@Injectable()
export class SandboxSender {
  constructor(
    private readonly clock: Clock,
    private readonly http: HttpAdapterHost,
    private readonly outgoing: OutgoingClient,
    private readonly log: Log,
  ) {}

  /** Sends what is due, in this order. @returns what is left */
  async sendDue(
    gateway: Gateway | undefined,
    payment: SandboxPayment,
    sendings: readonly SandboxSending[],
    stopping: AbortSignal,
  ): Promise<SandboxSending[]> {
    const left: SandboxSending[] = [];
    for (const sending of sendings.toSorted((a, b) => a.due.getTime() - b.due.getTime())) {
      const event = payment.events[sending.event];
      if (!event) continue;
      const isDue = sending.due <= this.clock.serverNow();
      if (!isDue) left.push(sending);
      else if (!(await this.isTaken(gateway, event, stopping)))
        left.push(...this.again(event, sending));
    }
    return left;
  }

  private async isTaken(
    gateway: Gateway | undefined,
    event: SandboxEvent,
    stopping: AbortSignal,
  ): Promise<boolean> {
    if (!(gateway instanceof SandboxGateway)) return false;
    const status = await this.tell(gateway, event, stopping);
    return status >= 200 && status < 300;
  }

  /** Sends an event once. @returns the status of the answer; 0 if there is none */
  async tell(gateway: SandboxGateway, event: SandboxEvent, stopping: AbortSignal): Promise<number> {
    const { body, headers } = gateway.signedEvent(event);
    // One that is under way when we stop counts as refused, and comes again.
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_MS)]);
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
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (tries + 1), LONGEST_WAIT_MS);
    return [{ ...sending, tries: tries + 1, due: new Date(now + waitMs) }];
  }

  private ownAddress(): string {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    return serverUrl(server.address() as AddressInfo);
  }
}
