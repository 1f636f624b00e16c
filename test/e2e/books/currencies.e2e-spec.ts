import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeRateList } from '../../../src/books/wire/exchange-rate.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { Accounts } from '../../../src/auth/index.js';
import { good } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { agedDocumentsOf, agingOf, balancesOf, revenueOf } from './report-calls.js';

// Rates of exchange by day, the base currency of an account, and reports in it.

const RATES = '/v1/finance/exchange-rates';
const DAY = '2026-11-20';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.set('2026-11-22T12:00:00Z');
  client = await service.aClient();
});

const list = async (query = '') =>
  good(await client.get<ExchangeRateList>(`${RATES}${query}`), 200).data;
const aRate = (rate: string, over: object = {}) => ({
  base: 'EUR',
  quote: 'USD',
  rate,
  day: DAY,
  ...over,
});

describe('exchange rates', () => {
  it('are kept by day, and what was said before stays', async () => {
    const { data } = good(await client.putRates([aRate('1.0875')]), 200);
    expect(data).toMatchObject([{ ...aRate('1.0875'), source: 'ECB', revision: 1 }]);
    await client.putRates([aRate('1.0875')]);
    expect(await list('?history=true')).toHaveLength(1);
    good(await client.putRates([aRate('1.09'), aRate('163.5', { quote: 'JPY' })]), 200);
    expect(await list('?quote=USD')).toMatchObject([{ rate: '1.09', revision: 2 }]);
    expect(await list('?quote=USD&history=true')).toMatchObject([
      { rate: '1.09', revision: 2, is_current: true },
      { rate: '1.0875', revision: 1, is_current: false },
    ]);
    expect(await list('?from=2026-11-21')).toEqual([]);
    const stranger = await service.aClient();
    expect(good(await stranger.get<ExchangeRateList>(RATES), 200).data).toEqual([]);
  });

  it('are said once each, also if they come at the same time', async () => {
    const rates = ['1.1', '1.1', '1.2', '1.3', '1.4', '1.5', '1.6', '1.7'];
    const answers = await Promise.all(rates.map((rate) => client.putRates([aRate(rate)])));
    expect(answers.map(({ status }) => status)).toEqual(rates.map(() => 200));
    const said = (await list('?history=true')).map(({ revision }) => revision);
    expect(said.toSorted((a, b) => a - b)).toEqual(said.map((_, index) => index + 1));
    // The first two are one word where nothing is said between them.
    expect([rates.length - 1, rates.length]).toContain(said.length);
  });

  it('come in pages', async () => {
    await client.putRates(['USD', 'JPY', 'GBP'].map((quote) => aRate('2', { quote })));
    const seen: string[] = [];
    for (let cursor = ''; cursor !== 'null';) {
      const page = `${RATES}?limit=2${cursor && `&cursor=${cursor}`}`;
      const { data, next_cursor } = good(await client.get<ExchangeRateList>(page), 200);
      seen.push(...data.map(({ quote }) => quote));
      cursor = String(next_cursor);
    }
    expect(seen.toSorted()).toEqual(['GBP', 'JPY', 'USD']);
  });

  it('are refused with all that is wrong', async () => {
    const wrong = [aRate('0'), aRate('1.0000000000001'), aRate('1', { quote: 'XXX', day: 'x' })];
    const answer = expectProblem(await client.putRates(wrong), 422, 'validation_failed');
    expect(pointersOf(answer)).toEqual([
      '/rates/0/rate',
      '/rates/1/rate',
      '/rates/2/day',
      '/rates/2/quote',
    ]);
    for (const [rates, code] of [
      [[aRate('1', { quote: 'EUR' })], 'same_currency'],
      [[aRate('1'), aRate('2')], 'said_twice'],
      [[aRate('1', { day: '2026-11-23' })], 'date_in_future'],
    ] as const) {
      expectProblem(await client.putRates([...rates]), 422, code);
    }
    expect(await list()).toEqual([]);
  });
});

