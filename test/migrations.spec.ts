import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Accounts1763650000000 } from '../migrations/1763650000000-accounts.js';
import { Documents1763650100000 } from '../migrations/1763650100000-documents.js';
import { Payments1763650200000 } from '../migrations/1763650200000-payments.js';
import type { DocumentBody } from '../src/documents/http/document-body.dto.js';
import { publicId, UuidV7Generator } from '../src/kernel/ids.js';
import { IntegrityQuery } from '../src/payments/index.js';
import { dataSourceOptions } from '../src/platform/database/data-source.js';
import { migrate } from '../src/platform/database/migrate.js';
import { TestClient } from './support/client.js';
import { aDatabase, type TestDatabase } from './support/database.js';
import { startTestService, type TestService } from './support/service.js';
import { TestClock } from './support/test-clock.js';

// A database of the first version, with a bit of everything in it, under the service of today.

const FIRST_VERSION = [Accounts1763650000000, Documents1763650100000, Payments1763650200000];

const ids = new UuidV7Generator();
const account = ids.next();
const customer = ids.next();
const apiClient = ids.next();
const SECRET = 's'.repeat(43);
const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Half an hour before and after the end of 31 March in Berlin, where it is summer already. */
const BEFORE_MIDNIGHT = '2026-03-31T21:30:00Z';
const AFTER_MIDNIGHT = '2026-03-31T22:30:00Z';

let database: TestDatabase;
let service: TestService;
let client: TestClient;
const clock = new TestClock();

