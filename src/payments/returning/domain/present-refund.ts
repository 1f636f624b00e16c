import { publicId } from '../../../kernel/ids.js';
import { presentConversion } from '../../recording/domain/conversion.js';
import type { Refund } from './refund.js';
import { isUndecided } from './refunds/refund-meaning.js';

/** The public form of a refund: in events, and part of answers. Amounts in minor units. */
export function presentRefund(refund: Refund) {
  const { of } = refund;
  return {
    id: publicId('rfnd', refund.id),
    payment_id: of.type === 'payment' ? publicId('pay', of.paymentId) : null,
    receipt_id: of.type === 'receipt' ? publicId('rcpt', of.receiptId) : null,
    amount: refund.amount.toMinorNumber(),
    currency: refund.amount.currency,
    paid_out: presentConversion(refund.conversion, (worth) => refund.amount.minus(worth)),
    from_credit: refund.fromCredit.toMinorNumber(),
    documents: refund.parts.map(({ documentId, amount }) => ({
      id: publicId('doc', documentId),
      amount: amount.toMinorNumber(),
    })),
    lost: refund.lost.toMinorNumber(),
    made_by: refund.clientId === null ? ('gateway' as const) : ('client' as const),
    method: refund.method,
    gateway: refund.gateway,
    paid_from: refund.paidFrom,
    status: refund.undoing?.kind ?? refund.status,
    failure: refund.failure,
    provider_refund_id: refund.providerRefundId,
    reference: refund.reference,
    reason: refund.reason,
    requested_at: refund.requestedAt.toISOString(),
    settled_at: refund.settledAt?.toISOString() ?? null,
    undone_at: refund.undoing?.at.toISOString() ?? null,
    undone_reason: refund.undoing?.reason ?? null,
    meaning: refund.meaning?.name ?? null,
    meaning_said_by: refund.meaning?.saidBy ?? null,
    is_undecided: isUndecided(refund),
    credit_note_problem: refund.meaning?.problem ?? null,
  };
}

/** The same with the days on which the books have it, if those that are told were closed. */
export function presentBookedRefund(refund: Refund) {
  const { bookedOn, undoing } = refund;
  return {
    ...presentRefund(refund),
    credit_notes: refund.notes.map(({ documentId, creditNoteId, number, isVoid }) => ({
      id: publicId('doc', creditNoteId),
      number,
      document_id: publicId('doc', documentId),
      is_void: isVoid,
    })),
    booked_later: bookedOn !== null,
    booked_on: bookedOn,
    undone_booked_later: undoing !== null && undoing.bookedOn !== null,
    undone_booked_on: undoing?.bookedOn ?? null,
  };
}