describe('the base currency', () => {
  it('begins as that of new documents, and stays when these change', async () => {
    const seller = async () => good(await client.get('/v1/finance/seller'), 200);
    expect(await seller()).toMatchObject({ currency: 'EUR', base_currency: 'EUR' });
    await client.patch('/v1/finance/seller', { currency: 'USD' });
    expect(await seller()).toMatchObject({ currency: 'USD', base_currency: 'EUR' });
    await client.patch('/v1/finance/seller', { base_currency: 'CHF' });
    expect(await seller()).toMatchObject({ currency: 'USD', base_currency: 'CHF' });
    const answer = await client.patch('/v1/finance/seller', { base_currency: null });
    expectProblem(answer, 422, 'required');
  });
});

const USD = { rate: '0.8', rate_day: '2026-11-16', rate_source: 'ECB' };
const JPY = { rate: '0.0061', rate_day: DAY, rate_source: 'ECB' };
const EUR = { rate: '1', rate_day: null, rate_source: null };

/** An invoice of 119.00 in each; in dinars that is 11.900, in yen 11900. */
async function inFourCurrencies() {
  for (const currency of ['EUR', 'USD', 'JPY', 'KWD']) await client.anInvoice({ currency });
  const rates = [
    aRate('1.25', { day: USD.rate_day }),
    aRate('0.0061', { base: 'JPY', quote: 'EUR' }),
    // One day too old.
    aRate('3.1', { base: 'KWD', quote: 'EUR', day: '2026-11-15' }),
  ];
  good(await client.putRates(rates), 200);
}

describe('reports in the base currency', () => {
  const base = { currency: 'EUR', without_rate: ['KWD'] };

  it('say balances beside the original, and who has no rate', async () => {
    await inFourCurrencies();
    const report = await balancesOf(client);
    const of = (account: string) => report.data.filter((line) => line.account === account);
    expect(of('receivables').map(({ currency, in_base }) => [currency, in_base])).toEqual([
      ['EUR', { ...EUR, debit: 11_900, credit: 0, balance: 11_900 }],
      ['JPY', { ...JPY, debit: 7259, credit: 0, balance: 7259 }],
      ['KWD', null],
      ['USD', { ...USD, debit: 9520, credit: 0, balance: 9520 }],
    ]);
    expect(of('revenue').map(({ in_base }) => in_base?.balance)).toEqual([
      -10_000,
      -6100,
      undefined,
      -8000,
    ]);
    expect(report.base).toEqual({
      ...base,
      accounts: [
        { account: 'receivables', debit: 28_679, credit: 0, balance: 28_679 },
        { account: 'revenue', debit: 0, credit: 24_100, balance: -24_100 },
        { account: 'tax_payable', debit: 0, credit: 4579, balance: -4579 },
      ],
    });
  });

  it('say what is owed, by customer and in total', async () => {
    await inFourCurrencies();
    const first = await agingOf(client, { limit: 3 });
    const total = { rejected: 0, not_due: 28_679, total: 28_679, credit: 0 };
    expect(first.base).toMatchObject({ ...base, ...total });
    expect(first.totals?.map(({ in_base }) => in_base?.total ?? null)).toEqual([
      11_900,
      7259,
      null,
      9520,
    ]);
    expect(first.totals?.[3]?.in_base).toMatchObject(USD);
    const second = await agingOf(client, { limit: 3, cursor: String(first.next_cursor) });
    expect([second.totals, second.base]).toEqual([null, null]);
    const lines = [...first.data, ...second.data];
    expect(lines.map((line) => [line.currency, line.in_base?.total]).toSorted()).toEqual([
      ['EUR', 11_900],
      ['JPY', 7259],
      ['KWD', undefined],
      ['USD', 9520],
    ]);
    expect((await agedDocumentsOf(client)).base).toEqual(first.base);
  });

  it('say revenue by period', async () => {
    await inFourCurrencies();
    const report = await revenueOf(client);
    const figures = { net: 24_100, tax: 4579, rounding: 0, total: 28_679 };
    const taxes = [{ tax_category: 'S', tax_rate: '19', taxable_amount: 24_100, tax_amount: 4579 }];
    expect(report.base).toMatchObject({ ...base, invoiced: figures, net: figures, taxes });
    expect(report.base.periods).toMatchObject([
      { from: '2026-11-01', to: '2026-11-22', without_rate: ['KWD'], net: figures, taxes },
    ]);
    expect(report.data.map(({ in_base }) => in_base && [in_base.rate, in_base.net.total])).toEqual([
      ['1', 11_900],
      ['0.0061', 7259],
      null,
      ['0.8', 9520],
    ]);
  });

  it('are in the base currency of now', async () => {
    await inFourCurrencies();
    good(await client.putRates([aRate('0.3321', { quote: 'KWD' })]), 200);
    await client.patch('/v1/finance/seller', { base_currency: 'KWD' });
    const owed = { currency: 'KWD', without_rate: ['JPY', 'USD'], total: 39_520 + 11_900 };
    expect((await agingOf(client)).base).toMatchObject(owed);
    await client.patch('/v1/finance/seller', { base_currency: 'JPY' });
    expect((await agingOf(client)).base).toMatchObject({ total: 19_508 + 11_900 });
  });
});

