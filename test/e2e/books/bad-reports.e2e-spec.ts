import { afterAll, beforeAll, beforeEach, describe, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem } from '../expectations.js';
import { agingOf } from './report-calls.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
});
afterAll(() => service.close());

describe('a report', () => {
  it.each([
    ['ledger?account=petty_cash', 'invalid_query'],
    ['ledger?fact=document.paid', 'invalid_query'],
    ['ledger?document_id=INV-00001', 'invalid_query'],
    ['ledger?customer_id=cus_1', 'invalid_query'],
    ['ledger?effective_from=2026-02-02&effective_to=2026-02-01', 'invalid_query'],
    ['ledger?recorded_from=2026-02-02', 'invalid_query'],
    ['ledger?recorded_from=2026-02-02T00:00:00Z&recorded_to=2026-02-01T00:00:00Z', 'invalid_query'],
    ['ledger?format=csv&cursor=x', 'invalid_query'],
    ['ledger?format=jsonl&limit=1', 'invalid_query'],
    ['ledger?sort=amount', 'invalid_query'],
    ['ledger?cursor=x', 'invalid_cursor'],
    ['ledger/balances?date=today', 'invalid_query'],
    ['ledger/balances?currency=XXX', 'invalid_query'],
    ['reports/aging?date=2026-02-30', 'invalid_query'],
    ['reports/aging?currency=EURO', 'invalid_query'],
    ['reports/aging?customer_id=doc_01h455vb4pex5vsknk084sn02q', 'invalid_query'],
    ['reports/aging?customer_id=%00', 'invalid_query'],
    ['reports/aging?format=xml', 'invalid_query'],
    ['reports/aging?format=csv&limit=2', 'invalid_query'],
    ['reports/aging?group=country', 'invalid_query'],
    ['reports/aging?limit=0', 'invalid_query'],
    ['reports/aging?cursor=x', 'invalid_cursor'],
    ['reports/aging?bucket=rejected', 'invalid_query'],
    ['reports/revenue?from=2026-02-01&to=2026-01-31', 'invalid_query'],
    ['reports/revenue?from=2026-02-01&to=soon', 'invalid_query'],
    ['reports/revenue?interval=week', 'invalid_query'],
    ['reports/revenue?from=2020-01-01&to=2026-01-01&interval=day', 'invalid_query'],
    ['reports/revenue?from=2026-01-01&from=2026-02-01', 'invalid_query'],
  ])('refuses %s', async (path, code) => {
    expectProblem(await client.get(`/v1/finance/${path}`), 400, code);
  });

  it('refuses a made-up cursor before it reaches the database', async () => {
    for (let at = 0; at < 2; at += 1) await client.anInvoice();
    for (const group of ['customer', 'document']) {
      const { next_cursor: cursor } = await agingOf(client, { group, limit: 1 });
      const parts = JSON.parse(Buffer.from(cursor ?? '', 'base64url').toString()) as string[];
      const forged = Buffer.from(JSON.stringify([parts[0], '\0', parts[2]])).toString('base64url');
      const path = `/v1/finance/reports/aging?group=${group}&cursor=${forged}`;
      expectProblem(await client.get(path), 400, 'invalid_cursor');
    }
  });

  it('refuses a statement that ends before it begins, and of nobody', async () => {
    const { customer_id: id } = await client.anInvoice();
    const path = `/v1/finance/customers/${id}/statement`;
    const query = 'from=2026-07-02&to=2026-07-01';
    expectProblem(await client.get(`${path}?${query}`), 400, 'invalid_query');
    const stranger = await service.aClient();
    for (const one of [path, path.replace(id, 'cus_x')]) {
      expectProblem(await stranger.get(one), 404, 'customer_not_found');
    }
    for (const one of [`reports/aging?customer_id=${id}`, `ledger?customer_id=${id}`]) {
      expectProblem(await stranger.get(`/v1/finance/${one}`), 404, 'customer_not_found');
    }
    const { id: document } = await client.anInvoice();
    const ledger = `/v1/finance/ledger?document_id=${document}&format=csv`;
    expectProblem(await stranger.get(ledger), 404, 'document_not_found');
  });

  it('is for those who may read reports', async () => {
    const reader = await service.aClient({ scopes: ['documents:read'], of: client });
    for (const path of ['ledger', 'ledger/balances', 'reports/aging', 'reports/revenue']) {
      expectProblem(await reader.get(`/v1/finance/${path}`), 403, 'insufficient_scope');
    }
  });
});
