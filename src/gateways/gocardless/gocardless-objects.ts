import { z } from 'zod';
import { Ascii } from '../signed-body.js';
import { Descriptor } from '../told-payout.js';
import { GoCardlessCurrency, GoCardlessUnits } from './gocardless-amount.js';

/** These ids may be put into an address of the API. */
export const GoCardlessPaymentId = z.string().regex(/^PM[0-9A-Za-z]{1,62}$/);
export const GoCardlessRefundId = z.string().regex(/^RF[0-9A-Za-z]{1,62}$/);
export const GoCardlessPayoutId = z.string().regex(/^PO[0-9A-Za-z]{1,62}$/);
export const GoCardlessMandateId = z.string().regex(/^MD[0-9A-Za-z]{1,62}$/);
export const GoCardlessAccountId = z.string().regex(/^BA[0-9A-Za-z]{1,62}$/);
export const GoCardlessRequestId = z.string().regex(/^BRQ[0-9A-Za-z]{1,61}$/);

const Word = z.string().regex(/^[a-z0-9_]{1,64}$/);
const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const Named = z.unknown().optional();
/** The ids of ours that we note on what we make. */
const OwnMetadata = z
  .object({ payment_link_id: Named, mandate_id: Named, collected_by: Named })
  .nullish()
  .catch(null);

/**
 * developer.gocardless.com/api-reference, "Events": the same in a webhook and in the list of events.
 * They name their objects, and say when and why, but tell no amounts.
 */
export const GoCardlessEvent = z.object({
  id: Ascii,
  created_at: Instant,
  resource_type: Word,
  action: Word,
  links: z
    .object({
      payment: Named,
      refund: Named,
      payout: Named,
      billing_request: Named,
      payment_request_payment: Named,
      mandate: Named,
    })
    .catch({}),
  details: z
    .object({ origin: Ascii.nullish().catch(null), cause: Ascii.nullish().catch(null) })
    .nullish()
    .catch(null),
});
export type GoCardlessEvent = z.infer<typeof GoCardlessEvent>;

export const GoCardlessPayment = z.object({
  id: Ascii,
  status: Word,
  amount: GoCardlessUnits,
  amount_refunded: GoCardlessUnits.optional().catch(undefined),
  currency: GoCardlessCurrency,
  created_at: Instant,
  metadata: OwnMetadata,
  links: z.object({ billing_request: Named }).nullish().catch(null),
});
export type GoCardlessPayment = z.infer<typeof GoCardlessPayment>;

export const GoCardlessRefund = z.object({
  id: Ascii,
  status: Word,
  amount: GoCardlessUnits,
  currency: GoCardlessCurrency,
  created_at: Instant,
  metadata: z.object({ refund_id: Named }).nullish().catch(null),
  links: z.object({ payment: Ascii.nullish().catch(null) }).catch({}),
});
export type GoCardlessRefund = z.infer<typeof GoCardlessRefund>;

export const GoCardlessPayout = z.object({
  id: Ascii,
  status: Word,
  amount: GoCardlessUnits,
  currency: GoCardlessCurrency,
  created_at: Instant,
  arrival_date: z.iso.date().nullish().catch(null),
  reference: Descriptor.nullish().catch(null),
  fx: z
    .object({
      fx_currency: GoCardlessCurrency.nullish().catch(null),
      fx_amount: GoCardlessUnits.nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
export type GoCardlessPayout = z.infer<typeof GoCardlessPayout>;

/** developer.gocardless.com/api-reference, "Payout items": fees have tenths of the smallest unit. */
const Tenths = z
  .string()
  .regex(/^-?\d{1,14}(?:\.\d)?$/)
  .transform((text) => BigInt(text.includes('.') ? text.replace('.', '') : `${text}0`));
export const GoCardlessPayoutItem = z.object({
  type: Word,
  amount: Tenths,
  taxes: z
    .array(z.object({ amount: Tenths }))
    .nullish()
    .catch(null),
  links: z
    .object({
      payment: Ascii.nullish().catch(null),
      refund: Ascii.nullish().catch(null),
    })
    .nullish()
    .catch(null),
});
export type GoCardlessPayoutItem = z.infer<typeof GoCardlessPayoutItem>;

export const GoCardlessRequest = z.object({
  id: GoCardlessRequestId,
  status: Word,
  metadata: OwnMetadata,
  links: z
    .object({
      payment_request_payment: GoCardlessPaymentId.optional().catch(undefined),
      mandate_request_mandate: GoCardlessMandateId.optional().catch(undefined),
    })
    .catch({}),
  payment_request: z
    .object({ links: z.object({ payment: GoCardlessPaymentId.optional() }).nullish() })
    .nullish()
    .catch(null),
  mandate_request: z
    .object({ links: z.object({ mandate: GoCardlessMandateId.optional() }).nullish() })
    .nullish()
    .catch(null),
});
export type GoCardlessRequest = z.infer<typeof GoCardlessRequest>;

export const GoCardlessMandate = z.object({
  id: GoCardlessMandateId,
  status: Word,
  scheme: Word.nullish().catch(null),
  reference: z
    .string()
    .regex(/^[ -~]{1,64}$/)
    .nullish()
    .catch(null),
  next_possible_charge_date: z.iso.date().nullish().catch(null),
  metadata: OwnMetadata,
  links: z.object({ customer_bank_account: Named }).catch({ customer_bank_account: undefined }),
});
export type GoCardlessMandate = z.infer<typeof GoCardlessMandate>;

/** A bank account of a customer, of which GoCardless shows no more than the end. */
export const GoCardlessAccount = z.object({
  id: GoCardlessAccountId,
  account_number_ending: z
    .string()
    .regex(/^[0-9A-Za-z]{1,8}$/)
    .nullish()
    .catch(null),
});
