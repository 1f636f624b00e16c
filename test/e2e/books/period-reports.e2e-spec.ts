import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JournalPage } from '../../../src/books/wire/journal.js';
import type { TaxReportBody } from '../../../src/books/wire/tax.js';
import type { TrialBalanceBody } from '../../../src/books/wire/trial-balance.js';
import type { VatReturnBody } from '../../../src/books/wire/vat-return.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks, good } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { csvOf } from './report-calls.js';

// An accountant asks for these first: trial balance, open items, VAT return, journal, statement.

const JUNE = { from: '2026-06-01', to: '2026-06-30' };
const QUARTER = { from: '2026-04-01', to: '2026-06-30' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  service.clock.set('2026-06-15T12:00:00Z');
  client = await service.aClient();
  await sellFrom('DE');
});
afterAll(() => closeWithBooks(service));

const sellFrom = async (country: string) =>
  good(await client.patch('/v1/finance/seller', { country }), 200);

const withQuery = (path: string, query: Record<string, string>) =>
  `/v1/finance/${path}?${new URLSearchParams(query)}`;

const trialBalance = async (query: Record<string, string> = {}) =>
  good(
    await client.get<TrialBalanceBody>(withQuery('reports/trial-balance', { ...JUNE, ...query })),
    200,
  );

const vatReturn = async (query: Record<string, string> = {}) =>
  good(
    await client.get<VatReturnBody>(withQuery('reports/vat-return', { ...JUNE, ...query })),
    200,
  );

/** Those with anything in them. */
const boxesOf = ({ data }: VatReturnBody) =>
  Object.fromEntries(
    data
      .filter((box) => box.taxable_amount !== 0)
      .map((box) => [box.box, [box.taxable_amount, box.tax_amount]]),
  );

/** The tax of all boxes, and of what is in none. */
const taxInAndOut = ({ data, outside }: VatReturnBody) =>
  [...data, ...outside].reduce((sum, { tax_amount: tax }) => sum + (tax ?? 0), 0);

const taxReported = async () => {
  const path = withQuery('reports/tax', JUNE);
  return good(await client.get<TaxReportBody>(path), 200).totals[0]?.tax_amount;
};

const sale = async (
  buyer: { country?: string; tax_id?: string },
  line: { unit_amount: number; tax_category?: string; tax_rate?: string },
  more: object = {},
) =>
  client.anInvoice({
    customer: { name: 'Buyer', ...buyer },
    lines: [{ description: 'Work', ...line }],
    ...more,
  });

