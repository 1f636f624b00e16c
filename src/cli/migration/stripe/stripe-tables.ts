import type { Currency } from '../../../kernel/currency.js';
import type { ReadingOptions } from '../export-system.js';
import {
  currencyIn,
  exportedDecimal,
  type ExportRow,
  priceIn,
  said,
  UnreadableRow,
} from '../export-rows.js';
import type { ExportPlace, GivenTax, MigrationPlan } from '../migration-plan.js';
import { nameOf, takeStripeCredit } from './stripe-customers.js';
import { addPrice, type StripePrices } from './stripe-items.js';

// The tables that the dashboard exports. They say less than the API: no lines, and one tax.

export function takeCustomerOfTable(row: ExportRow, place: ExportPlace, plan: MigrationPlan): void {
  const id = row.need('id');
  const currency = row.text('currency');
  const body = said({
    name: nameOf(row),
    email: row.text('email'),
    phone: row.text('phone'),
    address: ['address line1', 'address line2'].flatMap((name) => row.text(name) ?? []),
    postal_code: row.text('address postal code', 'address zip'),
    city: row.text('address city'),
    region: row.text('address state'),
    country: row.text('address country'),
    tax_id: row.text('business vat id'),
    currency: currency && currencyIn(currency),
  });
  plan.take(plan.customers, { externalId: plan.idOf(id), place, body });
  const balance = row.text('account balance');
  if (balance !== null && !exportedDecimal(balance).isZero()) {
    const own = currencyIn(currency ?? '');
    const amount = row.needMinor(own, 'account balance');
    if (amount > 0n) plan.lose('sums to add to the next invoice', own, amount);
    else takeStripeCredit(plan, { id, place, currency: own, amount: -amount });
  }
  if (row.has('card id') || row.has('default source')) plan.lose('payment methods of customers');
  if (row.has('plan')) plan.lose('subscriptions of customers');
  if (row.has('description')) plan.lose('notes on customers');
}

/** A row of prices has its product, too. @returns what the item of it says */
export function readPriceOfTable(
  row: ExportRow,
  prices: StripePrices,
  plan: MigrationPlan,
): { id: string; name: string } {
  const product = { id: row.need('product id'), name: row.need('product name') };
  const currency = row.currency('currency');
  const amount = row.text('amount');
  if (amount === null) plan.lose('prices in tiers');
  else {
    if (row.has('interval')) plan.lose('intervals of recurring prices');
    addPrice(prices, product.id, {
      id: row.need('price id'),
      currency,
      amount: priceIn(amount, currency).toString(),
      isInclusive: row.text('tax behavior') === 'inclusive',
    });
  }
  return product;
}

export function takeInvoiceOfTable(
  row: ExportRow,
  place: ExportPlace,
  plan: MigrationPlan,
  options: ReadingOptions,
): void {
  const currency = row.currency('currency');
  const total = row.needMinor(currency, 'total');
  const status = statusOf(row);
  if (status !== 'open') return plan.lose(`invoices, ${status}`, currency, total);
  const due = row.needMinor(currency, 'amount due');
  const open =
    row.minor(currency, 'amount remaining') ?? due - (row.minor(currency, 'amount paid') ?? 0n);
  if (open === 0n) return plan.lose('invoices, open with nothing due', currency, total);
  plan.exported.open.add(currency, open);
  const tax = taxOf(row, currency, options.untaxed);
  const issueDate = row.day('finalized at (utc)', 'date (utc)');
  if (issueDate === null) throw new UnreadableRow('date (utc) is missing');
  const number = row.need('number');
  const net = total - tax.tax_amount;
  const line = {
    description: row.text('description') ?? number,
    unit_amount_decimal: net.toString(),
    tax_rate: tax.tax_rate,
    tax_category: tax.tax_category,
  };
  plan.take(plan.invoices, {
    externalId: plan.idOf(row.need('id')),
    place,
    customer: plan.idOf(row.need('customer')),
    number,
    issueDate,
    currency,
    total,
    open,
    taxes: [tax],
    body: { due_date: row.day('due date (utc)') ?? issueDate, lines: [said(line)] },
  });
  plan.lose('lines of open invoices, told as one each');
  if (row.has('subscription')) plan.lose('subscriptions behind open invoices');
  const discount = row.minor(currency, 'total discount amount') ?? 0n;
  if (discount !== 0n)
    plan.lose('discounts of open invoices, told in their sum', currency, discount);
}

/** Older exports have no status. */
function statusOf(row: ExportRow): string {
  const status = row.text('status');
  if (status !== null) return status.toLowerCase();
  if (row.flag('paid')) return 'paid';
  return row.has('finalized at (utc)') && !row.flag('closed') ? 'open' : 'not open';
}

function taxOf(row: ExportRow, currency: Currency, untaxed: string): GivenTax {
  const amount = row.minor(currency, 'tax') ?? 0n;
  const percent = row.text('tax percent');
  if (amount === 0n && (percent === null || exportedDecimal(percent).isZero())) {
    return { tax_rate: '0', tax_category: untaxed, tax_amount: 0n };
  }
  if (percent === null) {
    throw new UnreadableRow('it has tax, and the table does not say the rate; use invoices.json');
  }
  return { tax_rate: exportedDecimal(percent).toString(), tax_amount: amount };
}
