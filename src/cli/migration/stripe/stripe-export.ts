import { countOthers } from '../counted-files.js';
import { eachOfTable } from '../csv-rows.js';
import type { ExportFile, ExportFolder } from '../export-folder.js';
import type { ExportSystem, ReadingOptions } from '../export-system.js';
import { jsonElements, rowOfElement } from '../json-elements.js';
import type { ExportPlace, MigrationPlan, RowSubject, TakeRow } from '../migration-plan.js';
import { takeStripeCustomer } from './stripe-customers.js';
import { noteStripeRates, takeStripeInvoice, type StripeRates } from './stripe-invoices.js';
import { readStripePrice, type StripePrices, takeItem, takeStripeProduct } from './stripe-items.js';
import { readPriceOfTable, takeCustomerOfTable, takeInvoiceOfTable } from './stripe-tables.js';

/** Lists of the API as JSON, or the tables of the dashboard. */
export const STRIPE: ExportSystem = {
  name: 'stripe',
  title: 'Stripe',
  async read(folder, plan, options) {
    const customers = folder.need('customers.json', 'customers.csv', 'unified_customers.csv');
    await (isJson(customers)
      ? eachOfList(customers, 'customer', plan, (row, place) =>
          takeStripeCustomer(row, place, plan),
        )
      : eachOfTable(customers, 'customer', plan, (row, place) =>
          takeCustomerOfTable(row, place, plan),
        ));
    await readItems(folder, plan);
    await readInvoices(folder, plan, options);
    await countOthers(folder, plan);
  },
};

const isJson = ({ name }: ExportFile) => name.endsWith('.json');

async function readItems(folder: ExportFolder, plan: MigrationPlan): Promise<void> {
  const prices: StripePrices = new Map();
  const priced = folder.find('prices.json', 'prices.csv');
  const products = folder.find('products.json');
  if (priced && isJson(priced)) {
    await eachOfList(priced, 'item', plan, (row) => readStripePrice(row, prices, plan));
  } else if (priced) await readPriceTable(priced, prices, plan);
  if (products) {
    await eachOfList(products, 'item', plan, (row, place) =>
      takeStripeProduct(row, place, prices, plan),
    );
  }
}

/** Its products are told by their prices alone. */
async function readPriceTable(
  file: ExportFile,
  prices: StripePrices,
  plan: MigrationPlan,
): Promise<void> {
  const found = new Map<string, { name: string; place: ExportPlace }>();
  await eachOfTable(file, 'item', plan, (row, place) => {
    const { id, name } = readPriceOfTable(row, prices, plan);
    if (!found.has(id)) found.set(id, { name, place });
  });
  for (const [id, { name, place }] of found) {
    takeItem(plan, { id, place, body: { name }, prices: prices.get(id) ?? [] });
  }
}

async function readInvoices(
  folder: ExportFolder,
  plan: MigrationPlan,
  options: ReadingOptions,
): Promise<void> {
  const rates: StripeRates = new Map();
  const told = folder.find('tax_rates.json');
  if (told) await eachOfList(told, 'file', plan, (row) => noteStripeRates([row], rates));
  const invoices = folder.find('invoices.json', 'invoices.csv');
  if (!invoices) return;
  await (isJson(invoices)
    ? eachOfList(invoices, 'invoice', plan, (row, place) =>
        takeStripeInvoice(row, place, { plan, rates, options }),
      )
    : eachOfTable(invoices, 'invoice', plan, (row, place) =>
        takeInvoiceOfTable(row, place, plan, options),
      ));
}

/** The elements of `data`, of one page or of several; the last page says that there is no more. */
async function eachOfList(
  { name, path }: ExportFile,
  subject: RowSubject,
  plan: MigrationPlan,
  take: TakeRow,
): Promise<void> {
  let unfinished: number | null = null;
  for await (const { field, index, line, text } of jsonElements(path)) {
    if (index === null) {
      if (field === 'has_more') unfinished = text === 'true' ? line : null;
      continue;
    }
    if (field !== 'data' && field !== '') continue;
    const place = { file: name, line, at: `data[${index}]` };
    plan.read(subject, place, () => rowOfElement(text), take);
  }
  if (unfinished !== null) {
    const reason = 'has_more is true: the export is not whole; add its next page';
    plan.leaveOut('file', { file: name, line: unfinished }, name, reason);
  }
}
