import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { ProviderReport } from '../../payments/index.js';
import {
  ownLinkAmong,
  RazorpayId,
  RazorpayLink,
  RazorpayOrder,
  RazorpayPayment,
  RazorpaySeconds,
} from './razorpay-objects.js';
import {
  disputeAtRazorpay,
  failedAtRazorpay,
  paidAtRazorpay,
  type RazorpayLinkNames,
  type RazorpayReported,
  refundAtRazorpay,
} from './razorpay-reports.js';
import { settlementReport } from './razorpay-settlements.js';
import { ofNoEffect, readJson, shaped } from '../signed-body.js';

/** razorpay.com/docs/webhooks/payloads: each entity stands under its own name. */
const Event = z.object({
  event: z.string().regex(/^[\x21-\x7e]{1,64}$/),
  created_at: RazorpaySeconds,
  payload: z.record(z.string(), z.unknown()).catch({}),
});
type Event = z.infer<typeof Event>;
const AnyEvent = z.looseObject({ event: z.string() });
/** The events of which something is made here. Of all others no field is judged. */
const CONCERNS_US =
  /^(?:payment_link\.(?:paid|partially_paid|expired|cancelled)|order\.paid|payment\.(?:captured|authorized|failed|dispute\..*)|refund\..*|settlement\..*)$/;

const PAID: ReadonlySet<string> = new Set([
  'payment_link.paid',
  'payment_link.partially_paid',
  'payment.captured',
  'order.paid',
]);
const DISPUTE = 'payment.dispute.';
/** The entities that an event is about, by the beginning of its name; the longer ones first. */
const SUBJECTS: readonly [string, readonly string[]][] = [
  [DISPUTE, ['dispute']],
  ['payment_link.', ['payment_link', 'payment']],
  ['payment.', ['payment']],
  ['order.', ['order', 'payment']],
  ['refund.', ['refund']],
  ['settlement.', ['settlement']],
];

/**
 * Reads a signed event.
 * @param home the currency of the account's balance; undefined if nobody said
 * @throws InvalidSignature when it is no event, or one that concerns us has another shape
 */
export function razorpayEvent(rawBody: Buffer, home: string | undefined): ProviderReport {
  const any = readJson(rawBody, AnyEvent);
  const event = CONCERNS_US.test(any.event) ? shaped(any, Event) : Event.safeParse(any).data;
  if (!event) return ofNoEffect(null, any.event, rawBody);
  const { event: eventType, created_at: seconds } = event;
  const eventId = idOf(event, rawBody);
  const reported: RazorpayReported = { eventId, eventType, fingerprint: null };
  const names = namesIn(event);
  if (PAID.has(eventType)) {
    return paidAtRazorpay(reported, entityIn(event, 'payment'), names, { seconds, home });
  }
  if (eventType.startsWith(DISPUTE)) {
    const said = eventType.slice(DISPUTE.length);
    return disputeAtRazorpay(reported, entityIn(event, 'dispute'), { said, seconds, home });
  }
  if (eventType.startsWith('refund.')) {
    return refundAtRazorpay(reported, entityIn(event, 'refund'), seconds);
  }
  const at = new Date(seconds * 1000);
  if (eventType.startsWith('settlement.')) {
    return settlementReport(reported, entityIn(event, 'settlement'), at, home);
  }
  switch (eventType) {
    case 'payment.authorized':
      return { ...reported, kind: 'processing', ...names, at };
    case 'payment.failed': {
      const { data } = RazorpayPayment.safeParse(entityIn(event, 'payment'));
      const reason = data?.error_reason ?? data?.error_code ?? 'failed';
      return failedAtRazorpay(reported, names, { reason, at, isFinal: false });
    }
    case 'payment_link.expired':
    case 'payment_link.cancelled': {
      const { data } = RazorpayLink.safeParse(entityIn(event, 'payment_link'));
      // Money that came before is told by itself, and stays.
      if (!data || data.amount_paid) return { ...reported, kind: 'irrelevant' };
      const reason = eventType.slice('payment_link.'.length);
      return failedAtRazorpay(reported, names, { reason, at, isFinal: true });
    }
    default:
      return { ...reported, kind: 'irrelevant' };
  }
}

function entityIn({ payload }: Event, name: string): unknown {
  return z.object({ entity: z.unknown() }).safeParse(payload[name]).data?.entity;
}

/**
 * Of what is signed. Razorpay's own event id stands in a header that is not. Anybody who saw a
 * delivery could send it again under another id, or have this one hide the next.
 */
function idOf(event: Event, rawBody: Buffer): string {
  const [, subjects = []] = SUBJECTS.find(([start]) => event.event.startsWith(start)) ?? [];
  const ids = subjects.flatMap((name) => {
    const { data } = z.object({ id: RazorpayId }).safeParse(entityIn(event, name));
    return data ? [data.id] : [];
  });
  const named =
    ids.length > 0 && ids.length === subjects.length
      ? ids.join(':')
      : createHash('sha256').update(rawBody).digest('hex');
  return `${event.event}:${named}:${event.created_at}`;
}

/** A payment has the notes of its link only at times, so that others are asked before it. */
function namesIn(event: Event): RazorpayLinkNames {
  const { data: link } = RazorpayLink.safeParse(entityIn(event, 'payment_link'));
  const { data: order } = RazorpayOrder.safeParse(entityIn(event, 'order'));
  const { data: payment } = RazorpayOrder.safeParse(entityIn(event, 'payment'));
  const linkId = ownLinkAmong(
    link?.notes?.payment_link_id,
    link?.reference_id,
    order?.notes?.payment_link_id,
    order?.receipt,
    payment?.notes?.payment_link_id,
  );
  return { linkId, providerObjectId: link?.id ?? null };
}
