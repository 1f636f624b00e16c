import type { Currency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { minorNumber } from '../../../kernel/money.js';
import type { ReadingOptions } from '../export-system.js';
import {
  exportedDecimal,
  type ExportRow,
  minorIn,
  priceIn,
  said,
  summedRate,
  UnreadableRow,
} from '../export-rows.js';
import type { ExportPlace, GivenTax, MigrationPlan } from '../migration-plan.js';
import { loseCommon, ninjaId } from './ninja-clients.js';

const STATUSES: Readonly<Record<string, string>> = {
  1: 'draft',
  2: 'sent',
  3: 'partial',
  4: 'paid',
  5: 'cancelled',
  6: 'reversed',
};
const OPEN_STATUSES = new Set(['sent', 'partial']);

/** The kind of goods says why a line has no tax. */
const CATEGORIES_BY_TAX_ID: Readonly<Record<string, string>> = { 5: 'E', 8: 'Z', 9: 'AE', 10: 'K' };

export function takeNinjaInvoice(
  row: ExportRow,
  place: ExportPlace,
  {
    plan,
    currencyOf,
    options,
  }: {
    plan: MigrationPlan;
    currencyOf: (client: string) => Currency;
    options: ReadingOptions;
  },
): void {
  if (row.flag('is_deleted')) return plan.lose('invoices, deleted');
  const client = row.need('client_id');
  const currency = currencyOf(client);
  const total = row.needMinor(currency, 'amount');
  const status = STATUSES[row.need('status_id')] ?? 'of an unknown status';
  if (!OPEN_STATUSES.has(status)) return plan.lose(`invoices, ${status}`, currency, total);
  const open = row.needMinor(currency, 'balance');
  if (open === 0n) return plan.lose('invoices, sent with nothing due', currency, total);
  plan.exported.open.add(currency, open);
  const isInclusive = row.flag('uses_inclusive_taxes');
  const shared = ninjaRates(row);
  if (isInclusive && shared.length > 1) throw severalIncluded();
  const lines = row.list('line_items').map((line) => {
    const reading = { currency, shared, isInclusive, untaxed: options.untaxed };
    return lineOf(line, reading, row.flag('is_amount_discount'));
  });
  const charges = chargesOf(row, currency, shared, options.untaxed);
  const issueDate = row.day('date');
  if (issueDate === null) throw new UnreadableRow('date is missing');
  const rates = [...lines, ...charges].map(({ rate }) => rate);
  plan.take(plan.invoices, {
    externalId: plan.idOf(ninjaId(row)),
    place,
    customer: plan.idOf(client),
    number: row.need('number'),
    issueDate,
    currency,
    total,
    open,
    taxes: isInclusive ? null : onlyTaxOf(row, currency, rates),
    body: said({
      due_date: row.day('due_date') ?? issueDate,
      lines: lines.map(({ line }) => line),
      discounts: discountsOf(row, currency, row.flag('is_amount_discount')),
      charges: charges.map(({ charge }) => charge),
      prices_include_tax: isInclusive || null,
      notes: row.text('public_notes'),
      purchase_order: row.text('po_number'),
    }),
  });
  loseRest(row, plan);
}

/** Names of taxes come and go; the rates count. */
export function ninjaRates(row: ExportRow): string[] {
  return [1, 2, 3].flatMap((at) => {
    const rate = row.text(`tax_rate${at}`);
    return rate === null || exportedDecimal(rate).isZero() ? [] : [rate];
  });
}

interface TaxReading {
  currency: Currency;
  /** Rates of the whole invoice. */
  shared: readonly string[];
  isInclusive: boolean;
  untaxed: string;
}

function lineOf(
  line: ExportRow,
  { currency, shared, isInclusive, untaxed }: TaxReading,
  isAmount: boolean,
): { line: object; rate: string } {
  const rates = [...ninjaRates(line), ...shared];
  if (isInclusive && rates.length > 1) throw severalIncluded();
  const rate = summedRate(rates);
  const quantity = exportedDecimal(line.need('quantity'));
  const cost = priceIn(line.need('cost'), currency);
  const isNegative = quantity.isNegative() !== cost.isNegative() && !cost.isZero();
  const discounts = discountsOf(line, currency, isAmount);
  const category = CATEGORIES_BY_TAX_ID[line.text('tax_id') ?? ''] ?? untaxed;
  const read = {
    sku: line.text('product_key'),
    description: line.need('notes', 'product_key'),
    quantity: `${isNegative ? '-' : ''}${withoutSign(quantity)}`,
    unit_amount_decimal: withoutSign(cost),
    discounts,
    tax_rate: rate,
    tax_category: rate === '0' ? category : null,
    issued_net_amount_decimal: isInclusive ? null : givenNet(line, currency, isAmount),
  };
  return { line: said(read), rate };
}

const withoutSign = (decimal: Decimal) => decimal.toString().replace('-', '');

/** The net amount of a line that quantity, price and discount do not come to. */
function givenNet(line: ExportRow, currency: Currency, isAmount: boolean): string | null {
  const given = line.minor(currency, 'line_total');
  if (given === null) return null;
  const product = exportedDecimal(line.need('quantity')).times(
    priceIn(line.need('cost'), currency),
  );
  const gross = product.roundHalfUp();
  const discount = exportedDecimal(line.text('discount') ?? '0');
  const off = isAmount
    ? minorIn(discount.toString(), currency)
    : Decimal.of(gross).times(discount.percent()).roundHalfUp();
  return gross - off === given ? null : given.toString();
}

function discountsOf(row: ExportRow, currency: Currency, isAmount: boolean): object[] {
  const discount = row.text('discount');
  if (discount === null || exportedDecimal(discount).isZero()) return [];
  if (isAmount) return [{ amount: minorNumber(minorIn(discount, currency)) }];
  return [{ percent: exportedDecimal(discount).toString() }];
}

/** Surcharges have the taxes of the invoice, or none. */
function chargesOf(
  row: ExportRow,
  currency: Currency,
  shared: readonly string[],
  untaxed: string,
): { charge: object; rate: string }[] {
  return [1, 2, 3, 4].flatMap((at) => {
    const amount = row.minor(currency, `custom_surcharge${at}`) ?? 0n;
    if (amount === 0n) return [];
    const rate = row.flag(`custom_surcharge_tax${at}`) ? summedRate(shared) : '0';
    const tax_category = rate === '0' ? untaxed : null;
    return [{ charge: said({ amount: minorNumber(amount), tax_rate: rate, tax_category }), rate }];
  });
}

/** A backup says the sum of all taxes alone, which is that of a group only where there is one. */
function onlyTaxOf(
  row: ExportRow,
  currency: Currency,
  rates: readonly string[],
): GivenTax[] | null {
  const [rate, ...others] = [...new Set(rates)].filter((one) => one !== '0');
  const tax = row.minor(currency, 'total_taxes');
  if (rate === undefined || others.length > 0 || tax === null) return null;
  return [{ tax_rate: rate, tax_amount: tax }];
}

const severalIncluded = () =>
  new UnreadableRow('its prices include several taxes, each taken out alone');

function loseRest(row: ExportRow, plan: MigrationPlan): void {
  if (row.has('private_notes')) plan.lose('private notes on invoices');
  if (row.has('terms') || row.has('footer')) plan.lose('terms and footers of invoices');
  const partial = row.text('partial');
  if (partial !== null && !exportedDecimal(partial).isZero()) plan.lose('deposits asked for');
  loseCommon(row, plan);
}
