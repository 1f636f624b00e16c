import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, prepareDemo } from '../../../src/demo/demo-account.js';
import { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { imported } from '../bank/bank-calls.js';
import { anItem } from '../every-route.js';
import type { OpenApi, Operation } from '../schema-check.js';

// Every example of a body, sent unchanged to a fresh demo account, gives the declared answer. The
// ids in a path are those of the demo, or of what a step before has made. A body may
// name a document, a customer or a payment link: then it is one of the demo.

const A_DOCUMENT = 'doc_01h455vb4pex5vsknk084sn02q';
const A_CUSTOMER = 'cus_01h455vb4pex5vsknk084sn02q';
const A_LINK = 'plink_01h455vb4pex5vsknk084sn02q';

const json = ({ requestBody }: Operation) => requestBody?.content['application/json'];

interface Example {
  id: string;
  method: string;
  path: string;
  body: object;
  /** Those of success. */
  statuses: string[];
}

let folder: string;
let service: TestService;
let examples: Example[];
let withBody: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-examples-'));
  service = await startTestService({ dataDir: folder });
  // The examples have dates.
  service.clock.set('2026-11-27T12:00:00Z');
  const { paths } = (await service.call<OpenApi>('/v1/openapi.json')).body;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  withBody = operations.flatMap(({ operation }) => {
    const { schema } = json(operation) ?? {};
    const isEmpty = schema?.$ref?.endsWith('/NoFields') ?? true;
    return isEmpty ? [] : [operation.operationId ?? ''];
  });
  examples = operations.flatMap(({ path, method, operation }) => {
    const body = json(operation)?.example as object | undefined;
    const statuses = Object.keys(operation.responses).filter((code) => code.startsWith('2'));
    return body
      ? [{ id: operation.operationId ?? '', method: method.toUpperCase(), path, body, statuses }]
      : [];
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

interface Account {
  demo: Demo;
  client: TestClient;
}

async function freshDemo(): Promise<Account> {
  await rm(join(folder, 'demo.json'), { force: true });
  const running = { app: service.app, url: service.url, stop: async () => undefined };
  const demo = await prepareDemo(running, service.config);
  const { client_id: id, client_secret: secret, account_id: accountId } = demo;
  return { demo, client: new TestClient(service.url, service.clock, { id, secret, accountId }) };
}

const PAYOUT = {
  gateway: 'gateway-a',
  provider_payout_id: 'po_9',
  amount: 9700,
  currency: 'EUR',
  sent_on: '2026-01-02',
};

/** The id in the path, where it is not that of the demo's invoice; made first if need be. */
const IDS: Record<string, (account: Account) => Promise<string>> = {
  updateClient: async ({ demo }) => demo.client_id,
  rotateClient: async ({ demo }) => demo.client_id,
  putCustomerByExternalId: async () => 'K-10023',
  putDocumentByExternalId: async () => 'R-10023',
  changeNumberSeries: async () => 'invoice',
  updateCustomer: async ({ client, demo }) =>
    (await client.read({ id: demo.invoice_id })).customer_id,
  createMandate: async ({ client, demo }) =>
    (await client.read({ id: demo.invoice_id })).customer_id,
  updateMandate: aMandate,
  collectDocument: async (account) => {
    await aMandate(account);
    return account.demo.invoice_id;
  },
  updateGateway: ownGateway,
  rotateGatewaySecret: ownGateway,
  updateItem: async ({ client }) =>
    (await client.post<{ id: string }>('/v1/finance/items', { name: 'Work' })).body.id,
  updateTaxRate: async ({ client }) => {
    const wish = { name: 'VAT', tax_rate: '19' };
    return (await client.post<{ id: string }>('/v1/finance/tax-rates', wish)).body.id;
  },
  updateSchedule: aSchedule,
  previewScheduleChange: aSchedule,
  endSchedule: aSchedule,
  skipPeriod: aSchedule,
  movePeriod: aSchedule,
  reportUsage: aSchedule,
  resumeSchedule: async (account) => {
    const id = await aSchedule(account);
    await account.client.post(`/v1/finance/schedules/${id}/pause`);
    return id;
  },
  reviseDocument: async ({ demo }) => demo.quote_id,
  convertDocument: async ({ demo }) => demo.quote_id,
  rejectDocument: async ({ demo }) => demo.quote_portal_token,
  acceptDocument: async ({ client }) => client.aPortalToken(await client.aQuote()),
  stopReminders: async ({ client }) => client.aPortalToken(await client.anInvoice()),
  payDocument: async ({ client }) => client.aPortalToken(await client.anInvoice()),
  claimTaxRelief: writtenOff,
  reverseWriteOff: writtenOff,
  reversePayment: async (account) => (await paid(account)).payment.id,
  refundPayment: async (account) => (await paid(account)).payment.id,
  decideRefund: refunded,
  reverseRefund: refunded,
  closeUnmatchedItem: async ({ client }) => anItem(service, client),
  reopenUnmatchedItem: async ({ client }) => {
    const id = await anItem(service, client);
    await client.post(`/v1/finance/unmatched-items/${id}/close`, { reason: 'Seen to' });
    return id;
  },
  updateWebhookEndpoint: aWebhookEndpoint,
  rotateWebhookSecret: aWebhookEndpoint,
  replayWebhooks: aWebhookEndpoint,
  attachLink: aDraft,
  issueDocument: aDraft,
  failPayout: payout,
  reversePayout: payout,
  bookBankEntry: async ({ client }) => (await imported(client, { amount: '1.00' }))[0]?.id ?? '',
  confirmBankEntry: async ({ client }) => (await imported(client, { amount: '1.00' }))[0]?.id ?? '',
  movePayment: async (account) => (await paid(account)).payment.id,
  refundUnmatchedReceipt: unmatchedReceipt,
  assignUnmatchedReceipt: unmatchedReceipt,
};

async function aDraft({ client }: Account): Promise<string> {
  return (await client.anInvoice({ issue: false })).id;
}

async function unmatchedReceipt({ client, demo }: Account): Promise<string> {
  await client.void({ id: demo.invoice_id });
  const [link] = demo.payment_links;
  if (link) await service.deliverPaid(link);
  const { body } = await client.get<{ data: { id: string }[] }>('/v1/finance/unmatched-receipts');
  return body.data[0]?.id ?? '';
}

async function aWebhookEndpoint({ client }: Account): Promise<string> {
  const wish = { url: 'https://shop.example.com/hook' };
  return (await client.post<{ id: string }>('/v1/webhook-endpoints', wish)).body.id;
}

async function ownGateway({ client }: Account): Promise<string> {
  const settings = { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };
  const wish = { name: 'own', provider: 'standard-webhooks', settings };
  return (await client.post<{ id: string }>('/v1/finance/gateways', wish)).body.id;
}

async function aMandate({ client, demo }: Account): Promise<string> {
  const { customer_id: customer } = await client.read({ id: demo.invoice_id });
  const wish = { gateway: 'sandbox', currency: 'EUR' };
  const path = `/v1/finance/customers/${customer}/mandates`;
  return (await client.post<{ id: string }>(path, wish)).body.id;
}

async function anotherInvoice(client: TestClient): Promise<string> {
  const lines = [{ description: 'Work', unit_amount: 50_000, tax_rate: '19' }];
  return (await client.anInvoice({ lines })).id;
}

async function writtenOff({ client, demo }: Account): Promise<string> {
  await client.post(`/v1/finance/documents/${demo.invoice_id}/write-off`);
  return demo.invoice_id;
}

/** With a line of calls, from the last day of the month on. */
async function aSchedule({ client, demo }: Account): Promise<string> {
  const { customer_id: customerId } = await client.read({ id: demo.invoice_id });
  const calls = { description: 'Calls', meter: 'api-calls', unit_amount: 2, tax_rate: '19' };
  const { body } = await client.post<{ id: string }>('/v1/finance/schedules', {
    name: 'Calls',
    document: { customer_id: customerId, lines: [calls] },
    recurrence: { every: 'month' },
    action: 'draft',
    start_date: '2027-01-31',
  });
  return body.id;
}

async function paid({ client, demo }: Account): Promise<{ payment: { id: string } }> {
  return (await client.pay({ id: demo.invoice_id })).body as { payment: { id: string } };
}

async function refunded(account: Account): Promise<string> {
  const { payment } = await paid(account);
  const path = `/v1/finance/payments/${payment.id}/refunds`;
  const { body } = await account.client.post<{ refund: { id: string } }>(path, {
    amount: 1000,
    method: 'bank_transfer',
  });
  return body.refund.id;
}

async function payout({ client }: Account): Promise<string> {
  return (await client.post<{ id: string }>('/v1/finance/payouts', PAYOUT)).body.id;
}

describe('an example', () => {
  it('is there for every body', () => {
    const ids = new Set(examples.map(({ id }) => id));
    expect(withBody.filter((id) => !ids.has(id))).toEqual([]);
    expect(examples.length).toBeGreaterThan(30);
  });

  it('works when it is sent unchanged to a fresh demo account', async () => {
    const wrong: unknown[] = [];
    for (const { id, method, path, body, statuses } of examples) {
      const account = await freshDemo();
      const { demo, client } = account;
      const inPath = (await IDS[id]?.(account)) ?? demo.invoice_id;
      const basic = Buffer.from(`${demo.client_id}:${demo.client_secret}`).toString('base64');
      const isOAuth = path.startsWith('/v1/auth/');
      const authorization = isOAuth ? `Basic ${basic}` : `Bearer ${await client.bearer()}`;
      const document =
        id === 'assignUnmatchedReceipt' ? await anotherInvoice(client) : demo.invoice_id;
      const { customer_id: customer } = await client.read({ id: demo.invoice_id });
      const link = demo.payment_links.find(({ gateway }) => gateway === 'sandbox')?.id ?? '';
      const answer = await service.call(path.replace(/\{\w+\}/, inPath), {
        method,
        body: JSON.parse(
          JSON.stringify(body)
            .replaceAll(A_DOCUMENT, document)
            .replaceAll(A_LINK, link)
            .replaceAll(A_CUSTOMER, customer),
        ) as object,
        headers: { authorization },
      });
      if (!statuses.includes(String(answer.status))) wrong.push([id, answer.status, answer.text]);
    }
    expect(wrong).toEqual([]);
  });
});
