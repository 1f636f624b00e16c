import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChartBody } from '../../../src/books/wire/chart-of-accounts.js';
import type { EcSalesReportBody, OssReportBody } from '../../../src/books/wire/journal.js';
import type { TestClient } from '../../support/client.js';
import { aCreditNote } from '../../support/documents.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectBooksToAgree, good, pathOf } from '../documents/document-calls.js';
import { balancesOf } from './books.js';
import { csvOf } from './report-calls.js';

const CHART = '/v1/finance/chart-of-accounts';
const JUNE = { from: '2026-06-01', to: '2026-06-30' };
const DATEV = { consultant_number: 29_098, client_number: 55_003 };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  service.clock.set('2026-06-15T12:00:00Z');
  client = await service.aClient();
  good(await client.patch('/v1/finance/seller', { country: 'DE' }), 200);
});
afterAll(() => service.close());

const journal = (query: Record<string, string>) =>
  `/v1/finance/reports/journal?${new URLSearchParams({ ...JUNE, ...query })}`;

const aChart = async (body: object) => good(await client.patch<ChartBody>(CHART, body), 200);

/** Nineteen, seven and no per cent; one paid in full, one in part, one credited, one written off. */
async function aMonth() {
  const mixed = await client.anInvoice({
    customer: { name: 'Łukasz „Żuraw“ GmbH; "Nord"', country: 'DE' },
    lines: [
      { description: 'Work', unit_amount: 10_001, tax_rate: '19' },
      { description: 'Book', unit_amount: 1999, tax_rate: '7' },
    ],
  });
  const abroad = await client.anInvoice({
    customer: { name: 'Société', country: 'FR', tax_id: 'FR12345678901' },
    lines: [{ description: 'Goods', unit_amount: 5000, tax_category: 'K' }],
  });
  const lost = await client.anInvoice();
  good(await client.pay(mixed, { amount: mixed.amount_due }), 201);
  good(await client.pay(abroad, { amount: 2000 }), 201);
  await aCreditNote(client, mixed, { lines: [{ position: 2 }] });
  good(await client.post(pathOf(lost, 'write-off')), 200);
  return { mixed, abroad, lost };
}

describe('the chart of accounts', () => {
  it('is plain until somebody says otherwise, and may differ from its template', async () => {
    const first = good(await client.get<ChartBody>(CHART), 200);
    expect(first).toMatchObject({ template: 'plain', revenue: [], datev: null, version: 1 });
    const revenue = [{ tax_category: 'S', tax_rate: '19', number: '8401', posting: 'gross' }];
    const accounts = [{ account: 'cash', number: '1201' }];
    const chart = await aChart({ template: 'skr03', accounts, revenue, datev: DATEV });
    expect(chart).toMatchObject({
      template: 'skr03',
      datev: { ...DATEV, fiscal_year_start: '01-01' },
      version: 2,
    });
    const numberOf = (account: string) =>
      chart.accounts.find((line) => line.account === account)?.number;
    expect([numberOf('cash'), numberOf('receivables')]).toEqual(['1201', '1410']);
    const ofStandardRate = chart.revenue.filter(({ tax_category: of }) => of === 'S');
    expect(ofStandardRate.map(({ tax_rate, number }) => [tax_rate, number])).toEqual([
      ['19', '8401'],
      ['7', '8300'],
    ]);
    expect(await aChart({ accounts: null, revenue: null, datev: null })).toMatchObject({
      template: 'skr03',
      accounts: expect.arrayContaining([{ account: 'cash', number: '1200' }]),
      datev: null,
      version: 3,
    });
    const stale = await client.patch(CHART, { template: 'skr04' }, { 'If-Match': '"2"' });
    expect(stale).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
  });

  it('refuses what no chart has, all at once', async () => {
    const answer = await client.patch(CHART, {
      template: 'skr99',
      accounts: [{ account: 'till', number: '12-00' }],
      datev: { consultant_number: 1, client_number: 0, fiscal_year_start: '02-30' },
    });
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    const { errors } = answer.body as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/accounts/0/account',
      '/accounts/0/number',
      '/datev/client_number',
      '/datev/consultant_number',
      '/datev/fiscal_year_start',
      '/template',
    ]);
    const cash = { account: 'cash', number: '1' };
    expect(await client.patch(CHART, { accounts: [cash, cash] })).toMatchObject({
      status: 422,
      body: { code: 'said_twice', errors: [{ pointer: '/accounts/1' }] },
    });
  });
});

