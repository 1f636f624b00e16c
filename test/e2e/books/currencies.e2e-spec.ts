import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ExchangeRatePage } from '../../../src/books/http/exchange-rate.dto.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';
import { expectProblem, pointersOf } from '../expectations.js';

// Rates of exchange by day, and the base currency of an account.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

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
  good(await client.get<ExchangeRatePage>(`${RATES}${query}`), 200).data;
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
    expect(good(await stranger.get<ExchangeRatePage>(RATES), 200).data).toEqual([]);
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
      const { data, next_cursor } = good(await client.get<ExchangeRatePage>(page), 200);
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
