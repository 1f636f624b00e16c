import type { Locale } from '../printing/formatting.js';
import type { Party } from '../parties/party.js';
import type { Texts } from '../texts/texts.js';

/** European countries with a value added tax, and what EN 16931 calls Northern Ireland. */
const VAT_COUNTRIES = new Set(
  (
    'AL AT BA BE BG BY CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IM IS IT LI LT LU LV MC MD ME ' +
    'MK MT NL NO PL PT RO RS SE SI SK UA XI XK 1A'
  ).split(' '),
);

/** The taxes of the Canary Islands, and of Ceuta and Melilla, have names and no translation. */
const NAMED_TAXES = new Map([
  ['L', 'IGIC'],
  ['M', 'IPSI'],
]);

/** How tax is called on the documents of a seller. */
export function taxTexts({ country }: Pick<Party, 'country'>, { tax, vat }: Texts): Texts['tax'] {
  return VAT_COUNTRIES.has(country ?? '') ? vat : tax;
}

/** `VAT 19%`, or why there is none. */
export function taxLabel(
  { category, rate }: { category: string; rate: string },
  seller: Pick<Party, 'country'>,
  locale: Locale,
): string {
  const { untaxed } = locale.texts;
  if (Object.hasOwn(untaxed, category)) return untaxed[category as keyof typeof untaxed];
  const name = NAMED_TAXES.get(category) ?? taxTexts(seller, locale.texts).name;
  return `${name} ${locale.percent(rate)}`;
}

/** A VAT number begins with the letters of its country; other numbers are local ones. */
export function taxIdLabel(party: Pick<Party, 'country' | 'tax_id'>, texts: Texts): string {
  const isVatNumber = /^[A-Z]{2}/.test(party.tax_id ?? '');
  return isVatNumber ? taxTexts(party, texts).id : texts.tax.id;
}
