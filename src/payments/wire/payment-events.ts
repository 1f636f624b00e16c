import { z } from 'zod';
import { inHistory } from '../../documents/index.js';
import type { DataOf } from '../../events/index.js';
import { minorUnits, publicIdOf } from '../../platform/http/validation/answer-fields.js';
import { allBut, some } from '../../platform/http/validation/shapes.js';
import { GIVEN_UP_REASONS } from '../collecting/domain/mandates/debit-retry.js';
import { MandateBody } from '../collecting/wire/mandate.js';
import { PaymentLinkBody } from '../collecting/wire/payment-link.js';
import { PaymentBody } from '../recording/wire/payment.js';
import { UnmatchedReceiptBody } from '../recording/wire/unmatched-receipt.js';
import { DisputeBody } from '../returning/wire/dispute.js';
import { RefundBody } from '../returning/wire/refund.js';

/** When the books have a thing: events do not say it, as the day may follow later. */
const BOOKED = ['booked_later', 'booked_on'] as const;
const UNDONE_BOOKED = ['undone_booked_later', 'undone_booked_on'] as const;

const paymentId = publicIdOf('pay');
const documentId = publicIdOf('doc');
const part = z.object({ id: documentId, amount: minorUnits });

const payment = z
  .object(PaymentBody.shape)
  .meta({ id: 'Payment', description: 'As `GET /v1/finance/payments/{id}` began.' });

const refund = z
  .object(allBut(RefundBody.shape, ['credit_notes', ...BOOKED, ...UNDONE_BOOKED]))
  .meta({ id: 'Refund', description: 'As `GET /v1/finance/refunds/{id}` shows it.' });

const paymentLink = z
  .object(PaymentLinkBody.shape)
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
    receipt_id: UnmatchedReceiptBody.shape.id,
    ...some(UnmatchedReceiptBody.shape, [
      'reason',
      'gateway',
      'provider_payment_id',
      'amount',
      'currency',
      'fee',
    ]),
  })
  .meta({ id: 'PaymentUnmatched' });

const dispute = z
  .object(allBut(DisputeBody.shape, BOOKED))
  .meta({ id: 'Dispute', description: 'As `GET /v1/finance/disputes/{id}` shows it.' });
const disputed = mayBeInHistory.extend({ dispute }).meta({ id: 'DisputeStep' });

const failed = z.object({ refund }).meta({ id: 'RefundFailed' });
const ofLink = z.object({ ...inHistory, payment_link: paymentLink }).meta({ id: 'LinkStep' });

const givenUp = z
  .object({
    ...inHistory,
    payment_link: paymentLink.describe('The debit that failed last.'),
    reason: z
      .enum(GIVEN_UP_REASONS)
      .describe(
        '`never_works`: the bank or the provider says so. `paid_by_client`: the document says `send_invoice`.',
      ),
    retries: z.number().describe('How often it was tried again, or planned to be.'),
  })
  .meta({ id: 'CollectionGivenUp' });

const mandate = z
  .object(MandateBody.shape)
  .meta({ id: 'Mandate', description: 'As `GET /v1/finance/mandates/{id}` shows it.' });
const ofMandate = z.object({ mandate }).meta({ id: 'MandateStep' });

const AMOUNT = { amount: 11900 };
const PAID_OUT = { ...AMOUNT, status: 'succeeded', settled_at: '2026-11-27T09:30:00.000Z' };
const UNDONE = { undone_at: '2026-11-27T09:30:00.000Z', undone_reason: 'account closed' };
const CREDIT_NOTE_REFUSED = { is_undecided: true, credit_note_problem: 'period_closed' };
const DECIDED = { meaning: 'owed_again', meaning_said_by: 'later' };

const ofPayment: object = { payment: { ...AMOUNT, applied: 11900, credited: 0 } };
const refundAs = (refund: object): object => ({
  refund: {
    payment_id: 'pay_01h455vb4pex5vsknk084sn02q',
    from_credit: 11900,
    documents: [],
    lost: 0,
    method: 'bank_transfer',
    ...AMOUNT,
    ...refund,
  },
});
const disputeAs = (status: string, held: number, lost = 0): object => ({
  dispute: {
    ...AMOUNT,
    status,
    payment_id: 'pay_01h455vb4pex5vsknk084sn02q',
    gateway: 'gateway-a',
    provider_dispute_id: 'dp_1',
    provider_payment_id: 'pi_1',
    amount_held: held,
    amount_reversed: lost,
    amount_lost: 0,
    fee: 1500,
    reason: 'product_not_received',
  },
});
const linkAs = (status: string, more: object = {}): object => ({
  previous_status: 'open',
  payment_link: { ...AMOUNT, status, ...more },
});
const mandateAs = (status: string): object => ({ mandate: { status } });

