import type { Currency } from '../../../kernel/currency.js';
import type { ReadingOptions } from '../export-system.js';
import { exportedDecimal, type ExportRow, priceIn, said, UnreadableRow } from '../export-rows.js';
import type { ExportPlace, GivenTax, MigrationPlan } from '../migration-plan.js';

/** @param rows the lines of the invoice, of which the first says what is of the whole */
export function takeCsvInvoice(
  first: ExportRow,
  rows: readonly ExportRow[],
  place: ExportPlace,
  plan: MigrationPlan,
  options: ReadingOptions,
): void {
  const currency = first.currency('currency');
  const total = first.needMinor(currency, 'total');
  const open = first.minor(currency, 'open') ?? total;
  if (open === 0n) return plan.lose('invoices, paid', currency, total);
  plan.exported.open.add(currency, open);
  const number = first.need('number');
  const issueDate = first.day('issue_date');
  if (issueDate === null) throw new UnreadableRow('issue_date is missing');
  const isInclusive = first.flag('prices_include_tax');
  plan.take(plan.invoices, {
    externalId: plan.idOf(`invoice:${first.text('id') ?? number}`),
    place,
    customer: plan.idOf(first.need('customer_id')),
    number,
    issueDate,
    currency,
    total,
    open,
    taxes: isInclusive ? null : taxesOf(rows, currency, options.untaxed),
    body: said({
      due_date: first.day('due_date') ?? issueDate,
      lines: rows.map((row) => lineOf(row, currency, isInclusive, options.untaxed)),
      prices_include_tax: isInclusive || null,
      notes: first.text('notes'),
    }),
  });
}

function lineOf(row: ExportRow, currency: Currency, isInclusive: boolean, untaxed: string): object {
  const { tax_rate, tax_category } = taxOf(row, untaxed);
  const quantity = exportedDecimal(row.text('quantity') ?? '1');
  const price = priceIn(row.need('unit_price'), currency);
  if (price.isNegative()) throw new UnreadableRow('unit_price is below zero; let quantity be so');
  const given = isInclusive ? null : row.minor(currency, 'net_amount');
  const isGiven = given !== null && quantity.times(price).roundHalfUp() !== given;
  return said({
    sku: row.text('sku'),
    description: row.need('description'),
    quantity: quantity.toString(),
    unit: row.text('unit'),
    unit_amount_decimal: price.toString(),
    tax_rate,
    tax_category,
    issued_net_amount_decimal: isGiven ? given.toString() : null,
  });
}

function taxOf(row: ExportRow, untaxed: string): Pick<GivenTax, 'tax_rate' | 'tax_category'> {
  const tax_rate = exportedDecimal(row.text('tax_rate') ?? '0').toString();
  const category = row.text('tax_category') ?? (tax_rate === '0' ? untaxed : null);
  return { tax_rate, ...(category !== null && { tax_category: category }) };
}

/** Null where a line does not say its tax. */
function taxesOf(
  rows: readonly ExportRow[],
  currency: Currency,
  untaxed: string,
): GivenTax[] | null {
  const taxes = new Map<string, GivenTax>();
  for (const row of rows) {
    const amount = row.minor(currency, 'tax_amount');
    if (amount === null) return null;
    const tax = taxOf(row, untaxed);
    const key = `${tax.tax_rate} ${tax.tax_category ?? ''}`;
    taxes.set(key, { ...tax, tax_amount: (taxes.get(key)?.tax_amount ?? 0n) + amount });
  }
  return [...taxes.values()];
}
