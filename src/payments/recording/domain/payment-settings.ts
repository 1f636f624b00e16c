export type RefundMeaningName = (typeof REFUND_MEANINGS)[number];

/**
 * `lowers_document`: a credit note is made with the refund, so that nothing is due again.
 * `owed_again`: the document stands, and its client has to pay once more.
 */
export const REFUND_MEANINGS = ['lowers_document', 'owed_again'] as const;

/** The account's rules for payments. Version 1 is that it said nothing yet. */
export interface PaymentSettings {
  /**
   * The amount that may be missing for a document to count as paid, by currency, in minor units.
   */
  underpaymentTolerance: Record<string, number>;
  /** The meaning of refunds that do not say it; null: nobody said. */
  refundMeaning: RefundMeaningName | null;
  /** Days after which debits that failed are tried again, each counted from the failure before it. */
  debitRetryDays: number[];
  version: number;
}
