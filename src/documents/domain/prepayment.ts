import type { PaymentMethod } from '../../kernel/payment-method.js';

/** Money that came in for a document, in its currency, as somebody tells of it. */
export interface Prepayment {
  amountMinor: bigint;
  method: PaymentMethod;
  reference: string | null;
  note: string | null;
  metadata: Record<string, string>;
  /** Now when null. */
  paidAt: Date | null;
}

/** Of one invoice. */
export const MOST_PREPAYMENTS = 20;
