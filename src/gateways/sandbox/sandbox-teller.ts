import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { DomainError } from '../../kernel/domain-error.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import {
  GatewayRefusal,
  type PaymentLink,
  PaymentRefusal,
  type PaymentLinkStatus,
  paymentLinkStatus,
} from '../../payments/index.js';
import { SandboxDeliveries } from './sandbox-deliveries.js';
import type { SandboxEvent, SandboxOutcome } from './sandbox-outcomes.js';
import { SandboxThings } from './sandbox-things.js';
import {
  OF_A_PART,
  SANDBOX_TELLS,
  type SandboxThing,
  standingOf,
  toldEvent,
} from './sandbox-told.js';
import type { SandboxGateway } from './sandbox.gateway.js';

export interface ToldBySandbox {
  kind: SandboxThing['kind'];
  gateway: string;
  events: { event: SandboxEvent; isSent: boolean }[];
}

/** Has the sandbox do what somebody says, by its page or over the API. */
@Injectable()
export class SandboxTeller {
  constructor(
    private readonly things: SandboxThings,
    private readonly deliveries: SandboxDeliveries,
    private readonly clock: Clock,
  ) {}

  /**
   * @param part in minor units, of a payment; null: all of it
   * @throws DomainError as `SandboxThings`; `sandbox_outcome_not_possible`, `sandbox_event_refused`
   */
  async tell(
    accountId: Uuid,
    said: { object: string; outcome: string; part: bigint | null },
  ): Promise<ToldBySandbox> {
    const { thing, at } = await this.things.find(accountId, said.object);
    const { outcome } = said;
    assertPossible(thing, outcome);
    const part = partOf(thing, said);
    if (thing.kind === 'payment_link') {
      const events = await this.choose(at, thing.link, outcome as SandboxOutcome);
      return { kind: thing.kind, gateway: at.name, events };
    }
    const decided = standingOf(thing, outcome);
    if (decided) await at.decideRefunds(decided.subject, decided.standing);
    const event = toldEvent(thing, outcome, part, this.clock.now());
    if (!event) return { kind: thing.kind, gateway: at.name, events: [] };
    const status = await this.deliveries.tell(at, event);
    if (status < 200 || status >= 300) throw eventRefused(event, status);
    return { kind: thing.kind, gateway: at.name, events: [{ event, isSent: true }] };
  }

  /**
   * Decides what becomes of a link. The same again changes nothing.
   * @throws DomainError `payment_link_not_open`
   */
  async choose(
    gateway: SandboxGateway,
    link: PaymentLink,
    outcome: SandboxOutcome,
  ): Promise<ToldBySandbox['events']> {
    const linkId = publicId('plink', link.id);
    const status = paymentLinkStatus(link, this.clock.now());
    const before = await this.deliveries.chosen(gateway.name, linkId);
    if (before?.outcome === outcome) return before.events.map(this.asOfNow);
    if (before || status !== 'open') throw pageIsUsed(status);
    // A debit has the id that it got when it was asked for.
    const paymentId = link.collection === null ? undefined : (link.providerObjectId ?? undefined);
    const played = gateway.play(outcome, { linkId, amount: link.amount, paymentId });
    const { payment, left } = await this.deliveries.begin(gateway, played);
    if (payment.outcome !== outcome) throw pageIsUsed(status);
    return payment.events.map((event, place) => ({
      event,
      isSent: !left.some((sending) => sending.event === place),
    }));
  }

  private readonly asOfNow = (event: SandboxEvent) => ({
    event,
    isSent: event.at <= this.clock.now(),
  });
}

function assertPossible({ kind }: SandboxThing, outcome: string): void {
  const possible: readonly string[] = SANDBOX_TELLS[kind];
  if (possible.includes(outcome)) return;
  throw GatewayRefusal.sandbox_outcome_not_possible.at(
    '/outcome',
    `outcome of a ${kind.replace('_', ' ')} must be one of ${possible.join(', ')}.`,
  );
}

function partOf(
  thing: SandboxThing,
  { outcome, part }: { outcome: string; part: bigint | null },
): Money | null {
  if (part === null) return null;
  if (thing.kind !== 'payment' || !OF_A_PART.has(outcome)) {
    throw FieldRefusal.unknown_field.at('/amount', `amount is not a field of ${outcome}.`);
  }
  const { amount } = thing.of;
  if (part <= amount.minor) return Money.of(part, amount.currency);
  throw FieldRefusal.amount_out_of_range.at(
    '/amount',
    `amount must be from 1 to ${amount.minor}, which is all of the payment.`,
  );
}

function pageIsUsed(status: PaymentLinkStatus): DomainError {
  return PaymentRefusal.payment_link_not_open.of(
    `This pay page is used or closed; its payment link is ${status}.`,
    { payment_link_status: status },
  );
}

function eventRefused({ type }: SandboxEvent, status: number): DomainError {
  const answered = status === 0 ? 'did not answer' : `answered ${status} to ${type}`;
  return GatewayRefusal.sandbox_event_refused.of(
    `The webhook ${answered}; GET /v1/finance/gateway-events tells why.`,
    { webhook_status: status === 0 ? null : status },
  );
}
