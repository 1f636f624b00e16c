import { publicId } from '../../../kernel/ids.js';
import { isUnknownLine, type Payout, type PayoutLine } from './payout.js';

/** The public form of a payout. Amounts in minor units. */
export function presentPayout(payout: Payout) {
  return {
    id: publicId('pout', payout.id),
    status: payout.status,
    gateway: payout.gateway,
    provider_payout_id: payout.providerPayoutId,
    amount: payout.amount.toMinorNumber(),
    fee: payout.fee.toMinorNumber(),
    booked_fee: payout.bookedFee.toMinorNumber(),
    currency: payout.amount.currency,
    sent_on: payout.sentOn,
    arrives_on: payout.arrivesOn,
    descriptor: payout.descriptor,
    bank_entry_id: payout.bankEntryId && publicId('bentry', payout.bankEntryId),
    failed_on: payout.failedOn,
    undone_reason: payout.undoneReason,
    recorded_at: payout.recordedAt.toISOString(),
  };
}

export function presentPayoutLine(line: PayoutLine) {
  return {
    kind: line.kind,
    amount: line.amount.toMinorNumber(),
    fee: line.fee.toMinorNumber(),
    booked_fee: line.bookedFee.toMinorNumber(),
    provider_id: line.providerId,
    payment_id: line.paymentId && publicId('pay', line.paymentId),
    receipt_id: line.receiptId && publicId('rcpt', line.receiptId),
    refund_id: line.refundId && publicId('rfnd', line.refundId),
    is_unknown: isUnknownLine(line),
  };
}
