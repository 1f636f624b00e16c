import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Installation } from '../../../src/extensions/installation.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { SCOPES } from '../../../src/platform/http/access.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { observers } from '../../support/http.js';
import { startTestService, type TestService } from '../../support/service.js';
import { loyalty, loyaltyState } from './loyalty.js';

const installation = new Installation([loyalty()]);
const ALL = [...SCOPES, 'ext:loyalty:read'];
let database: TestDatabase;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  database = await aDatabase();
  const urls = { app: database.url, owner: database.ownerUrl, reader: null };
  expect(await migrate(urls, installation.migrated)).toEqual(['loyalty 1-given']);
  expect(await migrate(urls, installation.migrated)).toEqual([]);
  service = await startTestService({ installation, database });
  // The document of a plain installation knows neither its routes nor its refusals.
  observers.delete(service.url);
  client = await service.aClient({ scopes: ALL });
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const given = async () =>
  Number((await database.query('SELECT count(*) AS n FROM ext_loyalty_given'))[0]?.['n']);
const paidOf = async (id: string) =>
  (await client.get<{ amount_paid: number }>(`/v1/finance/documents/${id}`)).body.amount_paid;

describe('a listener of an extension', () => {
  it('writes in the transaction of the payment', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 2500 });
    const points = await client.get(`/v1/ext/loyalty/points/${invoice.customer_id}`);
    expect(points).toMatchObject({ status: 200, body: { points: 25 } });
  });

  it.each([
    ['throw', 500, 'internal_error'],
    ['late', 500, 'internal_error'],
    ['foreign', 500, 'internal_error'],
    ['refuse', 409, 'loyalty_paused'],
  ])('that fails (%s) leaves neither payment nor points', async (wish, status, code) => {
    const invoice = await client.anInvoice();
    const before = await given();
    const metadata = { loyalty: wish };
    const answer = await client.pay(invoice, { amount: 2500, metadata });
    expect(answer).toMatchObject({ status, body: { code } });
    expect(await given()).toBe(before);
    expect(await paidOf(invoice.id)).toBe(0);
  });

  it('that refuses what a provider tells leaves it to be told again, and nothing is lost', async () => {
    const invoice = await client.anInvoice();
    const link = await client.aPaymentLink(invoice, { gateway: 'gateway-a', amount: 2500 });
    const delivery = service.paidDelivery(link);
    const tell = async () =>
      service.call('/v1/webhooks/gateway-a', { method: 'POST', ...delivery });
    loyaltyState.isPaused = true;
    try {
      expect(await tell()).toMatchObject({ status: 409, body: { code: 'loyalty_paused' } });
    } finally {
      loyaltyState.isPaused = false;
    }
    expect(await paidOf(invoice.id)).toBe(0);
    const { body } = await client.get<{ data: object[] }>('/v1/finance/gateway-events');
    expect(body.data[0]).toMatchObject({ outcome: 'failed', problem: 'loyalty_paused' });
    const before = await given();
    expect(await tell()).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect(await tell()).toMatchObject({ status: 200 });
    expect(await paidOf(invoice.id)).toBe(2500);
    expect(await given()).toBe(before + 1);
  });

  it('fails alone in a group of payments', async () => {
    const invoices = await Promise.all(Array.from({ length: 12 }, () => client.anInvoice()));
    const before = await given();
    const answers = await Promise.all(
      invoices.map((invoice, index) =>
        client.pay(invoice, {
          amount: 100,
          metadata: index % 4 === 0 ? { loyalty: 'refuse' } : {},
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(await given()).toBe(before + 9);
  });
});

describe('a route of an extension', () => {
  it('is denied without its scope, and to other tenants it is empty', async () => {
    const invoice = await client.anInvoice();
    await client.pay(invoice, { amount: 2500 });
    const path = `/v1/ext/loyalty/points/${invoice.customer_id}`;
    const without = await service.aClient({ of: client });
    expect(await without.get(path)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', scope: 'ext:loyalty:read' },
    });
    const other = await service.aClient({ scopes: ALL });
    expect(await other.get(path)).toMatchObject({
      status: 404,
      body: { code: 'loyalty_no_points' },
    });
    expect(await service.call(path)).toMatchObject({ status: 401 });
  });

  it('is in the OpenAPI document, with its scope and its problem', async () => {
    const { body } = await service.call<{
      paths: Record<string, { get: { security: object[]; responses: Record<string, object> } }>;
      components: { securitySchemes: object; schemas: { Scope: { enum: string[] } } };
    }>('/v1/openapi.json');
    const { paths, components } = body;
    const { get } = paths['/v1/ext/loyalty/points/{customer}'] ?? {};
    expect(get?.security).toEqual([{ oauth2: ['ext:loyalty:read'] }]);
    expect(JSON.stringify(get?.responses['404'])).toContain('loyalty_no_points');
    expect(JSON.stringify(components.securitySchemes)).toContain('Read points.');
    expect(components.schemas.Scope.enum).toEqual(ALL);
    expect(paths['/v1/ext/loyalty/documents/{id}/plain-text']).toBeDefined();
  });

  it('shows a document in a format of its own', async () => {
    const invoice = await client.anInvoice();
    const path = `/v1/ext/loyalty/documents/${invoice.id}/plain-text`;
    const { status, text, headers } = await client.get(path);
    expect({ status, text }).toMatchObject({
      status: 200,
      text: expect.stringMatching(/ \d+\.\d\d EUR$/),
    });
    expect(headers.get('content-type')).toContain('text/plain');
    const other = await service.aClient();
    expect(await other.get(path)).toMatchObject({
      status: 404,
      body: { code: 'document_not_found' },
    });
  });
});

const differences = async () =>
  (await service.app.get(IntegrityQuery).differences()).differences.map(({ id }) => id);

describe('integrity', () => {
  it('knows the tables of an extension, as its steps made them', async () => {
    expect(await differences()).toEqual([]);
    await database.query(
      'ALTER TABLE ext_loyalty_given DROP CONSTRAINT ext_loyalty_given_points_check',
    );
    expect(await differences()).toEqual([
      'constraint ext_loyalty_given_points_check on ext_loyalty_given',
    ]);
    await database.query('ALTER TABLE ext_loyalty_given ADD CHECK (points >= 0)');
    expect(await differences()).toEqual([]);
  });
});

it('a foreign key of an extension keeps what it names, with a sentence', async () => {
  const { id } = await client.aCustomer();
  await database.query(
    `CREATE TABLE ext_loyalty_members (account_id uuid, customer_id uuid,
       FOREIGN KEY (account_id, customer_id) REFERENCES customers);
     INSERT INTO ext_loyalty_members SELECT account_id, customer_id FROM customers
     ORDER BY customer_id DESC LIMIT 1`,
  );
  expect(await client.delete(`/v1/finance/customers/${id}`)).toMatchObject({ status: 409 });
});
