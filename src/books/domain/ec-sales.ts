import type { Currency } from '../../kernel/currency.js';

/** Goods, or services for which the buyer owes the tax: UNCL 5305. */
export const EC_SALE_CATEGORIES = ['K', 'AE'] as const;

/**
 * Sales without tax to a business of another member state, by its VAT number: the figures of a recapitulative statement.
 * Losses whose tax is claimed back are taken off. Below zero if more was taken back.
 */
export interface EcSalesLine {
  /** The member state of the buyer. */
  country: string;
  /** Null where the document does not say it: the statement needs it. */
  taxId: string | null;
  category: (typeof EC_SALE_CATEGORIES)[number];
  currency: Currency;
  base: bigint;
}
