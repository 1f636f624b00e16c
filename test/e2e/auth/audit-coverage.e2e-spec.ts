import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { aCamt053 } from '../../support/bank-files.js';
import { aCreditNote } from '../../support/documents.js';
import type { Answer } from '../../support/http.js';
import { aPng } from '../../support/images.js';
import { startTestService, type TestService } from '../../support/service.js';
import { aBankFileMapping, imported, importFile, importReport } from '../bank/bank-calls.js';
import { anItem, aPayout } from '../every-route.js';
import { routesOf } from '../routes.js';
import { attachmentWrites } from './attachment-writes.js';
import { catalogueWrites } from './catalogue-writes.js';
import { endpointWrites } from './endpoint-writes.js';
import { EXEMPT, UNTOLD } from './exempt.js';
import { mailWrites } from './mail-writes.js';
import { NOTE_WRITES, TOLD } from './noted-writes.js';
import { mandateWrites } from './mandate-writes.js';
import { ownGatewayWrites } from './own-gateway-writes.js';
import { dunningWrites } from './dunning-writes.js';
import { integrityWrites } from './integrity-writes.js';
import { scheduleWrites } from './schedule-writes.js';

// Everything that changes something says who did it: an event with its actor, an audit entry, or a
// fact that names its client. A new route that writes has to be tried here, or say why not.

let service: TestService;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  await service.database.query(NOTE_WRITES);
});
afterAll(() => service.close());

/** The names in all that was written in the account after a transaction. */
async function namedSince(xact: bigint): Promise<(string | null)[]> {
  const rows = await service.database.query<{ who: string | null }>(
    `SELECT who FROM (${TOLD}) told WHERE account_id = $1 AND xact > $2`,
    [uuidOf('acc', client.accountId), xact],
  );
  return rows.map(({ who }) => who);
}

async function nextTransaction(): Promise<bigint> {
  const [row] = await service.database.query<{ xact: bigint }>('SELECT book_xact() AS xact');
  return row!.xact;
}

type Act = () => Promise<Answer<unknown>>;
type Id = { id: string };

const DOCUMENTS = '/v1/finance/documents';
const PAYMENTS = '/v1/finance/payments';
const NUMBERING = '/v1/finance/numbering';
const CUSTOMERS = '/v1/finance/customers';

const aDraft = { customer: { name: 'Globex' }, lines: [{ description: 'Work', unit_amount: 1 }] };

const post = (path: string, body?: unknown): Act => {
  return () => client.post(path, body);
};
const onDocument = (document: Id, step: string, body?: unknown) =>
  post(`${DOCUMENTS}/${document.id}/${step}`, body);
const ofPortal = (token: string, step: string, body: object): Act => {
  return () => service.call(`/v1/portal/${token}/${step}`, { method: 'POST', body });
};

const aPayment = async (amount = 1000) => {
  const { body } = await client.pay(await client.anInvoice(), { amount });
  return (body as { payment: Id }).payment;
};

async function aReceipt(): Promise<Id> {
  const invoice = await client.anInvoice();
  const link = await client.aPaymentLink(invoice);
  await client.void(invoice);
  await service.deliverPaid(link);
  const list = await client.get<{ data: Id[] }>('/v1/finance/unmatched-receipts?status=open');
  return list.body.data[0]!;
}

async function anEntry(): Promise<string> {
  const [entry] = await imported(client, { amount: '7.00' });
  return `/v1/finance/bank-entries/${entry?.id}`;
}

async function aPayoutOf(provider_payout_id: string): Promise<string> {
  const { body } = await client.post<Id>('/v1/finance/payouts', { ...aPayout, provider_payout_id });
  return `/v1/finance/payouts/${body.id}`;
}

const aClientOf = async () => {
  const { body } = await client.post<Id>('/v1/clients', { name: 'a', scopes: ['documents:read'] });
  return `/v1/clients/${body.id}`;
};

/** The call, with all that it needs first. */
const at = [() => service, () => client] as const;

