import type { Currency } from '../../../kernel/currency.js';
import { countOthers } from '../counted-files.js';
import type { ExportFile } from '../export-folder.js';
import { type ExportRow, priceIn, said, summedRate, UnreadableRow } from '../export-rows.js';
import type { ExportSystem } from '../export-system.js';
import { jsonElements, rowOfElement } from '../json-elements.js';
import type { ExportPlace, MigrationPlan, RowSubject, TakeRow } from '../migration-plan.js';
import {
  currencyOfClient,
  loseCommon,
  type NinjaKnown,
  ninjaId,
  noteContact,
  noteCurrency,
  takeNinjaClient,
} from './ninja-clients.js';
import { ninjaCurrency } from './ninja-codes.js';
import { takeNinjaCredit, takeNinjaPayment } from './ninja-credits.js';
import { ninjaRates, takeNinjaInvoice } from './ninja-invoices.js';

/** They are no business of an invoicing service, or of nobody but their own system. */
const NOT_TOLD = new Set([
  'activities',
  'backups',
  'client_contacts',
  'company_ledger',
  'company_tokens',
  'company_users',
  'credit_invitations',
  'invoice_invitations',
  'purchase_order_invitations',
  'quote_invitations',
  'recurring_invoice_invitations',
  'system_logs',
  'vendor_contacts',
]);

/** The backup of a company, as its settings export it. */
export const INVOICE_NINJA: ExportSystem = {
  name: 'invoice-ninja',
  title: 'Invoice Ninja',
  async read(folder, plan, options) {
    if (
      folder.names.some((name) => name.endsWith('.zip')) &&
      !folder.names.includes('backup.json')
    ) {
      throw new Error('Unpack the backup, and name the folder in which its backup.json is.');
    }
    const file = folder.need('backup.json', ...folder.names.filter((one) => one.endsWith('.json')));
    const known = await knownOf(file);
    const currencyOf = (client: string) => currencyOfClient(client, known);
    const reading = { plan, currencyOf, options };
    const takes: Record<string, [RowSubject, TakeRow]> = {
      clients: ['customer', (row, place) => takeNinjaClient(row, place, plan, known.contacts)],
      products: ['item', (row, place) => takeNinjaProduct(row, place, plan, known.ofCompany)],
      invoices: ['invoice', (row, place) => takeNinjaInvoice(row, place, reading)],
      credits: ['credit', (row, place) => takeNinjaCredit(row, place, reading)],
      payments: ['credit', (row, place) => takeNinjaPayment(row, place, reading)],
    };
    for await (const { field, index, line, text } of jsonElements(file.path)) {
      if (index === null || NOT_TOLD.has(field)) continue;
      const [subject, take] = takes[field] ?? [];
      const place = { file: file.name, line, at: `${field}[${index}]` };
      if (subject && take) plan.read(subject, place, () => rowOfElement(text), take);
      else plan.lose(field.replaceAll('_', ' '));
    }
    await countOthers(folder, plan);
  },
};

/** A first reading: parts of a backup name what stands behind them. */
async function knownOf({ path }: ExportFile): Promise<NinjaKnown> {
  const known: NinjaKnown = { ofCompany: null, ofClients: new Map(), contacts: new Map() };
  for await (const { field, index, text } of jsonElements(path)) {
    try {
      if (field === 'company' && index === null) {
        const id = rowOfElement(text).object('settings')?.text('currency_id') ?? null;
        known.ofCompany = id === null ? null : ninjaCurrency(id);
      } else if (field === 'clients' && index !== null) noteCurrency(rowOfElement(text), known);
      else if (field === 'client_contacts' && index !== null) {
        noteContact(rowOfElement(text), known);
      }
    } catch (error) {
      // The second reading tells it, with its place.
      if (!(error instanceof UnreadableRow)) throw error;
    }
  }
  return known;
}

function takeNinjaProduct(
  row: ExportRow,
  place: ExportPlace,
  plan: MigrationPlan,
  currency: Currency | null,
): void {
  if (row.flag('is_deleted')) return plan.lose('deleted products');
  const price = row.text('price');
  const rate = summedRate(ninjaRates(row));
  const body = said({
    name: row.need('product_key', 'notes'),
    description: row.text('notes'),
    sku: row.text('product_key'),
    prices:
      price === null || currency === null
        ? null
        : [{ currency, unit_amount_decimal: priceIn(price, currency).toString() }],
    tax_rate: rate === '0' ? null : rate,
  });
  plan.take(plan.items, { externalId: plan.idOf(ninjaId(row)), place, body });
  loseCommon(row, plan);
}
