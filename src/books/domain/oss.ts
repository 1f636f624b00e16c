import type { Currency } from '../../kernel/currency.js';

/**
 * Sales with tax to buyers of another member state who gave no VAT number, by country and rate: the
 * figures of a return of the One Stop Shop. Losses whose tax is claimed back
 * are taken off. Below zero if more was taken back.
 */
export interface OssLine {
  country: string;
  currency: Currency;
  /** Percent. */
  rate: string;
  base: bigint;
  tax: bigint;
}