const ROUTES: Record<string, () => Promise<Act>> = {
  'POST /v1/auth/revoke': async () => {
    const credentials = { client_id: client.id, client_secret: client.secret };
    const token = await service.call<{ refresh_token: string }>('/v1/auth/token', {
      method: 'POST',
      body: credentials,
    });
    const body = { ...credentials, token: token.body.refresh_token };
    return () => service.call('/v1/auth/revoke', { method: 'POST', body });
  },
  'POST /v1/clients': async () => post('/v1/clients', { name: 'x', scopes: ['documents:read'] }),
  'PATCH /v1/clients/:id': async () => {
    const path = await aClientOf();
    return () => client.patch(path, { addresses: ['192.0.2.0/24'] });
  },
  'POST /v1/clients/:id/rotate': async () => post(`${await aClientOf()}/rotate`),
  'DELETE /v1/clients/:id': async () => {
    const path = await aClientOf();
    return () => client.delete(path);
  },
  [`POST ${DOCUMENTS}`]: async () => () => client.anInvoice().then(() => client.get('/livez')),
  [`PATCH ${DOCUMENTS}/:id`]: async () => {
    const { id } = await client.anInvoice({ issue: false });
    return () => client.patch(`${DOCUMENTS}/${id}`, { notes: 'other' });
  },
  [`DELETE ${DOCUMENTS}/:id`]: async () => {
    const { id } = await client.anInvoice({ issue: false });
    return () => client.delete(`${DOCUMENTS}/${id}`);
  },
  [`POST ${DOCUMENTS}/:id/issue`]: async () =>
    onDocument(await client.anInvoice({ issue: false }), 'issue'),
  [`POST ${DOCUMENTS}/:id/void`]: async () => onDocument(await client.anInvoice(), 'void'),
  [`POST ${DOCUMENTS}/:id/write-off`]: async () =>
    onDocument(await client.anInvoice(), 'write-off', { reason: 'gone' }),
  [`POST ${DOCUMENTS}/:id/tax-relief`]: async () => {
    const invoice = await client.anInvoice();
    await client.post(`${DOCUMENTS}/${invoice.id}/write-off`);
    return onDocument(invoice, 'tax-relief');
  },
  [`POST ${DOCUMENTS}/:id/write-off/reverse`]: async () => {
    const invoice = await client.anInvoice();
    await client.post(`${DOCUMENTS}/${invoice.id}/write-off`);
    return onDocument(invoice, 'write-off/reverse');
  },
  [`POST ${DOCUMENTS}/:id/duplicate`]: async () =>
    onDocument(await client.anInvoice(), 'duplicate'),
  [`POST ${DOCUMENTS}/:id/revise`]: async () => onDocument(await client.aQuote(), 'revise'),
  [`POST ${DOCUMENTS}/:id/convert`]: async () => onDocument(await client.aQuote(), 'convert'),
  [`POST ${DOCUMENTS}/:id/credit-notes`]: async () => {
    const invoice = await client.anInvoice();
    return () => aCreditNote(client, invoice, {}).then(() => client.get('/livez'));
  },
  [`POST ${DOCUMENTS}/:id/portal-tokens`]: async () =>
    onDocument(await client.anInvoice(), 'portal-tokens'),
  [`DELETE ${DOCUMENTS}/:id/portal-tokens`]: async () => {
    const invoice = await client.anInvoice();
    await client.aPortalToken(invoice);
    return () => client.delete(`${DOCUMENTS}/${invoice.id}/portal-tokens`);
  },
  [`DELETE ${DOCUMENTS}/:id/portal-tokens/:token_id`]: async () => {
    const path = `${DOCUMENTS}/${(await client.anInvoice()).id}/portal-tokens`;
    const { body } = await client.post<Id>(path);
    return () => client.delete(`${path}/${body.id}`);
  },
  [`POST ${DOCUMENTS}/:id/payments`]: async () =>
    onDocument(await client.anInvoice(), 'payments', { amount: 500, method: 'cash' }),
  [`POST ${DOCUMENTS}/:id/payment-links`]: async () =>
    onDocument(await client.anInvoice(), 'payment-links', { gateway: 'gateway-a' }),
  'POST /v1/finance/payment-links/:id/cancel': async () => {
    const { id } = await client.aPaymentLink(await client.anInvoice());
    return post(`/v1/finance/payment-links/${id}/cancel`);
  },
  [`POST ${PAYMENTS}`]: async () => {
    const { id } = await client.anInvoice();
    const allocations = [{ document_id: id, amount: 500 }];
    return post(PAYMENTS, { amount: 500, method: 'cash', allocations });
  },
  [`POST ${PAYMENTS}/:id/allocations`]: async () => {
    const invoice = await client.anInvoice();
    const { body } = await client.pay(invoice);
    const { id } = (body as { payment: Id }).payment;
    return post(`${PAYMENTS}/${id}/allocations`, { from: invoice.id, to: 'credit', amount: 100 });
  },
  [`POST ${PAYMENTS}/:id/reverse`]: async () =>
    post(`${PAYMENTS}/${(await aPayment()).id}/reverse`, { reason: 'wrong' }),
  [`POST ${PAYMENTS}/:id/refunds`]: async () =>
    post(`${PAYMENTS}/${(await aPayment()).id}/refunds`, { amount: 100, method: 'cash' }),
  'POST /v1/finance/refunds/:id/reverse': async () => {
    const sent = { amount: 100, method: 'cash' };
    const { body } = await client.post(`${PAYMENTS}/${(await aPayment()).id}/refunds`, sent);
    return post(`/v1/finance/refunds/${(body as { refund: Id }).refund.id}/reverse`);
  },
  'POST /v1/finance/refunds/:id/meaning': async () => {
    const sent = { amount: 100, method: 'cash' };
    const { body } = await client.post(`${PAYMENTS}/${(await aPayment()).id}/refunds`, sent);
    const { id } = (body as { refund: Id }).refund;
    return post(`/v1/finance/refunds/${id}/meaning`, { meaning: 'owed_again' });
  },
  'POST /v1/finance/gateway-events/:id/replay': async () => {
    await anItem(service, client);
    const { body } = await client.get<{ data: Id[] }>('/v1/finance/gateway-events');
    return post(`/v1/finance/gateway-events/${body.data[0]?.id}/replay`);
  },
  'POST /v1/finance/unmatched-items/:id/close': async () =>
    post(`/v1/finance/unmatched-items/${await anItem(service, client)}/close`, { reason: 'done' }),
  'POST /v1/finance/unmatched-items/:id/reopen': async () => {
    const path = `/v1/finance/unmatched-items/${await anItem(service, client)}`;
    await client.post(`${path}/close`, { reason: 'done' });
    return post(`${path}/reopen`, { reason: 'not yet' });
  },
  'POST /v1/finance/unmatched-receipts/:id/assign': async () => {
    const { id } = await aReceipt();
    const customer = await client.aCustomer();
    return post(`/v1/finance/unmatched-receipts/${id}/assign`, { customer_id: customer.id });
  },
  'POST /v1/finance/unmatched-receipts/:id/refunds': async () => {
    const { id } = await aReceipt();
    const body = { amount: 100, method: 'bank_transfer' };
    return post(`/v1/finance/unmatched-receipts/${id}/refunds`, body);
  },
  'POST /v1/finance/bank-statements': async () => async () =>
    importFile(client, aCamt053([{ amount: '9.00' }], 'S-coverage')),
  'DELETE /v1/finance/bank-statements/:id': async () => {
    const { body } = await importFile(client, aCamt053([{ amount: '8.00' }], 'S-withdrawn'));
    return async () => client.delete(`/v1/finance/bank-statements/${body.id}`);
  },
  'DELETE /v1/finance/bank-file-mappings/:id': async () => {
    const path = `/v1/finance/bank-file-mappings/${await aBankFileMapping(client)}`;
    return async () => client.delete(path);
  },
  'POST /v1/finance/bank-entries/:id/confirm': async () => {
    const path = await anEntry();
    const customer = await client.aCustomer();
    return post(`${path}/confirm`, { customer_id: customer.id });
  },
  'POST /v1/finance/bank-entries/:id/book': async () =>
    post(`${await anEntry()}/book`, { ledger_account: 'other_income' }),
  'POST /v1/finance/bank-entries/:id/unbook': async () => {
    const entry = await anEntry();
    await client.post(`${entry}/book`, { ledger_account: 'other_income' });
    return post(`${entry}/unbook`);
  },
  'POST /v1/finance/bank-entries/:id/ignore': async () => post(`${await anEntry()}/ignore`),
  'POST /v1/finance/payouts': async () =>
    post('/v1/finance/payouts', { ...aPayout, provider_payout_id: 'po_covered' }),
  'POST /v1/finance/payouts/import': async () => async () => importReport(client),
  'POST /v1/finance/payouts/:id/fail': async () => post(`${await aPayoutOf('po_fails')}/fail`),
  'POST /v1/finance/payouts/:id/reverse': async () =>
    post(`${await aPayoutOf('po_wrong')}/reverse`),
  'PATCH /v1/finance/chart-of-accounts': async () => () => {
    return client.patch('/v1/finance/chart-of-accounts', { template: 'skr03' });
  },
  'PUT /v1/finance/exchange-rates': async () => () =>
    client.putRates([{ base: 'EUR', quote: 'CHF', rate: '0.93', day: '2026-01-02' }]),
  'PATCH /v1/finance/payment-settings': async () => () => {
    return client.patch('/v1/finance/payment-settings', { underpayment_tolerance: [] });
  },
  [`POST ${CUSTOMERS}`]: async () => () => client.post(CUSTOMERS, { name: 'Initech' }),
  [`PUT ${CUSTOMERS}/by-external-id/:external_id`]: async () => () =>
    client.put(`${CUSTOMERS}/by-external-id/E-1`, { name: 'Initech' }),
  [`PUT ${DOCUMENTS}/by-external-id/:external_id`]: async () => () =>
    client.put(`${DOCUMENTS}/by-external-id/E-1`, aDraft),
  [`POST ${DOCUMENTS}/batch`]: async () => post(`${DOCUMENTS}/batch`, { documents: [aDraft] }),
  [`PATCH ${CUSTOMERS}/:id`]: async () => {
    const { id } = await client.aCustomer();
    return () => client.patch(`${CUSTOMERS}/${id}`, { name: 'Initech' });
  },
  [`DELETE ${CUSTOMERS}/:id`]: async () => {
    const { id } = await client.aCustomer();
    return () => client.delete(`${CUSTOMERS}/${id}`);
  },
  [`POST ${CUSTOMERS}/:id/erase`]: async () =>
    post(`${CUSTOMERS}/${(await client.aCustomer()).id}/erase`),
  [`POST ${CUSTOMERS}/:id/archive`]: async () =>
    post(`${CUSTOMERS}/${(await client.aCustomer()).id}/archive`),
  [`POST ${CUSTOMERS}/:id/unarchive`]: async () => {
    const { id } = await client.aCustomer();
    await client.post(`${CUSTOMERS}/${id}/archive`);
    return post(`${CUSTOMERS}/${id}/unarchive`);
  },
  ...catalogueWrites(() => client),
  ...scheduleWrites(...at),
  ...dunningWrites(...at),
  ...integrityWrites(() => client),
  ...ownGatewayWrites(() => client),
  ...mandateWrites(() => client),
  ...attachmentWrites(() => client),
  ...mailWrites(...at),
  'POST /v1/finance/vat-methods': async () =>
    post('/v1/finance/vat-methods', { method: 'cash', from: '2026-01-01' }),
  'POST /v1/finance/periods/:month/close': async () => post('/v1/finance/periods/2020-02/close'),
  'POST /v1/finance/periods/:month/reopen': async () => {
    await client.post('/v1/finance/periods/2020-03/close');
    return post('/v1/finance/periods/2020-03/reopen');
  },
  'PATCH /v1/finance/seller': async () => () => {
    return client.patch('/v1/finance/seller', { name: 'Acme Ltd' });
  },
  'PUT /v1/finance/seller/logo': async () => () => {
    const type = { 'content-type': 'image/png' };
    return client.put('/v1/finance/seller/logo', aPng({ width: 20, height: 10 }), type);
  },
  'DELETE /v1/finance/seller/logo': async () => {
    const type = { 'content-type': 'image/png' };
    await client.put('/v1/finance/seller/logo', aPng({ width: 10, height: 10 }), type);
    return () => client.delete('/v1/finance/seller/logo');
  },
  ...endpointWrites(() => ({ client, database: service.database })),
  [`POST ${NUMBERING}`]: async () =>
    post(NUMBERING, { id: 'a', kind: 'quote', pattern: 'A-{SEQ:3}', reset: 'never' }),
  [`PATCH ${NUMBERING}/:series_id`]: async () => () =>
    client.patch(`${NUMBERING}/proforma`, { next: 7 }),
  'POST /v1/portal/:token/accept': async () =>
    ofPortal(await client.aPortalToken(await client.aQuote()), 'accept', {}),
  'POST /v1/portal/:token/pay': async () =>
    ofPortal(await client.aPortalToken(await client.anInvoice()), 'pay', {}),
  'POST /v1/portal/:token/reject': async () =>
    ofPortal(await client.aPortalToken(await client.anInvoice()), 'reject', { reason: 'No' }),
  'POST /v1/webhooks/:gateway': async () => {
    const link = await client.aPaymentLink(await client.anInvoice());
    return () => service.deliverPaid(link);
  },
  // The last: from then on the account is a day ahead.
  'POST /v1/test-clock/advance': async () => post('/v1/test-clock/advance', { days: 1 }),
};

