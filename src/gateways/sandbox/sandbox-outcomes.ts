import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isPayoutSample, type SampleEvent, type SampleOf } from '../../payments/index.js';
import { newMessageId } from '../standard-signature.js';

/** Events that follow each other, one delay apart: the first comes at once. */
const SANDBOX_OUTCOMES = {
  paid: ['paid'],
  failed: ['failed'],
  paid_later: ['processing', 'paid'],
  failed_later: ['processing', 'failed'],
  bounced: ['paid', 'reversed'],
  dispute_won: ['paid', 'dispute.opened', 'dispute.won'],
  dispute_lost: ['paid', 'dispute.opened', 'dispute.lost'],
  refunded: ['paid', 'refunded'],
  paid_out: ['paid', 'payout'],
} as const satisfies Record<string, readonly SampleEvent[]>;
export type SandboxOutcome = keyof typeof SANDBOX_OUTCOMES;
export const SANDBOX_OUTCOME_NAMES = Object.keys(SANDBOX_OUTCOMES) as SandboxOutcome[];

/** `prompt`: each event once, when it happens. `like_a_provider`: late, repeated, out of order. */
export const SANDBOX_MANNERS = ['prompt', 'like_a_provider'] as const;
export type SandboxManner = (typeof SANDBOX_MANNERS)[number];

const SandboxEvent = z.object({
  /** The same each time that it is sent. */
  id: z.string(),
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  at: z.coerce.date(),
});
export type SandboxEvent = z.infer<typeof SandboxEvent>;

/** A choice on a pay page, and all that is told of it. It never changes. */
export const SandboxPayment = z.object({
  gateway: z.string(),
  linkId: z.string(),
  outcome: z.enum(SANDBOX_OUTCOME_NAMES),
  events: z.array(SandboxEvent),
});
export type SandboxPayment = z.infer<typeof SandboxPayment>;

/** An event that is still to be sent. */
export const SandboxSending = z.object({
  /** Its place among the payment's. */
  event: z.int().min(0),
  due: z.coerce.date(),
  tries: z.int().min(0),
});
export type SandboxSending = z.infer<typeof SandboxSending>;

/** The whole life of a payment, from now on. */
export function sandboxEvents(
  outcome: SandboxOutcome,
  of: SampleOf,
  now: Date,
  delayMs: number,
): SandboxEvent[] {
  return SANDBOX_OUTCOMES[outcome].map((event, place) => {
    const at = new Date(now.getTime() + place * delayMs);
    return { id: newMessageId(), ...sandboxEvent(event, of, at), at };
  });
}

/** Type and data of an event, as the sandbox words it. */
export function sandboxEvent(
  event: SampleEvent,
  { linkId: payment_link_id, paymentId: payment_id, amount }: SampleOf,
  time: Date,
): Pick<SandboxEvent, 'type' | 'data'> {
  const at = time.toISOString();
  const money = { amount: amount.toMinorNumber(), currency: amount.currency };
  if (event === 'paid') {
    const data = { payment_id, payment_link_id, ...money, paid_at: at };
    return { type: 'payment.succeeded', data };
  }
  if (event === 'refunded') {
    const data = { sandbox_refund_id: `sbx_refund_${payment_id}`, payment_id, ...money, at };
    return { type: 'refund.succeeded', data };
  }
  if (isPayoutSample(event)) {
    const lines = [{ kind: 'payment', amount: money.amount, provider_id: payment_id }];
    const data = {
      payout_id: `sbx_payout_${payment_id}`,
      ...money,
      sent_on: at.slice(0, 10),
      at,
      lines,
    };
    return { type: event === 'payout' ? 'payout.paid' : 'payout.failed', data };
  }
  if (event.startsWith('dispute.')) {
    const data = { dispute_id: `sbx_dispute_${payment_id}`, payment_id, ...money, at };
    return { type: event, data };
  }
  return { type: `payment.${event}`, data: { payment_id, payment_link_id, at } };
}

/** A third of all bytes is below. */
const ONE_IN_THREE = 86;

/**
 * When each event is sent. Like a provider, it is late by up to one delay, and one in three comes
 * again. One in three comes after the event that follows it. The link's id decides, so the same link
 * always plays the same.
 */
export function sandboxSendings(
  { linkId, events }: Pick<SandboxPayment, 'linkId' | 'events'>,
  manner: SandboxManner,
  delayMs: number,
): SandboxSending[] {
  const planned = events.map(({ at }, event) => ({ event, due: at, tries: 0 }));
  if (manner === 'prompt') return planned;
  const drawn = createHash('sha256').update(linkId).digest();
  const byte = (place: number) => drawn[place % drawn.length] ?? 0;
  const sendings = planned.map((sending, place) => ({
    ...sending,
    due: after(sending.due, (delayMs * byte(3 * place)) / 256),
  }));
  // From the last one on, so that each is after what follows it, wherever that is by now.
  for (const [place, sending] of [...sendings.entries()].toReversed()) {
    const next = sendings[place + 1];
    const waits = next !== undefined && byte(3 * place + 1) < ONE_IN_THREE;
    if (waits) sending.due = after(next.due, delayMs / 2);
  }
  return sendings.flatMap((sending, place) =>
    byte(3 * place + 2) < ONE_IN_THREE
      ? [sending, { ...sending, due: after(sending.due, delayMs) }]
      : [sending],
  );
}

function after(instant: Date, ms: number): Date {
  return new Date(instant.getTime() + ms);
}
