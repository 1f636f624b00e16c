import { publicId } from '../../../kernel/ids.js';
import { amountReversed, type Holding, holdingStatus, refundable } from './holding.js';
import { presentPayment } from './present-payment.js';

/** A payment with what became of it. Amounts in minor units. */
export function presentHolding(holding: Holding) {
  return {
    ...presentPayment(holding.payment),
    booked_later: holding.bookedOn !== null,
    booked_on: holding.bookedOn,
    status: holdingStatus(holding),
    amount_refunded: holding.returned.minus(holding.takenBack).toMinorNumber(),
    amount_reversed: amountReversed(holding).toMinorNumber(),
    amount_disputed: holding.disputed.toMinorNumber(),
    amount_refundable: refundable(holding).toMinorNumber(),
    allocations: holding.allocations.map(({ documentId, amount, free }) => ({
      document_id: publicId('doc', documentId),
      amount: amount.toMinorNumber(),
      movable: free.toMinorNumber(),
    })),
  };
}
