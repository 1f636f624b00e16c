import type { Currency } from '../../../kernel/currency.js';
import { Decimal, magnitudeOf } from '../../../kernel/decimal.js';
import { minorNumber } from '../../../kernel/money.js';
import type { ReadingOptions } from '../export-system.js';
import { dayOfSeconds, type ExportRow, said, summedRate, UnreadableRow } from '../export-rows.js';
import type { ExportPlace, GivenTax, MigrationPlan } from '../migration-plan.js';
import { needStripeMinor, stripeMinor } from './stripe-amounts.js';

/** Percentages by the ids of tax rates, from wherever the export says them. */
export type StripeRates = Map<string, string>;

export function noteStripeRates(rows: readonly ExportRow[], rates: StripeRates): void {
  for (const row of rows) {
    const [id, percentage] = [row.text('id'), row.text('effective_percentage', 'percentage')];
    if (id !== null && percentage !== null) rates.set(id, percentage);
  }
}

/** An invoice of the API. Only an open one is taken. */
export function takeStripeInvoice(
  row: ExportRow,
  place: ExportPlace,
  { plan, rates, options }: { plan: MigrationPlan; rates: StripeRates; options: ReadingOptions },
): void {
  const currency = row.currency('currency');
  const total = needStripeMinor(row, currency, 'total');
  const status = row.need('status');
  if (status !== 'open') return plan.lose(`invoices, ${status}`, currency, total);
  const open = needStripeMinor(row, currency, 'amount_remaining');
  if (open === 0n) return plan.lose('invoices, open with nothing due', currency, total);
  plan.exported.open.add(currency, open);
  noteStripeRates(row.list('default_tax_rates'), rates);
  const { lines, taxes, isInclusive } = linesOf(row, currency, rates, options);
  const issued =
    row.text('effective_at') ??
    row.object('status_transitions')?.text('finalized_at') ??
    row.need('created');
  const issueDate = dayOfSeconds(issued, options.timeZone);
  const due = row.text('due_date');
  const number = row.need('number');
  const customer = row.idOf('customer');
  if (customer === null) throw new UnreadableRow('customer is missing');
  plan.take(plan.invoices, {
    externalId: plan.idOf(row.need('id')),
    place,
    customer: plan.idOf(customer),
    number,
    issueDate,
    currency,
    total,
    open,
    taxes: isInclusive ? null : taxes,
    body: said({
      due_date: due === null ? issueDate : dayOfSeconds(due, options.timeZone),
      lines,
      prices_include_tax: isInclusive || null,
      notes: row.text('description'),
      metadata: row.metadata('metadata'),
    }),
  });
  loseRest(row, plan, currency);
}

interface ReadLines {
  lines: object[];
  taxes: GivenTax[];
  isInclusive: boolean;
}

function linesOf(
  row: ExportRow,
  currency: Currency,
  rates: StripeRates,
  { untaxed, timeZone }: ReadingOptions,
): ReadLines {
  const list = row.object('lines');
  if (list?.flag('has_more')) {
    throw new UnreadableRow('the export has only its first lines; ask for it with all of them');
  }
  const exemption = exemptionOf(row.text('customer_tax_exempt')) ?? untaxed;
  const reading = { currency, rates, exemption, timeZone };
  const read = (list?.list('data') ?? []).map((line) => lineOf(line, reading));
  const taxes = new Map<string, GivenTax>();
  for (const { tax } of read) {
    const key = `${tax.tax_rate} ${tax.tax_category ?? ''}`;
    const before = taxes.get(key)?.tax_amount ?? 0n;
    taxes.set(key, { ...tax, tax_amount: before + tax.tax_amount });
  }
  const inclusive = read.filter(({ isInclusive }) => isInclusive).length;
  if (inclusive > 0 && read.some((one) => isTaxed(one) && !one.isInclusive)) {
    throw new UnreadableRow('some of its prices include tax, and others do not');
  }
  const lines = read.map(({ line }) => line);
  return { lines, taxes: [...taxes.values()], isInclusive: inclusive > 0 };
}

interface ReadLine {
  line: object;
  tax: GivenTax;
  isInclusive: boolean;
}

