import { z } from 'zod';
import { Money } from '../../../kernel/money.js';
import { MANDATE_STATUSES } from '../domain/mandates/mandate-status.js';
import { PAYOUT_LINE_KINDS } from '../domain/payout-line.js';
import { FAILURE_KINDS, TOLD_PAYOUT_STATUSES } from '../domain/provider-report.js';
import { DISPUTE_STATUSES } from '../domain/told-dispute.js';

// `ProviderReport` and `NamedObject`, for providers that others write: their code is not checked
// by our compiler. Fields that may be left out for good are not here.

const money = z.custom<Money>((value) => value instanceof Money, 'is no Money of this service');
const id = z.string().min(1).max(1000);
const when = z.date();

const reported = { eventId: id, eventType: id, fingerprint: z.string().nullable() };
const ofLink = { linkId: z.string().nullable(), providerObjectId: z.string().nullable() };
const ofPayment = { providerPaymentId: id, amount: money, at: when, review: z.string() };

const outcome = z.discriminatedUnion('status', [
  z.object({ status: z.literal('succeeded'), providerRefundId: id }),
  z.object({ status: z.literal('pending'), providerRefundId: id.nullable() }),
  z.object({ status: z.literal('failed'), reason: z.string() }),
]);

const payoutLine = z.object({
  kind: z.enum(PAYOUT_LINE_KINDS),
  amount: money,
  fee: money,
  providerId: id.nullable(),
});

/** A report of a provider, or the name of something that it is asked about. */
export const ToldShape = z.discriminatedUnion('kind', [
  z.object({
    ...reported,
    ...ofLink,
    kind: z.literal('paid'),
    providerPaymentId: id,
    captureReference: id.optional(),
    amount: money,
    fee: money.nullable(),
    paidAt: when,
  }),
  z.object({
    ...reported,
    kind: z.literal('approved'),
    linkId: z.string().nullable(),
    providerObjectId: id,
  }),
  z.object({ ...reported, ...ofLink, kind: z.literal('processing'), at: when }),
  z.object({
    ...reported,
    ...ofLink,
    kind: z.enum(FAILURE_KINDS),
    providerPaymentId: id.nullable(),
    reason: z.string(),
    at: when,
    isFinal: z.boolean(),
    amount: money.nullable(),
    reference: id.nullable(),
  }),
  z.object({
    ...reported,
    ...ofPayment,
    kind: z.literal('refund'),
    refundId: z.string().nullable(),
    providerRefundId: id,
    outcome,
  }),
  z.object({ ...reported, ...ofPayment, kind: z.literal('refunded_in_all') }),
  z.object({
    ...reported,
    ...ofPayment,
    kind: z.literal('dispute'),
    disputeId: id,
    status: z.enum(DISPUTE_STATUSES),
    withdrawn: money.nullable(),
    fee: money.nullable(),
    reason: z.string(),
    evidenceDueBy: when.nullable(),
  }),
  z.object({
    ...reported,
    kind: z.literal('payout'),
    payoutId: id,
    amount: money,
    fee: money,
    lines: z.array(payoutLine).readonly().nullable(),
    status: z.enum(TOLD_PAYOUT_STATUSES),
    sentOn: z.iso.date(),
    arrivesOn: z.iso.date().nullable(),
    descriptor: z.string().nullable(),
    reason: z.string().nullable(),
    at: when,
  }),
  z.object({
    ...reported,
    kind: z.literal('mandate'),
    mandateId: z.string().nullable(),
    providerMandateId: id,
    status: z.enum(MANDATE_STATUSES),
    scheme: z.string().nullable(),
    accountEnding: z.string().nullable(),
    reference: z.string().nullable(),
    reason: z.string().nullable(),
    at: when,
  }),
  z.object({ ...reported, kind: z.literal('irrelevant'), review: z.string().optional() }),
  z.object({
    kind: z.literal('named'),
    objectId: id,
    eventId: id.nullable(),
    eventType: id,
    at: when.nullable(),
    isSigned: z.boolean(),
  }),
]);

/** The fields of a report that cannot be booked, each with the reason; none: it is sound. */
export function wrongInTold(told: unknown): string[] {
  const { error } = ToldShape.safeParse(told);
  return (
    error?.issues.map(({ path, message }) => `${path.join('.') || 'report'}: ${message}`) ?? []
  );
}
