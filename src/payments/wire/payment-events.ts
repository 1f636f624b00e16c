import { z } from 'zod';
import { inHistory } from '../../documents/index.js';
import { currency, type DataOf, instant, minorUnits, publicIdOf } from '../../events/index.js';
import { RATE_ORIGINS } from '../recording/domain/conversion.js';
import { DISPUTE_STATUSES } from '../port/domain/told-dispute.js';
import { MANDATE_STATUSES } from '../port/domain/mandates/mandate-status.js';
import { PAYMENT_LINK_STATUSES } from '../collecting/domain/payment-link.js';
import { PAYMENT_METHODS } from '../../kernel/payment-method.js';
import { REFUND_ACCOUNTS, SHOWN_REFUND_STATUSES } from '../returning/domain/refund.js';
import { MEANINGS_SAID_BY } from '../returning/domain/refunds/refund-meaning.js';
import { REFUND_MEANINGS } from '../recording/domain/payment-settings.js';
import { UNMATCHED_REASONS } from '../port/domain/webhook-outcome.js';

const paymentId = publicIdOf('pay');
const documentId = publicIdOf('doc');
const method = z.enum(PAYMENT_METHODS);
const part = z.object({ id: documentId, amount: minorUnits });

const conversion = z
  .object({
    amount: minorUnits,
    currency,
    exchange_rate: z.string().describe('The worth of one unit of it.'),
    rate_from: z.enum(RATE_ORIGINS),
    rate_source: z.string().nullable(),
    rate_date: z.iso.date().nullable(),
    worth: minorUnits.describe('The worth of all of it, in the currency of the payment.'),
    exchange_gain: minorUnits.describe('Below zero: a loss.'),
  })
  .meta({ id: 'Conversion', description: 'Money that moved in another currency.' });

const payment = z
  .object({
    id: paymentId,
    document_id: documentId.nullable(),
    customer_id: publicIdOf('cus'),
    amount: minorUnits,
    applied: minorUnits.describe('The amount that documents took of it.'),
    credited: minorUnits.describe('The rest, which is customer credit.'),
    currency,
    received: conversion.nullable().optional(),
    method,
    reference: z.string().nullable(),
    note: z.string().nullable(),
    metadata: z.record(z.string(), z.string()),
    paid_at: instant,
    recorded_at: instant,
    fee: minorUnits.nullable(),
    gateway: z.string().nullable(),
    payment_link_id: publicIdOf('plink').nullable(),
  })
  .meta({ id: 'Payment', description: 'As `GET /v1/finance/payments/{id}` began.' });

const refund = z
  .object({
    id: publicIdOf('rfnd'),
    payment_id: paymentId.nullable(),
    receipt_id: publicIdOf('rcpt').nullable(),
    amount: minorUnits,
    currency,
    paid_out: conversion.nullable().optional(),
    from_credit: minorUnits.describe('The part of it that was customer credit.'),
    documents: z.array(part),
    lost: minorUnits.describe('The part that nobody gives: the payment had no more.'),
    made_by: z
      .enum(['client', 'gateway'])
      .describe('`gateway`: made at the provider, and told by it.'),
    method,
    gateway: z.string().nullable(),
    paid_from: z.enum(REFUND_ACCOUNTS).describe('The account of the ledger that the money leaves.'),
    status: z.enum(SHOWN_REFUND_STATUSES),
    failure: z.string().nullable(),
    provider_refund_id: z.string().nullable(),
    reference: z.string().nullable(),
    reason: z.string().nullable(),
    requested_at: instant,
    settled_at: instant.nullable(),
    undone_at: instant.nullable().describe('When a refund that succeeded was undone.'),
    undone_reason: z.string().nullable(),
    meaning: z
      .enum(REFUND_MEANINGS)
      .nullable()
      .optional()
      .describe('Null where no document gives anything.'),
    meaning_said_by: z.enum(MEANINGS_SAID_BY).nullable().optional(),
    is_undecided: z.boolean().optional().describe('Nobody is asked for what went back.'),
    credit_note_problem: z
      .string()
      .nullable()
      .optional()
      .describe('The code with which its credit note was refused.'),
  })
  .meta({ id: 'Refund', description: 'As `GET /v1/finance/refunds/{id}` shows it.' });

const paymentLink = z
  .object({
    id: publicIdOf('plink'),
    document_id: documentId,
    gateway: z.string(),
    amount: minorUnits,
    currency,
    status: z.enum(PAYMENT_LINK_STATUSES),
    url: z.string().nullable(),
    created_at: instant,
    expires_at: instant,
    page_expires_at: instant.nullable().optional(),
    processing_at: instant.nullable().optional(),
    paid_at: instant.nullable(),
    failed_at: instant.nullable().optional(),
    failure: z.string().nullable().optional(),
    canceled_at: instant.nullable(),
    mandate_id: publicIdOf('mand').nullable().optional().describe('Of one that is collected.'),
    charge_on: z.iso.date().nullable().optional(),
  })
  .meta({ id: 'PaymentLink', description: 'As `GET /v1/finance/payment-links/{id}` shows it.' });

/** With the document, in the history of each that it touched; without, where it touched none. */
const mayBeInHistory = z.object(inHistory).partial();

const recorded = mayBeInHistory
  .extend({
    payment,
    documents: z
      .array(part)
      .optional()
      .describe('The part of each document, if there are several; then there is no `document`.'),
  })
  .meta({ id: 'PaymentRecorded' });

const place = z.string().describe('The id of a document, or `credit`.');
const moved = mayBeInHistory
  .extend({ payment_id: paymentId, amount: minorUnits, from: place, to: place })
  .meta({ id: 'PaymentMoved' });

