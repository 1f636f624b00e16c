import type { Money } from '../../../kernel/money.js';
import { exemptionOf } from '../codes/code-lists.js';
import {
  type AdjustmentView,
  type DocumentAdjustmentView,
  type DocumentView,
  dueAtIssue,
} from '../document-view.js';
import type { Locale } from './formatting.js';
import { taxLabel, taxTexts } from '../calculation/tax-names.js';

export interface TotalRow {
  name: string;
  /** An addition to the name, such as the base of a tax. */
  detail: string | null;
  /** In somebody's own words. */
  reason: string | null;
  amount: string;
}

/** A row below the total. */
export type SettledRow = Pick<TotalRow, 'name' | 'amount'> & { isResult?: boolean };

/** The rows before the total, the total, and the tax in it if prices include tax. */
export interface PrintedTotals {
  parts: TotalRow[];
  total: TotalRow;
  included: { heading: string; rows: TotalRow[] } | null;
}

export function printedTotals(view: DocumentView, locale: Locale): PrintedTotals {
  const { texts } = locale;
  const adjustments = [
    ...view.discounts.map((discount) => discountRow(discount, locale)),
    ...view.charges.map((charge) => chargeRow(charge, view, locale)),
  ];
  const taxes = [row(texts.netTotal, view.netTotal, locale), ...taxRows(view, locale)];
  const rounding = view.rounding.isZero() ? [] : [row(texts.rounding, view.rounding, locale)];
  const total = row(texts.total, view.total, locale);
  if (view.pricesIncludeTax) {
    const included = { heading: texts.includedInTotal, rows: taxes };
    return { parts: [...adjustments, ...rounding], total, included };
  }
  const subtotal = adjustments.length > 0 ? [row(texts.subtotal, view.subtotal, locale)] : [];
  return { parts: [...subtotal, ...adjustments, ...taxes, ...rounding], total, included: null };
}

/** EN 16931 BT-113 and BT-115. */
export function prepaidRows(view: DocumentView, locale: Locale): SettledRow[] {
  const { texts } = locale;
  if (view.amountPrepaid.isZero()) return [];
  const due = dueAtIssue(view);
  const rest = due.isNegative()
    ? row(texts.addedToCredit, due.negated(), locale)
    : row(texts.amountDue, due, locale);
  return [row(texts.paid, view.amountPrepaid, locale), { ...rest, isResult: true }];
}

/** `Discount 10%`. */
export function adjustmentName(name: string, { percent }: AdjustmentView, locale: Locale): string {
  return percent === null ? name : `${name} ${locale.percent(percent)}`;
}

function row(name: string, amount: Money, locale: Locale): TotalRow {
  return { name, detail: null, reason: null, amount: locale.money(amount) };
}

function discountRow(discount: DocumentAdjustmentView, locale: Locale): TotalRow {
  const name = adjustmentName(locale.texts.discount, discount, locale);
  return { ...row(name, discount.amount.negated(), locale), reason: discount.reason };
}

function chargeRow(charge: DocumentAdjustmentView, view: DocumentView, locale: Locale): TotalRow {
  const name = adjustmentName(locale.texts.charge, charge, locale);
  return {
    ...row(name, charge.amount, locale),
    detail: charge.ownTax && taxLabel(charge.ownTax, view.seller, locale),
    reason: charge.reason,
  };
}

function taxRows(view: DocumentView, locale: Locale): TotalRow[] {
  const { texts } = locale;
  const rows = view.taxGroups.map((group) => {
    // The name of the tax says already what is said of every document of its category.
    const isUsual = group.exemptionReason === exemptionOf(group.category)?.reason;
    return {
      ...row(taxLabel(group, view.seller, locale), group.tax, locale),
      detail: texts.on(locale.money(group.base)),
      reason: isUsual ? null : group.exemptionReason,
    };
  });
  if (rows.length < 2) return rows;
  return [...rows, row(taxTexts(view.seller, texts).total, view.taxTotal, locale)];
}
