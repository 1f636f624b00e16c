import { daysBetween, type IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import { type BankEntry, feeOfReturn, isReturn } from './bank-entry.js';
import { BankRefusal } from './refusals.js';

/** A payment that an entry names: by its document, or by the id from end to end. */
export interface NamedPayment {
  paymentId: Uuid;
  amount: Money;
  /** In the account's time zone. */
  paidOn: IsoDate;
  reference: string | null;
  /** A client recorded it, and no entry is it yet. */
  isByHand: boolean;
  /** An entry of a bank is it already. */
  hasEntry: boolean;
  isReversed: boolean;
  reasons: PaymentReason[];
}

export const PAYMENT_REASONS = ['document', 'end_to_end_id'] as const;
type PaymentReason = (typeof PAYMENT_REASONS)[number];

/** The result of confirming a payment for an entry. */
export const PAYMENT_RELATIONS = ['same', 'returned'] as const;
export type PaymentRelation = (typeof PAYMENT_RELATIONS)[number];

/** A person records a payment some days before or after the bank does. */
const NEAR_DAYS = 7;

/** Undefined where the entry can be nothing to this payment. */
export function relationTo(entry: BankEntry, payment: NamedPayment): PaymentRelation | undefined {
  if (payment.isReversed || payment.amount.currency !== entry.amount.currency) return undefined;
  if (isReturn(entry)) {
    const fee = feeOfReturn(entry, payment.amount);
    const isFee = !fee.isNegative() && fee.compare(payment.amount) <= 0;
    return isFee && payment.paidOn <= entry.bookedOn ? 'returned' : undefined;
  }
  if (entry.direction === 'debit' || entry.isReversal) return undefined;
  const isSame =
    payment.isByHand && !payment.hasEntry && payment.amount.compare(entry.amount) === 0;
  return isSame && daysBetween(payment.paidOn, entry.bookedOn) <= NEAR_DAYS ? 'same' : undefined;
}

export function assertRelated(entry: BankEntry, payment: NamedPayment): PaymentRelation {
  const relation = relationTo(entry, payment);
  if (relation) return relation;
  throw BankRefusal.bank_entry_payment_differs.of(
    isReturn(entry)
      ? 'The entry does not take back this payment: it is reversed, it came later, or its ' +
          'amount or currency differs by more than a fee.'
      : `The entry is not this payment: that has to be recorded by hand, without an entry yet, ` +
          `in the same amount and currency, at most ${NEAR_DAYS} days apart, and not reversed.`,
  );
}