interface OldDocument {
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

const all = {
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
type Name = keyof typeof all;
const names = Object.keys(all) as Name[];

const uuids = Object.fromEntries(names.map((name) => [name, ids.next()])) as Record<Name, string>;
const idOf = (name: Name) => ({ id: publicId('doc', uuids[name]) });
const tokenOf = (name: Name) => name.padEnd(43, '-');
const link = ids.next();
const paidLink = ids.next();

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  const limits = { poolSize: 2, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const options = dataSourceOptions({ url: database.url, ...limits });
  const source = await new DataSource({ ...options, migrations: FIRST_VERSION }).initialize();
  await source.runMigrations().finally(() => source.destroy());
  await fill();
  await migrate(database.url);
  clock.set(BEFORE_MIDNIGHT);
  service = await startTestService({ database, clock });
  client = new TestClient(service.url, clock, {
    id: publicId('cli', apiClient),
    secret: SECRET,
    accountId: publicId('acc', account),
  });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const insert = async (table: string, row: object) =>
  database.query(
    `INSERT INTO ${table} (${Object.keys(row).join(', ')})
     VALUES (${Object.keys(row).map((_, index) => `$${index + 1}`)})`,
    Object.values(row),
  );

/** As the first version wrote it: these columns, and these alone. */
async function fill(): Promise<void> {
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

const read = async (name: Name) => client.read(idOf(name));
const differences = async () => (await service.app.get(IntegrityQuery).differences()).differences;

describe('a database of the first version', () => {
  it.each<[Name, string]>([
    ['draft', 'draft'],
    ['open', 'open'],
    ['partly', 'partially_paid'],
    ['paid', 'paid'],
    ['spent', 'partially_paid'],
    ['voided', 'void'],
    ['rejected', 'rejected'],
    ['free', 'paid'],
    ['dollars', 'paid'],
    ['quote', 'open'],
    ['accepted', 'accepted'],
    ['withdrawn', 'void'],
  ])('has the same document: %s is %s', async (name, status) => {
    const {
      number,
      kind = 'invoice',
      currency = 'EUR',
      net = 10_000,
      paid = 0,
    }: OldDocument = all[name];
    const document = await read(name);
    const total = (net * 119) / 100;
    expect(document).toMatchObject({
      status,
      number,
      kind,
      currency,
      customer_id: publicId('cus', customer),
      customer: { name: 'Globex', email: 'a@globex.example', country: 'DE', tax_id: null },
      seller: { name: 'Acme', address: ['Ring 1', '1010 Wien'], country: 'AT' },
      issue_date: number && '2026-03-01',
      due_date: number && '2026-03-31',
      purchase_order: name,
      notes: 'Thank you',
      metadata: { name },
      lines: [
        {
          position: 1,
          description: 'Work',
          quantity: '2',
          unit_amount_decimal: `${net / 2}`,
          tax_category: 'S',
          tax_rate: '19',
          net_amount: net,
        },
      ],
      tax_groups: [
        { tax_category: 'S', tax_rate: '19', taxable_amount: net, tax_amount: total - net },
      ],
      net_total: net,
      tax_total: total - net,
      total,
      amount_paid: paid,
      amount_due: total - paid,
      accepted_at: 'accepted' in all[name] ? '2026-03-01T09:00:00.000Z' : null,
      created_at: '2026-03-01T09:00:00.000Z',
      issued_at: number && '2026-03-01T09:00:00.000Z',
      voided_at: status === 'void' ? '2026-03-01T09:00:00.000Z' : null,
      // And what is new is as if it had always been there.
      subtotal: net,
      discount_total: 0,
      rounding_amount: 0,
      amount_credited: 0,
      revision: 1,
      origin: null,
      prices_include_tax: false,
    });
    const isSettled = status === 'paid';
    expect(document.status_transitions.paid_at).toBe(isSettled ? '2026-03-01T09:00:00.000Z' : null);
  });

  it('has books that agree', async () => {
    expect(await differences()).toEqual([]);
  });

  it('knows the history, of which it does not say who made it', async () => {
    const { status, body } = await client.get<{ data: object[] }>(
      `/v1/finance/documents/${idOf('partly').id}/history`,
    );
    expect(status).toBe(200);
    expect(body.data).toHaveLength(4);
  });

  it('explains its figures as they are stored', async () => {
    for (const name of names) {
      const path = `/v1/finance/documents/${idOf(name).id}/calculation`;
      const { status, body } = await client.get(path);
      expect(status).toBe(200);
      expect(body['total']).toBe((await read(name)).total);
    }
  });

  it('finds a document by its number', async () => {
    const { body } = await client.get<{ data: DocumentBody[] }>(
      '/v1/finance/documents?number=INV-00003',
    );
    expect(body.data.map(({ id }) => id)).toEqual([idOf('paid').id]);
  });

  it('lets invoices be overdue, and quotes expire, at midnight in the account’s time zone', async () => {
    const overdue = async () => {
      const found: Name[] = [];
      for (const name of names) if ((await read(name)).is_overdue) found.push(name);
      return found;
    };
    expect(await overdue()).toEqual([]);
    expect((await read('quote')).status).toBe('open');
    clock.set(AFTER_MIDNIGHT);
    expect(await overdue()).toEqual(['open', 'partly', 'spent']);
    expect((await read('quote')).status).toBe('expired');
    clock.set(BEFORE_MIDNIGHT);
  });

  it('has the credit that was left, in each currency, and lets it be spent once', async () => {
    const path = `/v1/finance/customers/${publicId('cus', customer)}/credit`;
    expect((await client.get<{ data: object[] }>(path)).body.data).toEqual([
      expect.objectContaining({ currency: 'EUR', amount: 400 }),
      expect.objectContaining({ currency: 'USD', amount: 100 }),
    ]);
    const spend = async (amount: number) =>
      client.pay(idOf('spent'), { amount, method: 'credit_balance' });
    expect((await spend(401)).body).toMatchObject({ code: 'insufficient_credit' });
    expect((await spend(400)).status).toBe(201);
    expect((await spend(1)).body).toMatchObject({ code: 'insufficient_credit' });
  });

  it('takes payments on: by the API, by the link that was sent, and of a known receipt once', async () => {
    expect((await client.pay(idOf('partly'), { amount: 9400 })).status).toBe(201);
    expect(await read('partly')).toMatchObject({ status: 'paid', amount_due: 0 });
    const sent = {
      id: publicId('plink', link),
      gateway: 'gateway-a',
      amount: 5000,
      currency: 'EUR',
    };
    const delivery = { method: 'POST', ...service.paidDelivery(sent) };
    for (const _ of [1, 2]) {
      const answer = await service.call('/v1/webhooks/gateway-a', delivery);
      expect(answer.body).toMatchObject({ status: 'ok' });
    }
    expect(await read('open')).toMatchObject({ status: 'partially_paid', amount_paid: 5000 });
  });

  it('opens to the links that clients have, and takes their answers', async () => {
    const path = `/v1/portal/${tokenOf('quote')}`;
    const page = await service.call(path, { headers: { accept: 'application/json' } });
    expect(page.body).toMatchObject({ number: 'QUO-00001', status: 'open' });
    expect((await service.call(`${path}/accept`, { method: 'POST', body: {} })).status).toBe(200);
    expect((await read('quote')).status).toBe('accepted');
  });

  it('lets its draft be changed and issued, and counts on', async () => {
    const path = `/v1/finance/documents/${idOf('draft').id}`;
    const lines = [{ description: 'More work', unit_amount: 20_000, tax_rate: '19' }];
    const changed = await client.patch<DocumentBody>(path, { lines, notes: 'Changed' });
    expect([changed.status, changed.body.total]).toEqual([200, 23_800]);
    expect(await client.issue(idOf('draft'))).toMatchObject({
      number: 'INV-00009',
      status: 'open',
      due_date: '2026-04-30',
      seller: { name: 'Acme' },
    });
    expect((await client.anInvoice()).number).toBe('INV-00010');
    expect((await client.aQuote()).number).toBe('QUO-00004');
  });

  it('takes the steps that are new', async () => {
    const post = async (name: Name, step: string, body: object = {}) => {
      const path = `/v1/finance/documents/${idOf(name).id}/${step}`;
      const { status, body: made } = await client.post<DocumentBody>(path, body);
      return [status, made.number];
    };
    expect(await post('accepted', 'convert', { issue: true })).toEqual([201, 'INV-00011']);
    expect(await post('paid', 'credit-notes', { amount: 1000 })).toEqual([201, 'CRN-00001']);
    expect(await post('rejected', 'revise', { issue: true })).toEqual([201, 'INV-00012']);
    expect(await post('voided', 'duplicate')).toEqual([201, null]);
    expect(await post('open', 'write-off')).toEqual([200, 'INV-00001']);
  });

  it('still has books that agree, and histories without a gap', async () => {
    expect(await differences()).toEqual([]);
  });
});
