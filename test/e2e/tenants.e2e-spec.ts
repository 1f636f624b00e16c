import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { imported } from './bank-calls.js';
import { contentsOf } from './expectations.js';
import { routesOf } from './routes.js';

// What belongs to another account does not exist: every route with an id, as the router has them.

let service: TestService;
let stranger: TestClient;
let owner: TestClient;
/** The owner's id for each place of a path that takes one. */
let ids: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  [owner, stranger] = await Promise.all([service.aClient(), service.aClient()]);
  const invoice = await owner.anInvoice();
  const payment = await owner.pay(invoice);
  const link = await owner.aPaymentLink(invoice);
  await owner.aPortalToken(invoice);
  const series = { series: 'own', kind: 'invoice', pattern: 'OWN-{SEQ}' };
  await owner.post('/v1/finance/numbering', series);
  const tokens = await owner.get<{ data: { id: string }[] }>(
    `/v1/finance/documents/${invoice.id}/portal-tokens`,
  );
  const { id: paymentId } = payment.body['payment'] as { id: string };
  const refunded = await owner.post(`/v1/finance/payments/${paymentId}/refunds`, { amount: 100 });
  const voided = await owner.anInvoice();
  const lateLink = await owner.aPaymentLink(voided);
  await owner.void(voided);
  await service.deliverPaid(lateLink);
  const receipts = await owner.get<{ data: { id: string }[] }>('/v1/finance/unmatched-receipts');
  Object.assign(BODIES, {
    '/v1/finance/payments/:id/allocations': { from: invoice.id, to: 'credit', amount: 1 },
    '/v1/finance/unmatched-receipts/:id/assign': { customer_id: invoice.customer_id },
  });
  const [entry] = await imported(owner, { amount: '1.00' });
  ids = {
    'refunds/:id': (refunded.body['refund'] as { id: string }).id,
    'unmatched-receipts/:id': receipts.body.data[0]?.id ?? '',
    'bank-statements/:id': entry?.statement_id ?? '',
    'bank-entries/:id': entry?.id ?? '',
    'documents/:id': invoice.id,
    'customers/:id': invoice.customer_id,
    'payments/:id': paymentId,
    'payment-links/:id': link.id,
    'portal-tokens/:token_id': tokens.body.data[0]?.id ?? '',
    'numbering/:series': series.series,
  };
});
afterAll(() => service.close());

/** A body that each route takes from the owner; the others take an empty one. */
const BODIES: Record<string, object> = {
  '/v1/finance/bank-entries/:id/confirm': { customer_id: 'cus_01h455vb4pex5vsknk084sn02q' },
  '/v1/finance/documents/:id/payments': { amount: 100, method: 'cash' },
  '/v1/finance/documents/:id/payment-links': { gateway: 'gateway-a' },
};

function filled(path: string): string {
  return path.replace(/([a-z-]+)\/(:\w+)/g, (whole, folder: string) => {
    const id = ids[whole];
    if (!id) throw new Error(`this test has no id for ${whole} of ${path}; make one`);
    return `${folder}/${id}`;
  });
}

const routesWithId = () =>
  routesOf(service.app).filter(({ path }) => /^\/v1\/(finance|events).*\/:/.test(path));

async function answersTo(client: TestClient): Promise<[string, number][]> {
  const authorization = `Bearer ${await client.bearer()}`;
  const answers: [string, number][] = [];
  for (const { method, path } of routesWithId()) {
    const body = method === 'GET' || method === 'DELETE' ? undefined : (BODIES[path] ?? {});
    const answer = await service.call(filled(path), { method, body, headers: { authorization } });
    answers.push([`${method} ${path}`, answer.status]);
  }
  return answers;
}

describe('a stranger', () => {
  it('gets 404 from every route with an id, and changes nothing', async () => {
    await stranger.bearer();
    const before = await contentsOf(service.database);
    const answers = await answersTo(stranger);
    expect(answers.length).toBeGreaterThan(10);
    expect(answers).toEqual(answers.map(([route]) => [route, 404]));
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('sees nothing of it in a list', async () => {
    for (const { method, path } of routesOf(service.app)) {
      if (method !== 'GET' || path.includes(':') || !path.startsWith('/v1/finance')) continue;
      // One's own, and no list: seller.e2e-spec.ts shows its wall.
      if (/\/(seller|payment-settings|integrity|ledger\/balances|reports)/.test(path)) continue;
      const answer = await stranger.get<{ data?: unknown[] }>(path);
      // Every account has these from the start.
      const builtIn = path === '/v1/finance/numbering' ? 4 : 0;
      expect([path, answer.status, answer.body.data?.length]).toEqual([path, 200, builtIn]);
      expect(answer.text).not.toContain('OWN-');
    }
  });
});

describe('the owner', () => {
  it('gets 404 from none of them', async () => {
    // In the order of the router: what is deleted by one route is not asked for by a later one.
    const answers = await answersTo(owner);
    expect(answers.filter(([, status]) => status === 404 || status >= 500)).toEqual([]);
  });
});
