/** The account's rules for payments. Version 1 is that it said nothing yet. */
export interface PaymentSettings {
  /**
   * The amount that may be missing for a document to count as paid, by currency, in minor units.
   */
  underpaymentTolerance: Record<string, number>;
  version: number;
}
