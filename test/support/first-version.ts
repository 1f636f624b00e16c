import { createHash } from 'node:crypto';
import { publicId, UuidV7Generator } from '../../src/kernel/ids.js';
import type { TestDatabase } from './database.js';

// An account with a bit of everything, as the first version wrote it into its three migrations.

const ids = new UuidV7Generator();
export const account = ids.next();
export const customer = ids.next();
export const apiClient = ids.next();
export const SECRET = 's'.repeat(43);
const sha256 = (text: string) => createHash('sha256').update(text).digest();

export interface OldDocument {
  number: string | null;
  lifecycle?: string;
  kind?: string;
  currency?: string;
  net?: number;
  paid?: number;
  /** Events after created and issued. */
  events?: string[];
  accepted?: boolean;
}

export const all = {
  draft: { number: null },
  open: { number: 'INV-00001' },
  partly: {
    number: 'INV-00002',
    paid: 2500,
    events: ['payment.recorded', 'document.partially_paid'],
  },
  paid: {
    number: 'INV-00003',
    paid: 11_900,
    events: ['payment.recorded', 'document.paid', 'document.overpaid', 'payment_link.paid'],
  },
  spent: {
    number: 'INV-00004',
    paid: 200,
    events: ['payment.recorded', 'document.partially_paid'],
  },
  voided: { number: 'INV-00005', lifecycle: 'void', events: ['document.voided'] },
  rejected: { number: 'INV-00006', lifecycle: 'rejected', events: ['document.rejected'] },
  free: { number: 'INV-00007', net: 0 },
  dollars: {
    number: 'INV-00008',
    currency: 'USD',
    paid: 11_900,
    events: ['payment.recorded', 'document.paid', 'document.overpaid'],
  },
  quote: { number: 'QUO-00001', kind: 'quote' },
  accepted: {
    number: 'QUO-00002',
    kind: 'quote',
    lifecycle: 'accepted',
    accepted: true,
    events: ['document.accepted'],
  },
  withdrawn: {
    number: 'QUO-00003',
    kind: 'quote',
    lifecycle: 'void',
    accepted: true,
    events: ['document.accepted', 'document.voided'],
  },
} satisfies Record<string, OldDocument>;
export type Name = keyof typeof all;
export const names = Object.keys(all) as Name[];

const uuids = Object.fromEntries(names.map((name) => [name, ids.next()])) as Record<Name, string>;
export const idOf = (name: Name) => ({ id: publicId('doc', uuids[name]) });
export const tokenOf = (name: Name) => name.padEnd(43, '-');
export const link = ids.next();
const paidLink = ids.next();

let database: TestDatabase;

const insert = async (table: string, row: object) =>
  database.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')})
     VALUES (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  );

/** As the first version wrote it: these columns, and these alone. */
export async function fillFirstVersion(empty: TestDatabase): Promise<void> {
  database = empty;
  const created_at = '2026-03-01T09:00:00Z';
  await insert('accounts', {
    account_id: account,
    name: 'Acme',
    seller: { name: 'Acme', address: ['Ring 1', '1010 Wien'], country: 'AT' },
    currency: 'EUR',
    time_zone: 'Europe/Berlin',
    created_at,
  });
  const scopes = ['documents:read', 'documents:write', 'payments:read', 'payments:write'];
  await insert('api_clients', {
    client_id: apiClient,
    account_id: account,
    name: 'shop',
    secret_sha256: sha256(SECRET),
    scopes,
    created_at,
  });
  const profile = {
    name: 'Globex',
    email: 'a@globex.example',
    address: [],
    country: 'DE',
    tax_id: null,
  };
  await insert('customers', { account_id: account, customer_id: customer, profile, created_at });
  await insert('number_series', {
    account_id: account,
    kind: 'invoice',
    prefix: 'INV-',
    next_number: 9,
  });
  await insert('number_series', {
    account_id: account,
    kind: 'quote',
    prefix: 'QUO-',
    next_number: 4,
  });
  for (const name of names) await fillDocument(name, profile, created_at);
  await fillMoney(created_at);
}

