import type { PaymentMethod } from '../../kernel/payment-method.js';

/** Money that came in for a document, in its currency, as somebody tells of it. */
export interface MoneyIn {
  amountMinor: bigint;
  method: PaymentMethod;
  reference: string | null;
  note: string | null;
  metadata: Record<string, string>;
  /** Now when null. */
  paidAt: Date | null;
}

/** The way of money above what is due: it is refused, or becomes the customer's credit. */
export const ON_OVERPAYMENT = ['reject', 'credit'] as const;
export type OnOverpayment = (typeof ON_OVERPAYMENT)[number];

/** Money that came before the issue. */
export interface Prepayment extends MoneyIn {
  onOverpayment: OnOverpayment;
}

/** Of one invoice. */
export const MOST_PREPAYMENTS = 20;
