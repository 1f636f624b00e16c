import type { Currency } from '../../kernel/currency.js';

/** Member states of the European Union, ISO 3166-1 alpha-2. */
export const EU_COUNTRIES: readonly string[] =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' ');

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
