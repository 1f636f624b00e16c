import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { type ExtfFile, readExtf, vatByAccount, vatOf } from '../../vat/extf-reader.js';
import { closeWithBooks, good, pathOf } from '../documents/document-calls.js';
import { type Report, taxOf } from './tax-figures.js';

// DATEV computes tax from our file by itself. It is that of the documents and of the report.

const NOVEMBER = { from: '2026-11-01', to: '2026-11-30' };
const DATEV = { consultant_number: 29_098, client_number: 55_003 };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
  good(await client.patch('/v1/finance/seller', { country: 'DE' }), 200);
});
afterAll(() => closeWithBooks(service));

async function fileOf(template: string): Promise<ExtfFile> {
  good(await client.patch('/v1/finance/chart-of-accounts', { template, datev: DATEV }), 200);
  const query = new URLSearchParams({ ...NOVEMBER, format: 'datev' });
  const { status, bytes, text } = await client.get(`/v1/finance/reports/journal?${query}`);
  if (status !== 200) throw new Error(text);
  return readExtf(bytes);
}

async function reported(): Promise<number> {
  const query = new URLSearchParams(NOVEMBER);
  return taxOf(good(await client.get<Report>(`/v1/finance/reports/tax?${query}`), 200));
}

const invoice = async (wish: object) =>
  client.anInvoice({ issue_date: '2026-11-02', customer: { name: 'A', country: 'DE' }, ...wish });
const at = (day: string) => ({ paid_at: `2026-11-${day}T12:00:00Z` });

/** A discount of 2 % on 1190.00, losses at both rates whose tax is claimed back, and one more invoice. */
async function aMonthWithLosses() {
  const discounted = await invoice({
    unitAmount: 100_000,
    cash_discounts: [{ percent: '2', days: 14 }],
  });
  good(await client.pay(discounted, { amount: 116_620, ...at('05') }), 201);
  const lost = await invoice({ unitAmount: 89_000 });
  good(await client.post(pathOf(lost, 'write-off'), { tax_relief: true }), 200);
  const book = await invoice({ unitAmount: 3333, taxRate: '7' });
  good(await client.post(pathOf(book, 'write-off'), { tax_relief: true }), 200);
  await invoice({ unitAmount: 7777 });
}

describe.each([
  ['skr03', { 8400: 37_388n, 8300: 233n, 8736: -380n, 2406: -16_910n, 2401: -233n }],
  ['skr04', { 4400: 37_388n, 4300: 233n, 4736: -380n, 6936: -16_910n, 6931: -233n }],
])('the tax that DATEV computes by %s', (template, byAccount) => {
  it('is less the discounts and losses, each by its rate', async () => {
    await aMonthWithLosses();
    const file = await fileOf(template);
    expect(Object.fromEntries(vatByAccount(file))).toEqual(byAccount);
    expect(Number(vatOf(file))).toBe(await reported());
  });

  it('is the tax of a credit note that took back another part of it than its rate', async () => {
    const cheap = await invoice({ unitAmount: 100 });
    for (let cent = 0; cent < 10; cent += 1) {
      await aCreditNote(client, cheap, { amount: 1, issue_date: '2026-11-03' });
    }
    expect(await reported()).toBe(17);
    expect(vatOf(await fileOf(template))).toBe(17n);
  });
});
