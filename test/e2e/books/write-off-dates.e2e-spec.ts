import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, good, pathOf } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import type { Report } from './tax-figures.js';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

it('a loss counts for the day that its write-off names, and so does its tax', async () => {
  const invoice = await client.anInvoice({ issue_date: '2026-09-10' });
  const off = async (date: string) =>
    client.post(pathOf(invoice, 'write-off'), { date, tax_relief: true });
  expectProblem(await off('2026-09-09'), 422, 'date_too_early');
  expectProblem(await off('2099-01-01'), 422, 'date_in_future');
  good(await off('2026-09-30'), 200);
  for (const fact of ['document.written_off', 'document.tax_relieved']) {
    const path = `/v1/finance/ledger?document_id=${invoice.id}&fact=${fact}`;
    const { data } = good(await client.get<{ data: { effective_on: string }[] }>(path), 200);
    expect(data.map(({ effective_on }) => effective_on)).toEqual(['2026-09-30']);
  }
  const september = '/v1/finance/reports/tax?from=2026-09-01&to=2026-09-30';
  expect(good(await client.get<Report>(september), 200)).toMatchObject({
    data: [{ tax_amount: 0, tax_relief: 1900 }],
  });
});