describe('the trial balance', () => {
  it('has each account with its balance before, its turnover, and its balance at the end', async () => {
    service.clock.set('2026-05-20T12:00:00Z');
    const before = await client.anInvoice();
    good(await client.pay(before, { amount: 4000 }), 201);
    service.clock.set('2026-06-15T12:00:00Z');
    good(await client.pay(before, { amount: 7900 }), 201);
    const invoice = await client.anInvoice();
    service.clock.set('2026-07-02T12:00:00Z');
    good(await client.pay(invoice, { amount: 100 }), 201);

    const { data, totals } = await trialBalance();
    const figures = (name: string) => data.find(({ account }) => account === name);
    const due = invoice.amount_due;
    expect(figures('receivables')).toMatchObject({
      number: '1200',
      currency: 'EUR',
      opening_balance: 7900,
      debit: due,
      credit: 7900,
      closing_balance: due,
    });
    expect(figures('cash')).toMatchObject({
      opening_balance: 4000,
      debit: 7900,
      credit: 0,
      closing_balance: 11_900,
    });
    expect(totals).toEqual([
      {
        currency: 'EUR',
        opening_balance: 0,
        debit: due + 7900,
        credit: due + 7900,
        closing_balance: 0,
      },
    ]);
    expect(await csvOf(client, 'reports/trial-balance', JUNE)).toEqual(
      data.map((line) =>
        Object.fromEntries(Object.entries(line).map(([name, value]) => [name, String(value)])),
      ),
    );
  });

  it('names no number where the chart has several for an account', async () => {
    const invoice = await client.anInvoice();
    good(await client.pay(invoice, { amount: 100 }), 201);
    good(await client.patch('/v1/finance/chart-of-accounts', { template: 'skr03' }), 200);
    const numbers = new Map((await trialBalance()).data.map((line) => [line.account, line.number]));
    expect(numbers).toEqual(
      new Map([
        ['receivables', '1410'],
        ['cash', null],
        ['revenue', null],
        ['tax_payable', '1770'],
      ]),
    );
  });

  it('keeps currencies apart, and tells of one alone', async () => {
    await client.anInvoice();
    await client.anInvoice({ currency: 'USD' });
    expect((await trialBalance()).totals.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
    const { data, totals } = await trialBalance({ currency: 'USD' });
    expect(new Set(data.map(({ currency }) => currency))).toEqual(new Set(['USD']));
    expect(totals).toHaveLength(1);
    expect((await trialBalance({ currency: 'CHF' })).data).toEqual([]);
  });
});

const rate = (day: string, of: string) => ({
  base: 'USD',
  quote: 'EUR',
  day,
  rate: of,
  source: 'BMF',
});

describe('the VAT return', () => {
  it('of Germany has each kind of sale in its box', async () => {
    await sale({ country: 'DE' }, { unit_amount: 10_050, tax_rate: '19' });
    await sale({ country: 'FR' }, { unit_amount: 1000, tax_rate: '19' });
    await sale({}, { unit_amount: 2000, tax_rate: '7' });
    await sale({ country: 'DE' }, { unit_amount: 300, tax_rate: '16' });
    await sale({ country: 'FR' }, { unit_amount: 400, tax_rate: '20' });
    await sale({ country: 'FR', tax_id: 'FR12345678901' }, { unit_amount: 500, tax_category: 'K' });
    await sale(
      { country: 'FR', tax_id: 'FR12345678901' },
      { unit_amount: 600, tax_category: 'AE' },
    );
    await sale({ country: 'DE' }, { unit_amount: 700, tax_category: 'AE' });
    await sale({ country: 'CH' }, { unit_amount: 800, tax_category: 'G' });
    await sale({ country: 'DE' }, { unit_amount: 900, tax_category: 'E' });
    const told = await vatReturn();
    expect(told).toMatchObject({ country: 'DE', ...JUNE, has_more: false });
    expect(boxesOf(told)).toEqual({
      81: [11_050, 2100],
      86: [2000, 140],
      35: [300, 48],
      41: [500, null],
      21: [600, null],
      60: [700, null],
      43: [800, null],
      48: [900, null],
    });
    const of81 = told.data.find(({ box }) => box === '81');
    expect(of81).toMatchObject({ declared_taxable_amount: 11_000, declared_tax_amount: 2100 });
    expect(told.outside).toEqual([
      {
        reason: 'oss',
        tax_category: 'S',
        tax_rate: '20',
        country: 'FR',
        currency: 'EUR',
        taxable_amount: 400,
        tax_amount: 80,
      },
    ]);
  });

  it.each([
    ['AT', { '000': 3150, '022': 1000, '029': 800, '006': 600, '021': 400, '017': 350 }],
    ['FR', { A1: 1450, '08': 1000, '9B': 450, E2: 400, E3: 1400, F2: 350 }],
    ['NL', { '1c': 1000, '1e': 400, '3b': 350 }],
  ])('of %s follows its own form', async (home, boxes) => {
    await sellFrom(home);
    const rates =
      home === 'FR'
        ? [['10', 450]]
        : [
            ['10', 800],
            ['13', 600],
          ];
    await sale({ country: home }, { unit_amount: 1000, tax_rate: '20' });
    for (const [rate, unit_amount] of rates) {
      const country = home === 'NL' ? 'BE' : home;
      await sale({ country }, { unit_amount: Number(unit_amount), tax_rate: String(rate) });
    }
    if (home === 'FR') await sale({ country: 'BE' }, { unit_amount: 1400, tax_rate: '21' });
    await sale({ country: home }, { unit_amount: 400, tax_category: 'AE' });
    const abroad = home === 'FR' ? 'DE' : 'FR';
    const tax_id = home === 'FR' ? 'DE123456789' : 'FR12345678901';
    await sale({ country: abroad, tax_id }, { unit_amount: 350, tax_category: 'K' });
    const told = await vatReturn();
    const bases = Object.entries(boxesOf(told)).map(([box, [base]]) => [box, base]);
    expect(Object.fromEntries(bases)).toEqual(boxes);
    expect(taxInAndOut(told)).toBe(await taxReported());
  });

  it('is less by notes, and its tax is that of the tax report', async () => {
    const invoice = await sale({ country: 'DE' }, { unit_amount: 9999, tax_rate: '19' });
    await aCreditNote(client, invoice, { amount: 1000 });
    await sale({ country: 'FR' }, { unit_amount: 777, tax_rate: '20' });
    const told = await vatReturn();
    expect(taxInAndOut({ ...told, outside: [] })).toBeGreaterThan(0);
    expect(taxInAndOut(told)).toBe(await taxReported());
  });

  it('counts another currency month by month, and names what has no rate', async () => {
    const [dollars, pounds] = [{ currency: 'USD' }, { currency: 'GBP' }];
    service.clock.set('2026-05-20T12:00:00Z');
    await sale({ country: 'DE' }, { unit_amount: 10_000, tax_rate: '19' }, dollars);
    service.clock.set('2026-06-15T12:00:00Z');
    await sale({ country: 'DE' }, { unit_amount: 10_000, tax_rate: '19' }, dollars);
    await sale({ country: 'DE' }, { unit_amount: 5000, tax_rate: '19' }, pounds);
    service.clock.set('2026-07-01T12:00:00Z');
    const rates = [rate('2026-05-31', '0.9'), rate('2026-06-30', '0.8')];
    good(await client.put('/v1/finance/exchange-rates', { rates }), 200);
    const told = await vatReturn(QUARTER);
    expect(boxesOf(told)).toEqual({ 81: [17_000, 3230] });
    expect(told.outside).toMatchObject([
      { reason: 'no_rate', currency: 'GBP', taxable_amount: 5000, tax_amount: 950 },
    ]);
  });

  it('has what fits no box outside, in its file, too', async () => {
    await sale({ country: 'CH' }, { unit_amount: 1000, tax_rate: '8.1' });
    const { data, outside } = await vatReturn();
    expect(data.every(({ taxable_amount: base }) => base === 0)).toBe(true);
    expect(outside).toMatchObject([{ reason: 'no_box', tax_rate: '8.1', taxable_amount: 1000 }]);
    expect((await csvOf(client, 'reports/vat-return', JUNE)).at(-1)).toMatchObject({
      box: '',
      label: 'No box is known; look at it: S, 8.1 %, CH',
      taxable_amount: '1000',
      tax_amount: '81',
    });
  });

  it('is refused for a country whose form is not known, unless another one is named', async () => {
    await sellFrom('CH');
    const refused = await client.get(withQuery('reports/vat-return', JUNE));
    expectProblem(refused, 400, 'invalid_query');
    expect(refused.text).toContain('AT, DE, FR, NL');
    expect((await vatReturn({ country: 'AT' })).country).toBe('AT');
  });
});

describe('the journal as JSON', () => {
  it('has the lines of the file, page by page', async () => {
    good(await client.patch('/v1/finance/chart-of-accounts', { template: 'skr03' }), 200);
    for (let at = 0; at < 3; at += 1) {
      const invoice = await client.anInvoice();
      good(await client.pay(invoice, { amount: 1000 + at }), 201);
    }
    const file = await csvOf(client, 'reports/journal', JUNE);
    const found: JournalPage['data'] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const query = { ...JUNE, format: 'json', limit: '2', ...(cursor && { cursor }) };
      const page: JournalPage = good(await client.get(withQuery('reports/journal', query)), 200);
      found.push(...page.data);
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== null);
    expect(pages).toBeGreaterThan(2);
    expect(found.map(({ debit, credit, amount }) => [debit, credit, String(amount)])).toEqual(
      file.map(({ debit, credit, amount }) => [debit, credit, amount]),
    );
  });

  it('has no pages in a file', async () => {
    const path = withQuery('reports/journal', { ...JUNE, format: 'csv', limit: '2' });
    expectProblem(await client.get(path), 400, 'invalid_query');
  });
});