interface LineReading {
  currency: Currency;
  rates: StripeRates;
  exemption: string;
  timeZone: string;
}

function lineOf(line: ExportRow, { currency, rates, exemption, timeZone }: LineReading): ReadLine {
  noteStripeRates(line.list('tax_rates'), rates);
  const amount = needStripeMinor(line, currency, 'amount');
  const discounts = line
    .list('discount_amounts')
    .map((one) => needStripeMinor(one, currency, 'amount'))
    .filter((one) => one !== 0n);
  const taxes = [...line.list('tax_amounts'), ...line.list('taxes')];
  const percentages = taxes.map((tax) => percentageOf(tax, rates));
  const tax: GivenTax = {
    tax_rate: summedRate(percentages),
    tax_amount: taxes.reduce((sum, one) => sum + (stripeMinor(one, currency, 'amount') ?? 0n), 0n),
  };
  const isReverse = taxes.some((one) => one.text('taxability_reason') === 'reverse_charge');
  if (tax.tax_rate === '0') tax.tax_category = isReverse ? 'AE' : exemption;
  const period = line.object('period');
  const read = {
    description: line.text('description') ?? line.need('id'),
    ...quantityOf(line.text('quantity'), amount),
    discounts: discounts.map((one) => ({ amount: minorNumber(magnitudeOf(one)) })),
    tax_rate: tax.tax_rate,
    tax_category: tax.tax_category,
    service_period: period && periodOf(period, timeZone),
  };
  return { line: said(read), tax, isInclusive: taxes.some(isInclusiveTax) };
}

const isTaxed = ({ tax }: ReadLine) => tax.tax_rate !== '0';

const isInclusiveTax = (tax: ExportRow) =>
  tax.flag('inclusive') || tax.text('tax_behavior') === 'inclusive';

function percentageOf(tax: ExportRow, rates: StripeRates): string {
  const details = tax.object('tax_rate_details');
  noteStripeRates(
    [tax.object('tax_rate'), details?.object('tax_rate')].flatMap((one) => one ?? []),
    rates,
  );
  const id = tax.idOf('tax_rate') ?? details?.idOf('tax_rate') ?? null;
  const percentage = id === null ? undefined : rates.get(id);
  if (percentage !== undefined) return percentage;
  throw new UnreadableRow(`the tax rate ${id ?? ''} is not in the export; add tax_rates.json`);
}

/** The price of one is what the quantity comes to exactly; else the line is one of its amount. */
function quantityOf(said: string | null, amount: bigint): object {
  const quantity = said !== null && /^[1-9]\d{0,8}$/.test(said) ? BigInt(said) : 1n;
  const fine = magnitudeOf(amount) * 10n ** 12n;
  const sign = amount < 0n ? '-' : '';
  if (fine % quantity !== 0n) {
    return { quantity: `${sign}1`, unit_amount_decimal: magnitudeOf(amount).toString() };
  }
  return {
    quantity: `${sign}${quantity}`,
    unit_amount_decimal: Decimal.of(fine / quantity, 12).toString(),
  };
}

/** One-off lines have a period of no time. */
function periodOf(period: ExportRow, timeZone: string): object | null {
  const [start, end] = [period.text('start'), period.text('end')];
  if (start === null || end === null || start === end) return null;
  return { start: dayOfSeconds(start, timeZone), end: dayOfSeconds(end, timeZone) };
}

function exemptionOf(said: string | null): string | null {
  return said === 'reverse' ? 'AE' : said === 'exempt' ? 'E' : null;
}

function loseRest(row: ExportRow, plan: MigrationPlan, currency: Currency): void {
  const credited = stripeMinor(row, currency, 'pre_payment_credit_notes_amount') ?? 0n;
  if (credited !== 0n)
    plan.lose('credit notes on open invoices, told as settled', currency, credited);
  if (row.has('subscription') || row.object('parent')?.has('subscription_details')) {
    plan.lose('subscriptions behind open invoices');
  }
  if (row.has('footer')) plan.lose('footers of invoices');
  if (row.list('custom_fields').length > 0) plan.lose('custom fields of invoices');
  if (row.has('default_payment_method')) plan.lose('payment methods of invoices');
}