describe('the journal as CSV', () => {
  it('has the balances of the ledger under the numbers of the chart', async () => {
    const { mixed } = await aMonth();
    const lines = await csvOf(client, 'reports/journal', JUNE);
    const ofMixed = lines.filter(
      ({ fact, document_number: of }) => fact === 'document.issued' && of === mixed.number,
    );
    const shown = ofMixed.map((line) => [
      line['debit'],
      line['credit'],
      line['amount'],
      line['tax_rate'],
    ]);
    expect(shown).toEqual([
      ['1200', '4000', '10001', '19'],
      ['1200', '4000', '1999', '7'],
      ['1200', '2200', '1900', '19'],
      ['1200', '2200', '140', '7'],
    ]);
    expect(ofMixed[0]?.['customer_name']).toBe('Łukasz „Żuraw“ GmbH; "Nord"');
    const ledger = await balancesOf(service, client);
    const balances = balancesIn(lines);
    expect(balances).toMatchObject({
      '1000': ledger['cash'],
      '4000': ledger['revenue'],
      '2200': ledger['tax_payable'],
      '6000': ledger['bad_debt'],
      '2100': ledger['customer_credit'],
      '1200': ledger['receivables'],
    });
  });

  it('has no other month, and no other currency if one is asked for', async () => {
    await client.anInvoice({ issue_date: '2026-05-31', due_date: '2026-06-30' });
    await client.anInvoice({ currency: 'JPY' });
    expect((await csvOf(client, 'reports/journal', JUNE)).map((line) => line['currency'])).toEqual([
      'JPY',
      'JPY',
    ]);
    expect(await csvOf(client, 'reports/journal', { ...JUNE, currency: 'EUR' })).toEqual([]);
  });
});