const october = async (what: 'close' | 'reopen') =>
  good(await client.post(`/v1/finance/periods/2026-10/${what}`, {}), 200);
const say = async (rate: string, day = '2026-10-30') =>
  good(await client.putRates([aRate(rate, { day })]), 200);
const reports = async () => ({
  balances: await balancesOf(client, { date: '2026-10-31' }),
  aging: await agingOf(client, { date: '2026-10-25' }),
  revenue: await revenueOf(client, { from: '2026-09-20', to: '2026-11-10', interval: 'month' }),
});
const totals = ({ balances, revenue }: Awaited<ReturnType<typeof reports>>) => [
  balances.base.accounts[0]?.balance,
  revenue.base.net.total,
];
const passMinutes = (minutes: number) =>
  service.clock.set(new Date(Date.UTC(2026, 10, 22, 12, minutes)).toISOString());

describe('reports of a closed month in the base currency', () => {
  beforeEach(async () => {
    await client.anInvoice({ currency: 'USD', issue_date: '2026-10-20' });
    await say('1.25');
    await say('1.25', '2026-10-24');
    passMinutes(1);
  });

  it('are the same whenever they are asked, until it is opened again', async () => {
    await october('close');
    const closed = await reports();
    expect(totals(closed)).toEqual([9520, 9520]);
    passMinutes(2);
    for (const day of ['2026-10-30', '2026-10-31', '2026-10-24', '2026-10-25']) await say('2', day);
    expect(await reports()).toEqual(closed);
    await october('reopen');
    expect(totals(await reports())).toEqual([5950, 5950]);
    passMinutes(3);
    await october('close');
    const again = await reports();
    expect(totals(again)).toEqual([5950, 5950]);
    passMinutes(4);
    await say('4', '2026-10-31');
    expect(await reports()).toEqual(again);
  });

  it('are so too if a rate is on its way while the month closes', async () => {
    const accounts = service.app.get(Accounts);
    const lock = accounts.getForUpdate.bind(accounts);
    let closed: object | undefined;
    const locking = vi.spyOn(accounts, 'getForUpdate').mockImplementationOnce(async (tx, id) => {
      passMinutes(2);
      await october('close');
      closed = await reports();
      passMinutes(3);
      return lock(tx, id);
    });
    await say('2');
    locking.mockRestore();
    expect(closed).toBeDefined();
    expect(await reports()).toEqual(closed);
  });
});
