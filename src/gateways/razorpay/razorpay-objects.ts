import { z } from 'zod';
import type { RefundOutcome } from '../../payments/index.js';
import { UnixTime } from '../page-end.js';
import { Ascii } from '../signed-body.js';
import { Descriptor } from '../told-payout.js';

/** `pay_...`, `plink_...`, `rfnd_...`: a form that may go into an address. */
export const RazorpayId = z.string().regex(/^[a-z]{2,8}_[A-Za-z0-9]{1,64}$/);
const Units = z.int().min(0);
const CurrencyCode = z.string().regex(/^[A-Z]{3}$/);
export const RazorpaySeconds = z.int().min(0).max(253_402_300_799);
const Code = Ascii.nullish().catch(null);
/** Without any, it is an empty list. */
const Notes = z
  .object({ payment_link_id: z.unknown().optional(), refund_id: z.unknown().optional() })
  .nullish()
  .catch(null);

/** razorpay.com/docs/api/payments/entity, as answers and events both show it. */
export const RazorpayPayment = z.object({
  id: RazorpayId,
  amount: Units,
  currency: CurrencyCode,
  status: z.enum(['created', 'authorized', 'captured', 'refunded', 'failed']),
  amount_refunded: Units.nullish().catch(null),
  notes: Notes,
  fee: Units.nullish().catch(null),
  base_amount: Units.nullish().catch(null),
  base_currency: CurrencyCode.nullish().catch(null),
  error_reason: Code,
  error_code: Code,
  created_at: RazorpaySeconds,
});

/** razorpay.com/docs/api/refunds/entity. */
export const RazorpayRefund = z.object({
  id: RazorpayId,
  payment_id: RazorpayId,
  amount: Units,
  currency: CurrencyCode,
  status: z.enum(['pending', 'processed', 'failed']),
  notes: Notes,
  receipt: z.unknown().optional(),
  created_at: RazorpaySeconds,
});

/** As much of a payment link as its events surely have. */
export const RazorpayLink = z.object({
  id: RazorpayId,
  reference_id: z.unknown().optional(),
  notes: Notes,
  amount_paid: Units.nullish().catch(null),
});

const Tried = z.object({ payment_id: RazorpayId, status: z.string() });

/** razorpay.com/docs/api/payments/payment-links, as it is answered. */
export const RazorpayPage = RazorpayLink.extend({
  amount: Units,
  currency: CurrencyCode,
  short_url: z.url(),
  status: z.enum(['created', 'partially_paid', 'expired', 'cancelled', 'paid']),
  amount_paid: Units,
  /** Null, and in lists empty, until somebody paid. Razorpay's own package has one without a list. */
  payments: z
    .union([z.array(Tried), Tried.transform((one) => [one])])
    .nullish()
    .transform((payments) => payments ?? []),
  created_at: RazorpaySeconds,
  cancelled_at: RazorpaySeconds.nullish().catch(null),
  expired_at: RazorpaySeconds.nullish().catch(null),
  expire_by: UnixTime,
});

/** The order behind a payment link has its notes, and its reference as receipt. */
export const RazorpayOrder = z.object({ notes: Notes, receipt: z.unknown().optional() });

/** razorpay.com/docs/api/disputes/entity. */
export const RazorpayDispute = z.object({
  id: RazorpayId,
  payment_id: RazorpayId,
  amount: Units,
  currency: CurrencyCode,
  amount_deducted: Units.nullish().catch(null),
  reason_code: Ascii.catch('general'),
  respond_by: RazorpaySeconds.nullish().catch(null),
  status: z.string(),
  phase: z.string().nullish().catch(null),
});

/** razorpay.com/docs/api/settlements/entity: it names no currency. */
export const RazorpaySettlement = z.object({
  id: RazorpayId,
  amount: Units,
  currency: CurrencyCode.nullish().catch(null),
  status: z.string(),
  utr: Descriptor.nullish().catch(null),
  created_at: RazorpaySeconds,
});

/** razorpay.com/docs/api/settlements/fetch-recon: `credit` and `debit` are less the fee. */
export const RazorpayRow = z.object({
  entity_id: RazorpayId,
  type: z.string(),
  debit: Units,
  credit: Units,
  amount: Units,
  currency: CurrencyCode,
  dispute_id: z.unknown().optional(),
});

export type RazorpayPayment = z.infer<typeof RazorpayPayment>;
export type RazorpayRefund = z.infer<typeof RazorpayRefund>;
export type RazorpayLink = z.infer<typeof RazorpayLink>;
export type RazorpayPage = z.infer<typeof RazorpayPage>;

/**
 * Our link id among the values that may hold it. Razorpay's own links begin with `plink_` too, but are
 * shorter; any other reference is of somebody else's link.
 */
export function ownLinkAmong(...values: unknown[]): string | null {
  return ownAmong(/^plink_[0-7][0-9a-hjkmnp-tv-z]{25}$/, values);
}

/** Our refund id; Razorpay's begin with `rfnd_` too. */
export function ownRefundAmong(...values: unknown[]): string | null {
  return ownAmong(/^rfnd_[0-7][0-9a-hjkmnp-tv-z]{25}$/, values);
}

function ownAmong(form: RegExp, values: readonly unknown[]): string | null {
  const own = values.find((value) => typeof value === 'string' && form.test(value));
  return typeof own === 'string' ? own : null;
}

/** A refund that failed is back in the balance at Razorpay. */
export function razorpayOutcome({ id, status }: RazorpayRefund): RefundOutcome {
  if (status === 'processed') return { status: 'succeeded', providerRefundId: id };
  return status === 'failed'
    ? { status: 'failed', reason: status }
    : { status: 'pending', providerRefundId: id };
}