describe('the journal for DATEV', () => {
  it('is a posting batch as its description says, of the same money', async () => {
    const { abroad, lost, mixed } = await aMonth();
    await aChart({ template: 'skr03', datev: DATEV });
    const { header, columns, lines } = await datevOf(client);
    expect(header).toHaveLength(31);
    expect(header.slice(0, 5).join(';')).toBe('"EXTF";700;21;"Buchungsstapel";13');
    expect(header.slice(10, 16)).toEqual([
      '29098',
      '55003',
      '20260101',
      '4',
      '20260601',
      '20260630',
    ]);
    expect([header[21], header[26]]).toEqual(['"EUR"', '"03"']);
    expect(columns).toHaveLength(125);
    for (const line of lines) {
      expect(line).toHaveLength(125);
      FORMS.forEach((form, at) => expect(line[at]).toMatch(form));
    }
    const rows = lines.map((line) => [line[6], line[1], line[7], line[0], line[10]]);
    expect(rows).toContainEqual(['10000', '"S"', '8400', '119,01', `"${mixed.number}"`]);
    expect(rows).toContainEqual(['10000', '"S"', '8300', '21,39', `"${mixed.number}"`]);
    expect(rows).toContainEqual(['10000', '"H"', '8300', '21,39', expect.stringMatching(/^"CRN-/)]);
    expect(rows).toContainEqual(['1200', '"S"', '10001', '20,00', `"${abroad.number}"`]);
    expect(rows).toContainEqual(['2400', '"S"', '10002', '119,00', `"${lost.number}"`]);
    const supply = lines.find((line) => line[7] === '8125');
    expect(supply?.[39]).toBe('"FR12345678901"');
    // Windows-1252 lacks two of its letters.
    expect(lines[0]?.[13]).toMatch(/^"Lukasz „Zuraw“ GmbH; ""Nord"" /);

    const ledger = await balancesOf(service, client);
    const balances = balancesOfDatev(lines);
    // Automatic accounts are gross: what is in them is revenue and its tax.
    const { revenue = 0, tax_payable: tax = 0, cash, bad_debt: lostMoney } = ledger;
    const gross = ['8400', '8300', '8125'].reduce(
      (sum, number) => sum + (balances[number] ?? 0),
      0,
    );
    expect(gross).toBe(revenue + tax);
    expect(balances).toMatchObject({ '1200': cash, '2400': lostMoney });
    expect((balances['10000'] ?? 0) + (balances['10001'] ?? 0) + (balances['10002'] ?? 0)).toBe(
      (ledger['receivables'] ?? 0) + (ledger['customer_credit'] ?? 0),
    );
  });

  it('is refused without its numbers, over two years, and in three decimal places', async () => {
    const ask = async (query: Record<string, string> = {}) => {
      const { status, body } = await client.get(journal({ format: 'datev', ...query }));
      return [status, (body as { code: string }).code];
    };
    expect(await ask()).toEqual([409, 'datev_not_configured']);
    await aChart({ datev: DATEV, accounts: [{ account: 'cash', number: 'BANK1' }] });
    expect(await ask()).toEqual([409, 'datev_not_configured']);
    await aChart({ accounts: null, datev: { ...DATEV, fiscal_year_start: '06-01' } });
    expect(await ask({ currency: 'KWD' })).toEqual([400, 'invalid_query']);
    expect(await ask({ from: '2026-05-31' })).toEqual([400, 'invalid_query']);
    expect(await ask({ from: '2025-06-01' })).toEqual([400, 'invalid_query']);
    expect(await ask({ to: '2026-05-01' })).toEqual([400, 'invalid_query']);
    const { header } = await datevOf(client);
    expect(header[12]).toBe('20260601');
  });
});

describe('the report of the One Stop Shop', () => {
  it('has sales less the losses whose tax is claimed back, to the cent', async () => {
    const path = `/v1/finance/reports/oss?${new URLSearchParams(JUNE)}`;
    const oss = async () => good(await client.get<OssReportBody>(path), 200).data;
    const sold = async (taxRate: string) =>
      client.anInvoice({ customer: { name: 'A buyer', country: 'IT' }, taxRate });
    const writeOff = async (invoice: { id: string }, body?: object) =>
      good(await client.post(pathOf(invoice, 'write-off'), body), 200);
    await writeOff(await sold('10'));
    const whole = [ossLine('IT', '10', 10_000, 1000)];
    expect(await oss()).toEqual(whole);
    const lost = await sold('22');
    await writeOff(lost, { tax_relief: true });
    expect(await oss()).toEqual(whole);
    good(await client.pay(lost, { amount: 3 }), 201);
    expect(await oss()).toEqual([ossLine('IT', '22', 2, 1), ...whole]);
    good(await client.pay(lost, { amount: 12_197 }), 201);
    expect(await oss()).toEqual([ossLine('IT', '22', 10_000, 2200), ...whole]);
    await expectBooksToAgree(service);
  });

  it('has sales to consumers of other member states, by country and rate, less what came back', async () => {
    const sale = async (country: string, taxRate: string, customer = {}) =>
      client.anInvoice({ customer: { name: 'A buyer', country, ...customer }, taxRate });
    const french = await sale('FR', '20');
    await sale('FR', '5.5');
    await sale('AT', '20');
    for (const [country, customer] of [
      ['DE', {}],
      ['CH', {}],
      ['FR', { tax_id: 'FR12345678901' }],
    ] as const) {
      await sale(country, '19', customer);
    }
    await client.void(await sale('ES', '21'));
    await aCreditNote(client, french, { amount: 6000 });
    const path = `/v1/finance/reports/oss?${new URLSearchParams(JUNE)}`;
    const { data } = good(await client.get<OssReportBody>(path), 200);
    expect(data).toEqual([
      ossLine('AT', '20', 10_000, 2000),
      ossLine('FR', '20', 5000, 1000),
      ossLine('FR', '5.5', 10_000, 550),
    ]);
    const file = await csvOf(client, 'reports/oss', JUNE);
    expect(file.map(({ country, tax_amount }) => [country, tax_amount])).toEqual([
      ['AT', '2000'],
      ['FR', '1000'],
      ['FR', '550'],
    ]);
  });
});

describe('the report of sales to businesses of other member states', () => {
  it('has goods and services by VAT number, less what came back', async () => {
    const sale = async (tax_id: string | undefined, tax_category: string, country = 'FR') =>
      client.anInvoice({
        customer: { name: 'A buyer', country, ...(tax_id && { tax_id }) },
        lines: [{ description: 'A', unit_amount: 10_000, tax_category }],
        cash_discounts: [{ percent: '2', days: 14 }],
      });
    const goods = await sale('FR12345678901', 'K');
    await sale('FR12345678901', 'K');
    await sale('FR12345678901', 'AE');
    await aCreditNote(client, goods, { amount: 4000 });
    await client.void(await sale('ATU12345678', 'K', 'AT'));
    const discounted = await sale('ATU87654321', 'K', 'AT');
    good(await client.pay(discounted, { amount: 9800 }), 201);
    await sale('CHE123456789', 'AE', 'CH');
    await client.anInvoice({ customer: { name: 'At home', country: 'DE' } });
    const path = `/v1/finance/reports/ec-sales?${new URLSearchParams(JUNE)}`;
    const { data } = good(await client.get<EcSalesReportBody>(path), 200);
    const shown = data.map((line) => [
      line.country,
      line.tax_id,
      line.tax_category,
      line.taxable_amount,
    ]);
    expect(shown).toEqual([
      ['AT', 'ATU87654321', 'K', 9800],
      ['FR', 'FR12345678901', 'K', 16_000],
      ['FR', 'FR12345678901', 'AE', 10_000],
    ]);
    const file = await csvOf(client, 'reports/ec-sales', JUNE);
    expect(file.map(({ tax_id, taxable_amount }) => [tax_id, taxable_amount])[0]).toEqual([
      'ATU87654321',
      '9800',
    ]);
  });
});

const ossLine = (
  country: string,
  tax_rate: string,
  taxable_amount: number,
  tax_amount: number,
) => ({
  country,
  currency: 'EUR',
  tax_rate,
  taxable_amount,
  tax_amount,
});

/** Of the first 14 columns, as the description of the format has them; empty where optional. */
const FORMS = [
  /^\d{1,10},\d{2}$/,
  /^"[SH]"$/,
  /^"[A-Z]{3}"$/,
  /^$/,
  /^$/,
  /^$/,
  /^\d{1,9}$/,
  /^\d{1,9}$/,
  /^"\d{0,4}"$/,
  /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])$/,
  /^"[\w$&%*+\-/]{0,36}"$/,
  /^$/,
  /^$/,
  /^"(?:[^"]|""){0,60}"$/,
];

