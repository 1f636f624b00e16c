import type { IsoDate } from '../../kernel/clock.js';
import { type Currency, minorDigits } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import type { Money } from '../../kernel/money.js';
import type { TaxGroupView } from './document-view.js';
import type { DocumentKind } from './lifecycle.js';
import type { Party } from './party.js';

// Day before month by name, and dollars that say whose they are: US$, CA$.
const LOCALE = 'en-GB';

const TITLES: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  quote: 'Quote',
  credit_note: 'Credit note',
};

/** UNCL5305, the part that EN 16931 uses. */
const TAX_CATEGORIES: Record<string, string> = {
  AE: 'Reverse charge',
  E: 'Exempt from tax',
  G: 'Export, no tax',
  K: 'Intra-community supply, no tax',
  O: 'Not subject to tax',
  Z: 'Zero rated',
};

export function documentTitle(kind: DocumentKind): string {
  return TITLES[kind];
}

/** What the document's second date means to its reader. */
export function dueDateLabel(kind: DocumentKind): string {
  return kind === 'quote' ? 'Valid until' : 'Due date';
}

/** `€1,250.00`: exact, from the decimal string. */
export function formatMoney(money: Money): string {
  const digits = minorDigits(money.currency);
  return currencyText(money.toDecimalString(), money.currency, digits, digits);
}

/** A unit price with all its digits: `0.0125` minor units of EUR is `€0.000125`. */
export function formatUnitAmount(unitAmountDecimal: string, currency: Currency): string {
  const digits = minorDigits(currency);
  const minor = Decimal.parse(unitAmountDecimal);
  const major = Decimal.of(minor.units, minor.scale + digits);
  return currencyText(major.toString(), currency, digits, Math.max(digits, major.scale));
}

/** `1,250.5`: exact, without trailing zeros. */
export function formatQuantity(quantity: string): string {
  const value = Decimal.parse(quantity);
  const format = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: value.scale });
  return format.format(value.toString() as Intl.StringNumericLiteral);
}

export function formatPercent(rate: string): string {
  return `${Decimal.parse(rate).toString()}%`;
}

/** `Tax 19%`, or why there is none. */
export function taxLabel(group: Pick<TaxGroupView, 'category' | 'rate'>): string {
  return TAX_CATEGORIES[group.category] ?? `Tax ${formatPercent(group.rate)}`;
}

/** `20 November 2026`. */
export function formatDate(date: IsoDate): string {
  return dateFormat().format(new Date(`${date}T00:00:00Z`));
}

/** The date of an instant, in UTC. */
export function formatInstant(instant: Date): string {
  return dateFormat().format(instant);
}

function formatCountry(code: string): string {
  try {
    return new Intl.DisplayNames([LOCALE], { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** Everything below the name, one entry a line. */
export function partyLines(party: Party): string[] {
  return [
    ...party.address,
    ...(party.country ? [formatCountry(party.country)] : []),
    ...(party.email ? [party.email] : []),
    ...(party.tax_id ? [`Tax ID ${party.tax_id}`] : []),
  ];
}

function dateFormat(): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' });
}

function currencyText(value: string, currency: Currency, least: number, most: number): string {
  const format = new Intl.NumberFormat(LOCALE, {
    style: 'currency',
    currency,
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  });
  return format.format(value as Intl.StringNumericLiteral);
}
