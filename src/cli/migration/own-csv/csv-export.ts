import { countOthers } from '../counted-files.js';
import { csvRows, eachOfTable } from '../csv-rows.js';
import type { ExportFile } from '../export-folder.js';
import { currencyIn, type ExportRow, priceIn, said } from '../export-rows.js';
import type { ExportSystem, ReadingOptions } from '../export-system.js';
import type { ExportPlace, MigrationPlan } from '../migration-plan.js';
import { takeCsvInvoice } from './csv-invoices.js';

/** Four tables that anybody can make, with our own columns; only the first must be there. */
export const OWN_CSV: ExportSystem = {
  name: 'csv',
  title: 'CSV',
  async read(folder, plan, options) {
    const customers = folder.need('customers.csv');
    await eachOfTable(customers, 'customer', plan, (row, place) => takeCustomer(row, place, plan));
    const items = folder.find('items.csv');
    if (items)
      await eachOfTable(items, 'item', plan, (row, place) => takeItemRow(row, place, plan));
    const invoices = folder.find('invoices.csv');
    if (invoices) await readInvoices(invoices, plan, options);
    const credits = folder.find('credits.csv');
    if (credits) {
      await eachOfTable(credits, 'credit', plan, (row, place) => takeCredit(row, place, plan));
    }
    await countOthers(folder, plan);
  },
};

function takeCustomer(row: ExportRow, place: ExportPlace, plan: MigrationPlan): void {
  const currency = row.text('currency');
  const body = said({
    name: row.need('name'),
    email: row.text('email'),
    phone: row.text('phone'),
    address: ['address', 'address2'].flatMap((name) => row.text(name) ?? []),
    postal_code: row.text('postal_code'),
    city: row.text('city'),
    region: row.text('region'),
    country: row.text('country'),
    tax_id: row.text('tax_id'),
    language: row.text('language'),
    currency: currency && currencyIn(currency),
  });
  plan.take(plan.customers, { externalId: plan.idOf(row.need('id')), place, body });
}

function takeItemRow(row: ExportRow, place: ExportPlace, plan: MigrationPlan): void {
  const price = row.text('price');
  const currency = price === null ? null : row.currency('currency');
  const body = said({
    name: row.need('name'),
    description: row.text('description'),
    sku: row.text('sku'),
    unit: row.text('unit'),
    tax_rate: row.text('tax_rate'),
    tax_category: row.text('tax_category'),
    prices:
      price === null || currency === null
        ? null
        : [{ currency, unit_amount_decimal: priceIn(price, currency).toString() }],
  });
  plan.take(plan.items, { externalId: plan.idOf(row.need('id')), place, body });
}

function takeCredit(row: ExportRow, place: ExportPlace, plan: MigrationPlan): void {
  const currency = row.currency('currency');
  const amount = row.needMinor(currency, 'amount');
  plan.exported.credit.add(currency, amount);
  plan.take(plan.credits, {
    externalId: plan.idOf(`credit:${row.need('id')}`),
    customer: plan.idOf(row.need('customer_id')),
    place,
    currency,
    amount,
    body: said({ reference: row.text('reference') ?? row.need('id'), note: row.text('note') }),
  });
}

/** A row is a line; those of one invoice follow each other. */
async function readInvoices(
  { name, path }: ExportFile,
  plan: MigrationPlan,
  options: ReadingOptions,
): Promise<void> {
  let rows: ExportRow[] = [];
  let place: ExportPlace = { file: name, line: 0 };
  const finish = () => {
    const [first] = rows;
    if (!first) return;
    const lines = rows;
    plan.read(
      'invoice',
      place,
      () => first,
      () => takeCsvInvoice(first, lines, place, plan, options),
    );
    rows = [];
  };
  for await (const { line, row, problem } of csvRows(path)) {
    const number = row?.text('number') ?? null;
    if (!row || number === null) {
      const reason = problem ?? 'number is missing';
      plan.leaveOut('invoice', { file: name, line }, '', reason);
      continue;
    }
    if (number !== rows[0]?.text('number')) {
      finish();
      place = { file: name, line };
    }
    rows.push(row);
  }
  finish();
}