const reversed = mayBeInHistory
  .extend({
    payment_id: paymentId,
    reason: z.string().nullable(),
    amount: minorUnits.optional().describe('What a provider took back; absent: all, by hand.'),
    lost: minorUnits.optional().describe('The part of it that had gone back already.'),
  })
  .meta({ id: 'PaymentReversed' });

const refunded = mayBeInHistory
  .extend({ refund, amount: minorUnits.optional().describe('The part that the document gave.') })
  .meta({ id: 'PaymentRefunded' });

const ofRefund = mayBeInHistory
  .extend({ refund, amount: minorUnits.describe('The part that the document gave.') })
  .meta({ id: 'RefundMeaning' });

const refundUndone = mayBeInHistory
  .extend({
    refund,
    amount: minorUnits
      .optional()
      .describe('What the document gave. What it does not take again is credit: `payment.moved`.'),
  })
  .meta({ id: 'RefundUndone' });

const unmatched = mayBeInHistory
  .extend({
    receipt_id: publicIdOf('rcpt'),
    reason: z.enum(UNMATCHED_REASONS),
    gateway: z.string(),
    provider_payment_id: z.string(),
    amount: minorUnits,
    currency,
    fee: minorUnits.nullable(),
  })
  .meta({ id: 'PaymentUnmatched' });

const dispute = z
  .object({
    id: publicIdOf('dsp'),
    status: z.enum(DISPUTE_STATUSES),
    payment_id: paymentId.nullable(),
    receipt_id: publicIdOf('rcpt').nullable(),
    gateway: z.string(),
    provider_dispute_id: z.string(),
    provider_payment_id: z.string(),
    amount: minorUnits,
    amount_held: minorUnits.describe('What the provider holds until it is decided.'),
    amount_reversed: minorUnits.describe('What was taken off documents, credit or the receipt.'),
    amount_lost: minorUnits.describe('The part of that which nobody can be asked for.'),
    fee: minorUnits,
    currency,
    reason: z.string(),
    evidence_due_by: instant.nullable(),
    opened_at: instant,
    updated_at: instant,
    recorded_at: instant,
  })
  .meta({ id: 'Dispute', description: 'As `GET /v1/finance/disputes/{id}` shows it.' });
const disputed = mayBeInHistory.extend({ dispute }).meta({ id: 'DisputeStep' });

const failed = z.object({ refund }).meta({ id: 'RefundFailed' });
const ofLink = z.object({ ...inHistory, payment_link: paymentLink }).meta({ id: 'LinkStep' });

const mandate = z
  .object({
    id: publicIdOf('mand'),
    customer_id: publicIdOf('cus'),
    gateway: z.string(),
    currency,
    status: z.enum(MANDATE_STATUSES),
    url: z.string().nullable(),
    scheme: z.string().nullable(),
    reference: z.string().nullable(),
    account_ending: z.string().nullable(),
    provider_mandate_id: z.string().nullable(),
    collects_automatically: z.boolean(),
    failure: z.string().nullable(),
    version: z.int(),
    created_at: instant,
    activated_at: instant.nullable(),
    ended_at: instant.nullable(),
  })
  .meta({ id: 'Mandate', description: 'As `GET /v1/finance/mandates/{id}` shows it.' });
const ofMandate = z.object({ mandate }).meta({ id: 'MandateStep' });

/** The events about payments, refunds and payment links. */
export const PAYMENT_EVENTS = {
  'payment.recorded': { when: 'Money came in.', data: recorded },
  'payment.moved': { when: 'A part of a payment went to another place.', data: moved },
  'payment.reversed': {
    when: 'A payment was taken out of the books: it was wrong, or a provider took it back.',
    data: reversed,
  },
  'payment.refunded': { when: 'Money went back to the payer.', data: refunded },
  'payment.unmatched': {
    when: 'A provider took money, and no document could take it.',
    data: unmatched,
  },
  'refund.failed': { when: 'A provider refused a refund.', data: failed },
  'refund.returned': {
    when: 'The money of a refund that succeeded is back at the provider.',
    data: refundUndone,
  },
  'refund.reversed': {
    when: 'A refund that was recorded wrongly was taken out of the books.',
    data: refundUndone,
  },
  'refund.undecided': {
    when: 'Money went back, and its credit note was refused: a person says what it means.',
    data: ofRefund,
  },
  'refund.meaning_decided': {
    when: 'Somebody said later what a refund means for a document.',
    data: ofRefund,
  },
  'dispute.opened': { when: 'A payer disputes a payment at its provider.', data: disputed },
  'dispute.updated': { when: 'A dispute has another deadline, reason or amount.', data: disputed },
  'dispute.won': { when: 'A dispute was decided for you: its money stays.', data: disputed },
  'dispute.lost': {
    when: 'A dispute was decided for the payer: its money is gone.',
    data: disputed,
  },
  'payment_link.created': { when: 'A payment link was opened.', data: ofLink },
  'payment_link.processing': { when: 'A provider has money on its way.', data: ofLink },
  'payment_link.paid': { when: 'A payment link was paid.', data: ofLink },
  'payment_link.failed': { when: 'The money did not come, or was taken back.', data: ofLink },
  'payment_link.unmatched': {
    when: 'Money came by a payment link, and its document could not take it.',
    data: ofLink,
  },
  'payment_link.canceled': { when: 'A payment link was canceled.', data: ofLink },
  'mandate.created': { when: 'A customer was asked for a mandate.', data: ofMandate },
  'mandate.activated': { when: 'Invoices can be collected by a mandate.', data: ofMandate },
  'mandate.suspended': { when: 'A mandate cannot be used for a while.', data: ofMandate },
  'mandate.ended': { when: 'A mandate failed, was canceled, or expired.', data: ofMandate },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof PAYMENT_EVENTS> {}
}