/** A reader of its own: bytes of Windows-1252, CR and LF, semicolons outside of quotes. */
async function datevOf(of: TestClient) {
  const { status, bytes, headers } = await of.get(journal({ format: 'datev' }));
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=windows-1252');
  expect(headers.get('content-disposition')).toContain('EXTF_Buchungsstapel_EUR_2026-06-01');
  const text = new TextDecoder('windows-1252').decode(bytes);
  expect(text.endsWith('\r\n')).toBe(true);
  const [header = [], columns = [], ...lines] = text
    .slice(0, -2)
    .split('\r\n')
    .map((line) => line.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/));
  return { header, columns, lines };
}

function sums(moves: readonly (readonly [debit: string, credit: string, amount: number])[]) {
  const balances: Record<string, number> = {};
  for (const [debit, credit, amount] of moves) {
    balances[debit] = (balances[debit] ?? 0) + amount;
    balances[credit] = (balances[credit] ?? 0) - amount;
  }
  return balances;
}

const balancesIn = (lines: readonly Record<string, string>[]) =>
  sums(lines.map(({ debit = '', credit = '', amount }) => [debit, credit, Number(amount)]));

const balancesOfDatev = (lines: readonly string[][]) =>
  sums(
    lines.map(([amount = '', side, , , , , account = '', contra = '']) => {
      const cents = Number(amount.replace(',', ''));
      return side === '"S"' ? [account, contra, cents] : [contra, account, cents];
    }),
  );
