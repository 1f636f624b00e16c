import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { Accounts1763650000000 } from '../../migrations/1763650000000-accounts.js';
import { Documents1763650100000 } from '../../migrations/1763650100000-documents.js';
import { Payments1763650200000 } from '../../migrations/1763650200000-payments.js';
import type { DocumentBody } from '../../src/documents/http/document-body.dto.js';
import { publicId } from '../../src/kernel/ids.js';
import { IntegrityQuery } from '../../src/integrity/index.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { TestClient } from '../support/client.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import {
  account,
  all,
  apiClient,
  customer,
  fillFirstVersion,
  idOf,
  link,
  type Name,
  names,
  type OldDocument,
  SECRET,
  tokenOf,
} from '../support/first-version.js';
import { startTestService, type TestService } from '../support/service.js';
import { TestClock } from '../support/test-clock.js';

// A database of the first version, with a bit of everything in it, under the service of today.

const FIRST_VERSION = [Accounts1763650000000, Documents1763650100000, Payments1763650200000];

/** Half an hour before and after the end of 31 March in Berlin, where it is summer already. */
const BEFORE_MIDNIGHT = '2026-03-31T21:30:00Z';
const AFTER_MIDNIGHT = '2026-03-31T22:30:00Z';

let database: TestDatabase;
let service: TestService;
let client: TestClient;
const clock = new TestClock();

beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  const limits = { poolSize: 2, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const options = dataSourceOptions({ url: database.url, ...limits });
  const source = await new DataSource({ ...options, migrations: FIRST_VERSION }).initialize();
  await source.runMigrations().finally(() => source.destroy());
  await fillFirstVersion(database);
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

const read = async (name: Name) => client.read(idOf(name));
const differences = async () => (await service.app.get(IntegrityQuery).differences()).differences;

const post = async (name: Name, step: string, body: object = {}) => {
  const path = `/v1/finance/documents/${idOf(name).id}/${step}`;
  const { status, body: made } = await client.post<DocumentBody>(path, body);
  return [status, made.number];
};

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