/** The expected names, if it is not the client by its public id. */
const OTHERS: Record<string, () => string | RegExp> = {
  'POST /v1/webhooks/:gateway': () => 'gateway-a',
  'POST /v1/finance/bank-statements': () => uuidOf('cli', client.id) ?? '',
  'PUT /v1/finance/exchange-rates': () => uuidOf('cli', client.id) ?? '',
  'POST /v1/finance/payouts': () => uuidOf('cli', client.id) ?? '',
  'POST /v1/finance/payouts/import': () => uuidOf('cli', client.id) ?? '',
  'POST /v1/finance/payouts/:id/fail': () => uuidOf('cli', client.id) ?? '',
  'POST /v1/finance/payouts/:id/reverse': () => uuidOf('cli', client.id) ?? '',
};

const isWrite = ({ method }: { method: string }) => !['GET', 'HEAD'].includes(method);

describe('every route that writes', () => {
  it('is tried here, or has a reason', () => {
    const routes = routesOf(service.app).filter(isWrite);
    const names = [...new Set(routes.map(({ method, path }) => `${method} ${path}`))];
    expect(names.toSorted()).toEqual([...Object.keys(EXEMPT), ...Object.keys(ROUTES)].toSorted());
    expect(names.length).toBeGreaterThan(40);
  });

  it.each(Object.keys(ROUTES))('says who called: %s', async (route) => {
    const act = await ROUTES[route]!();
    const before = await nextTransaction();
    const { status, text } = await act();
    expect([status < 300, text]).toEqual([true, text]);
    const isOfPortal = route.startsWith('POST /v1/portal/');
    const who = OTHERS[route]?.() ?? (isOfPortal ? /^ptok_/ : client.id);
    expect(await namedSince(before)).toContainEqual(expect.stringMatching(who));
  });
});

describe('every transaction', () => {
  it('that wrote what somebody decided on says who', async () => {
    const untold = await service.database.query<{ tables: string }>(
      `SELECT DISTINCT tables FROM (
         SELECT xact, string_agg(name, ' ' ORDER BY name) AS tables FROM noted.writes
         WHERE name <> ALL ($1) GROUP BY xact
       ) written
       WHERE NOT EXISTS (SELECT FROM (${TOLD}) told WHERE told.xact = written.xact)`,
      [Object.keys(UNTOLD)],
    );
    expect(untold).toEqual([]);
    const [written] = await service.database.query<{ count: bigint }>(
      'SELECT count(DISTINCT xact) FROM noted.writes',
    );
    expect(Number(written?.count)).toBeGreaterThan(60);
  });
});
