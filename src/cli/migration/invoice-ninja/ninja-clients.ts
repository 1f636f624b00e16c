import type { Currency } from '../../../kernel/currency.js';
import { type ExportRow, said, UnreadableRow } from '../export-rows.js';
import type { ExportPlace, MigrationPlan } from '../migration-plan.js';
import { ninjaCountry, ninjaCurrency } from './ninja-codes.js';

/** Ids by which records of a backup name each other. */
export const ninjaId = (row: ExportRow): string => row.need('hashed_id', 'id');

/** Parts of a backup need this of others. */
export interface NinjaKnown {
  ofCompany: Currency | null;
  /** Ids of currencies by client; null: the company's. */
  ofClients: Map<string, string | null>;
  /** Newer backups have contacts apart from their clients. */
  contacts: Map<string, ExportRow[]>;
}

const currencyIdOf = (client: ExportRow) => client.object('settings')?.text('currency_id') ?? null;

export function noteCurrency(client: ExportRow, { ofClients }: NinjaKnown): void {
  ofClients.set(ninjaId(client), currencyIdOf(client));
}

export function noteContact(contact: ExportRow, { contacts }: NinjaKnown): void {
  const client = contact.need('client_id');
  contacts.set(client, [...(contacts.get(client) ?? []), contact]);
}

export function currencyOfClient(client: string, { ofClients, ofCompany }: NinjaKnown): Currency {
  const own = ofClients.get(client) ?? null;
  if (own !== null) return ninjaCurrency(own);
  if (ofCompany !== null) return ofCompany;
  throw new UnreadableRow('neither its client nor the company has a currency');
}

export function takeNinjaClient(
  row: ExportRow,
  place: ExportPlace,
  plan: MigrationPlan,
  apart: NinjaKnown['contacts'],
): void {
  if (row.flag('is_deleted')) return plan.lose('deleted clients');
  const id = ninjaId(row);
  const currencyId = currencyIdOf(row);
  const own = row.list('contacts');
  const contacts = own.length > 0 ? own : (apart.get(id) ?? []);
  const contact = contacts.find((one) => one.flag('is_primary')) ?? contacts[0] ?? null;
  const person = ['first_name', 'last_name'].flatMap((name) => contact?.text(name) ?? []).join(' ');
  const email = contact?.text('email') ?? null;
  const name = row.text('name') ?? (person || email);
  if (!name) throw new UnreadableRow('it has neither name nor contact');
  const shipping = addressOf(row, 'shipping_');
  const body = said({
    name,
    contact_name: person === name ? null : person || null,
    email,
    phone: row.text('phone') ?? contact?.text('phone'),
    ...addressOf(row, ''),
    shipping_address: Object.keys(shipping).length > 0 ? shipping : null,
    tax_id: row.text('vat_number'),
    registration_id: row.text('id_number'),
    identifiers: [row.text('number')].flatMap((value) => (value === null ? [] : [{ value }])),
    currency: currencyId === null ? null : ninjaCurrency(currencyId),
  });
  plan.take(plan.customers, { externalId: plan.idOf(id), place, body });
  loseRest(row, contacts.length, plan);
}

function addressOf(row: ExportRow, prefix: string): Record<string, unknown> {
  return said({
    address: ['address1', 'address2'].flatMap((name) => row.text(prefix + name) ?? []),
    postal_code: row.text(`${prefix}postal_code`),
    city: row.text(`${prefix}city`),
    region: row.text(`${prefix}state`),
    country: ninjaCountry(row.text(`${prefix}country_id`)),
  });
}

function loseRest(row: ExportRow, contacts: number, plan: MigrationPlan): void {
  if (contacts > 1) plan.lose('further contacts of clients', undefined, 0n, contacts - 1);
  const tokens = row.list('gateway_tokens').length;
  if (tokens > 0) plan.lose('payment methods of clients', undefined, 0n, tokens);
  if (row.has('private_notes') || row.has('public_notes')) plan.lose('notes on clients');
  loseCommon(row, plan);
}

/** Of records of every kind. */
export function loseCommon(row: ExportRow, plan: MigrationPlan): void {
  const own = [1, 2, 3, 4].filter((at) => row.text(`custom_value${at}`) !== null).length;
  if (own > 0) plan.lose('custom fields', undefined, 0n, own);
  const files = row.list('documents').length;
  if (files > 0) plan.lose('attachments', undefined, 0n, files);
}