async function fillDocument(name: Name, profile: object, created_at: string): Promise<void> {
  const one: OldDocument = all[name];
  const { kind = 'invoice', currency = 'EUR', net = 10_000, paid = 0, events = [], number } = one;
  const lifecycle = one.lifecycle ?? (number ? 'open' : 'draft');
  const key = { account_id: account, document_id: uuids[name] };
  const history = ['document.created', ...(number ? ['document.issued'] : []), ...events];
  await database.query('BEGIN');
  await insert('documents', {
    ...key,
    kind,
    lifecycle,
    number,
    currency,
    customer_id: customer,
    seller: {
      name: 'Acme',
      email: null,
      address: ['Ring 1', '1010 Wien'],
      country: 'AT',
      tax_id: null,
    },
    customer: profile,
    issue_date: number && '2026-03-01',
    due_date: number && '2026-03-31',
    payment_terms_days: null,
    purchase_order: name,
    notes: 'Thank you',
    metadata: { name },
    net_total: net,
    tax_total: (net * 19) / 100,
    total: (net * 119) / 100,
    amount_paid: paid,
    accepted_at: one.accepted ? created_at : null,
    ...(lifecycle === 'rejected' && {
      rejection_reason: 'No',
      rejected_at: created_at,
      rejected_version: 2,
    }),
    version: history.length,
    event_sequence: history.length,
    created_at,
    issued_at: number && created_at,
    voided_at: lifecycle === 'void' ? created_at : null,
  });
  await insert('document_lines', {
    ...key,
    position: 1,
    description: 'Work',
    quantity: '2',
    unit_amount: net / 2,
    tax_category: 'S',
    tax_rate: '19',
    net,
  });
  const tax = (net * 19) / 100;
  await insert('document_tax_groups', {
    ...key,
    tax_category: 'S',
    tax_rate: '19',
    base: net,
    tax,
  });
  await database.query('COMMIT');
  for (const [index, type] of history.entries()) {
    await insert('events', {
      account_id: account,
      event_id: ids.next(),
      type,
      document_id: uuids[name],
      sequence: index + 1,
      data: {
        document: { id: idOf(name).id, status: 'open', version: index + 1 },
        previous_status: 'draft',
      },
      occurred_at: created_at,
    });
  }
  if (!number) return;
  const token = { portal_token_id: ids.next(), ...key, created_at, expires_at: '2027-01-01' };
  await insert('portal_tokens', { token_sha256: sha256(tokenOf(name)), ...token });
}

/** 6.00 of credit in euros, of which 2.00 are spent; 1.00 in dollars. */
async function fillMoney(recorded_at: string): Promise<void> {
  const links = { account_id: account, amount: 5000, currency: 'EUR', gateway: 'gateway-a' };
  const times = { created_at: recorded_at, expires_at: '2027-01-01' };
  const toOpen = { ...links, ...times, payment_link_id: link, document_id: uuids.open };
  await insert('payment_links', { ...toOpen, status: 'open' });
  const toPaid = { ...links, ...times, payment_link_id: paidLink, document_id: uuids.paid };
  await insert('payment_links', { ...toPaid, status: 'paid', paid_at: recorded_at });
  const payment = async (name: Name, amount: number, applied: number, over: object = {}) => {
    const payment_id = ids.next();
    await insert('payments', {
      account_id: account,
      payment_id,
      document_id: uuids[name],
      currency: (all[name] as OldDocument).currency ?? 'EUR',
      amount,
      applied,
      method: 'bank_transfer',
      metadata: {},
      paid_at: recorded_at,
      recorded_at,
      client_id: apiClient,
      ...over,
    });
    const amountOfCredit =
      'method' in over && over.method === 'credit_balance' ? -amount : amount - applied;
    if (amountOfCredit === 0) return payment_id;
    const credit = {
      account_id: account,
      credit_id: ids.next(),
      customer_id: customer,
      payment_id,
    };
    await insert('customer_credits', {
      ...credit,
      amount: amountOfCredit,
      created_at: recorded_at,
    });
    return payment_id;
  };
  await payment('partly', 2500, 2500);
  const provider = { gateway: 'gateway-a', provider_payment_id: 'pi_1' };
  const payment_id = await payment('paid', 12_500, 11_900, {
    ...provider,
    method: 'card',
    client_id: null,
    payment_link_id: paidLink,
  });
  await insert('provider_events', {
    gateway: provider.gateway,
    event_id: 'evt_1',
    event_type: 'checkout.session.completed',
    outcome: 'ok',
    received_at: recorded_at,
  });
  const receipt = { ...provider, account_id: account, payment_link_id: paidLink, payment_id };
  await insert('provider_receipts', {
    ...receipt,
    amount: 12_500,
    currency: 'EUR',
    event_id: 'evt_1',
    paid_at: recorded_at,
    received_at: recorded_at,
  });
  await payment('spent', 200, 200, { method: 'credit_balance' });
  await payment('dollars', 12_000, 11_900);
}