describe('a page to print', () => {
  const HOSTILE = '<script>alert(1)</script> & "Söhne"';

  it.each([
    ['reports/trial-balance', JUNE, 'Trial balance'],
    ['reports/aging', { date: '2026-06-30' }, 'Receivables by age'],
    ['reports/aging', { date: '2026-06-30', group: 'document' }, 'Open items'],
    ['reports/vat-return', JUNE, 'Umsatzsteuer-Voranmeldung'],
    ['reports/tax', JUNE, 'Tax that is due'],
    ['reports/journal', JUNE, 'Journal'],
    ['reports/oss', JUNE, 'Sales to consumers'],
    ['reports/ec-sales', JUNE, 'Sales to businesses'],
    ['customers/:id/statement', JUNE, 'Statement of'],
  ])('is there of %s %j', async (path, query, title) => {
    const invoice = await client.anInvoice({
      customer: { name: HOSTILE, country: 'DE' },
      lines: [{ description: 'Work', unit_amount: 123_456, tax_rate: '19' }],
    });
    const url = path.replace(':id', invoice.customer_id ?? '');
    const { status, headers, text } = await client.get(
      withQuery(url, { ...query, format: 'html' }),
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-disposition')).toMatch(/^inline; filename=[\w-]+\.html$/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain(`<title>${title}`);
    expect(text).not.toContain('<script');
    expect(text).toMatch(/<\/html>\n$/);
    const isOfOthers = path.endsWith('oss') || path.endsWith('ec-sales');
    expect(text).toContain(isOfOthers ? 'There is nothing to show.' : '€1,');
  });

  it('adds up what it shows, by currency', async () => {
    await client.anInvoice({ lines: [{ description: 'A', unit_amount: 100_000, tax_rate: '0' }] });
    await client.anInvoice({ lines: [{ description: 'B', unit_amount: 50_050, tax_rate: '0' }] });
    await client.anInvoice({
      currency: 'JPY',
      lines: [{ description: 'C', unit_amount: 700, tax_rate: '0' }],
    });
    const query = { group: 'document', format: 'html' };
    const { text } = await client.get(withQuery('reports/aging', query));
    const foot = text.slice(text.indexOf('<tfoot>'));
    expect(foot).toMatch(/Total EUR.*€1,500\.50.*Total JPY.*¥700/s);
  });
});

describe('reports between days', () => {
  it.each([
    ['reports/trial-balance?from=2026-06-01', 'invalid_query'],
    ['reports/trial-balance?from=2026-06-02&to=2026-06-01', 'invalid_query'],
    ['reports/trial-balance?from=2026-06-01&to=2026-06-30&currency=XXX', 'invalid_query'],
    ['reports/trial-balance?from=2026-06-01&to=2026-06-30&format=pdf', 'invalid_query'],
    ['reports/vat-return?from=2026-06-01&to=2026-06-30&country=de', 'invalid_query'],
    ['reports/vat-return?from=2025-01-01&to=2026-06-30', 'invalid_query'],
    ['reports/journal?from=2026-06-01&to=2026-06-30&format=json&cursor=x', 'invalid_cursor'],
    ['reports/journal?from=2026-06-01&to=2026-06-30&format=html&limit=5', 'invalid_query'],
  ])('refuse %s', async (path, code) => {
    expectProblem(await client.get(`/v1/finance/${path}`), 400, code);
  });

  it('tell one account nothing of another', async () => {
    await client.anInvoice();
    const other = await service.aClient();
    const path = withQuery('reports/trial-balance', JUNE);
    expect(good(await other.get<TrialBalanceBody>(path), 200).data).toEqual([]);
    const page = withQuery('reports/journal', { ...JUNE, format: 'html' });
    expect((await other.get(page)).text).toContain('There is nothing to show.');
  });

  it('need the scope to read reports', async () => {
    const reader = await service.aClient({ scopes: ['documents:read'], of: client });
    const refused = await reader.get(withQuery('reports/trial-balance', JUNE));
    expectProblem(refused, 403, 'insufficient_scope');
  });
});
