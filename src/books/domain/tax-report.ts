import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';

/** When tax is owed: once it is invoiced, or once it is paid. */
export const VAT_METHODS = ['accrual', 'cash'] as const;
export type VatMethod = (typeof VAT_METHODS)[number];

/** A decision of the account; it holds from its day on, over all that were made before. */
export interface VatDecision {
  method: VatMethod;
  from: IsoDate;
  decidedAt: Date;
}

/** The method of invoices that are issued on a day. @param decisions in the order of time */
export function vatMethodOn(day: IsoDate, decisions: readonly VatDecision[]): VatMethod {
  return decisions.findLast(({ from }) => from <= day)?.method ?? 'accrual';
}

/** Tax that is due for a period, of one kind and country; below zero if more was taken back. */
export interface TaxLine {
  method: VatMethod;
  currency: Currency;
  /** Of the buyer; null where the document does not say. */
  country: string | null;
  category: string;
  /** Percent. */
  rate: string;
  base: bigint;
  tax: bigint;
  /** The tax of losses that was claimed back: `tax` is less by it. */
  relief: bigint;
}

/** All lines of a currency, and the tax that is booked, and due only when it is paid. */
export interface TaxTotal {
  currency: Currency;
  base: bigint;
  tax: bigint;
  notDue: bigint;
}

export function taxTotals(
  lines: readonly TaxLine[],
  notDue: ReadonlyMap<Currency, bigint>,
): TaxTotal[] {
  const currencies = [...new Set([...lines.map(({ currency }) => currency), ...notDue.keys()])];
  return currencies.sort().map((currency) => {
    const own = lines.filter((line) => line.currency === currency);
    const sum = (of: 'base' | 'tax') => own.reduce((total, line) => total + line[of], 0n);
    return { currency, base: sum('base'), tax: sum('tax'), notDue: notDue.get(currency) ?? 0n };
  });
}