/** The events about payments, refunds and payment links. */
export const PAYMENT_EVENTS = {
  'payment.recorded': { when: 'Money came in.', data: recorded, example: ofPayment },
  'payment.moved': {
    when: 'A part of a payment went to another place.',
    data: moved,
    example: { ...AMOUNT, to: 'credit', from: 'doc_01h455vb4pex5vsknk084sn02q' },
  },
  'payment.reversed': {
    when: 'A payment was taken out of the books: it was wrong, or a provider took it back.',
    data: reversed,
    example: { reason: 'recorded twice' },
  },
  'payment.refunded': {
    when: 'Money went back to the payer.',
    data: refunded,
    example: refundAs(PAID_OUT),
  },
  'payment.unmatched': {
    when: 'A provider took money, and no document could take it.',
    data: unmatched,
    example: { ...AMOUNT, gateway: 'gateway-a', provider_payment_id: 'pi_1' },
  },
  'refund.failed': {
    when: 'A provider refused a refund.',
    data: failed,
    example: refundAs({ status: 'failed', failure: 'expired_card' }),
  },
  'refund.returned': {
    when: 'The money of a refund that succeeded is back at the provider.',
    data: refundUndone,
    example: refundAs({ ...PAID_OUT, ...UNDONE, status: 'returned' }),
  },
  'refund.reversed': {
    when: 'A refund that was recorded wrongly was taken out of the books.',
    data: refundUndone,
    example: refundAs({ ...PAID_OUT, ...UNDONE, status: 'reversed' }),
  },
  'refund.undecided': {
    when: 'Money went back, and its credit note was refused: a person says what it means.',
    data: ofRefund,
    example: { ...AMOUNT, ...refundAs({ ...PAID_OUT, ...CREDIT_NOTE_REFUSED }) },
  },
  'refund.meaning_decided': {
    when: 'Somebody said later what a refund means for a document.',
    data: ofRefund,
    example: { ...AMOUNT, ...refundAs({ ...PAID_OUT, ...DECIDED }) },
  },
  'dispute.opened': {
    when: 'A payer disputes a payment at its provider.',
    data: disputed,
    example: disputeAs('open', 11900),
  },
  'dispute.updated': {
    when: 'A dispute has another deadline, reason or amount.',
    data: disputed,
    example: disputeAs('open', 11900),
  },
  'dispute.won': {
    when: 'A dispute was decided for you: its money stays.',
    data: disputed,
    example: disputeAs('won', 0),
  },
  'dispute.lost': {
    when: 'A dispute was decided for the payer: its money is gone.',
    data: disputed,
    example: disputeAs('lost', 0, 11900),
  },
  'payment_link.created': {
    when: 'A payment link was opened.',
    data: ofLink,
    example: linkAs('open'),
  },
  'payment_link.processing': {
    when: 'A provider has money on its way.',
    data: ofLink,
    example: linkAs('processing'),
  },
  'payment_link.paid': { when: 'A payment link was paid.', data: ofLink, example: linkAs('paid') },
  'payment_link.failed': {
    when: 'The money did not come, or was taken back.',
    data: ofLink,
    example: linkAs('failed', { failure: 'insufficient_funds' }),
  },
  'payment_link.unmatched': {
    when: 'Money came by a payment link, and its document could not take it.',
    data: ofLink,
    example: linkAs('unmatched'),
  },
  'payment_link.canceled': {
    when: 'A payment link was canceled.',
    data: ofLink,
    example: linkAs('canceled'),
  },
  'collection.given_up': {
    when: 'A debit failed, and is not tried again by itself any more: the document is for dunning, or for a person.',
    data: givenUp,
    example: {
      ...linkAs('failed', { failure: 'insufficient_funds' }),
      reason: 'plan_used_up',
      retries: 2,
    },
  },
  'mandate.created': {
    when: 'A customer was asked for a mandate.',
    data: ofMandate,
    example: mandateAs('pending'),
  },
  'mandate.activated': {
    when: 'Invoices can be collected by a mandate.',
    data: ofMandate,
    example: mandateAs('active'),
  },
  'mandate.suspended': {
    when: 'A mandate cannot be used for a while.',
    data: ofMandate,
    example: mandateAs('suspended'),
  },
  'mandate.ended': {
    when: 'A mandate failed, was canceled, or expired.',
    data: ofMandate,
    example: mandateAs('canceled'),
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof PAYMENT_EVENTS> {}
}
