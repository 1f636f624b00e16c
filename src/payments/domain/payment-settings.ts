import type { RefundMeaningName } from './refunds/refund-meaning.js';

/** The account's rules for payments. Version 1 is that it said nothing yet. */
export interface PaymentSettings {
  /**
   * The amount that may be missing for a document to count as paid, by currency, in minor units.
   */
  underpaymentTolerance: Record<string, number>;
  /** The meaning of refunds that do not say it; null: nobody said. */
  refundMeaning: RefundMeaningName | null;
  version: number;
}
