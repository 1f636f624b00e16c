/** What an account says of payments. Version 1 is that it said nothing yet. */
export interface PaymentSettings {
  /** What may be missing for a document to count as paid, by currency, in minor units. */
  underpaymentTolerance: Record<string, number>;
  version: number;
}
