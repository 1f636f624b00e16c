import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChartBody } from '../../../src/books/wire/chart-of-accounts.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { good } from '../documents/document-calls.js';

// Lines of the chart for bank accounts and tills: cash-accounts.e2e-spec.ts shows what they do.

const CHART = '/v1/finance/chart-of-accounts';
const FIRST = 'DE89370400440532013000';
const SECOND = 'NL91 ABNA 0417 1643 00';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
});
afterAll(() => service.close());

const aChart = async (body: object) => good(await client.patch<ChartBody>(CHART, body), 200);

const refusalsOf = async (body: object) => {
  const answer = await client.patch(CHART, body);
  const { code, errors } = answer.body as {
    code: string;
    errors: { pointer: string; code: string }[];
  };
  const shown = errors.map((one) => `${one.pointer} ${one.code}`);
  return [answer.status, code, shown.toSorted()];
};

describe('the lines of bank accounts and tills', () => {
  it('has a number for each bank account and till, and says a template’s where none is told', async () => {
    expect(good(await client.get<ChartBody>(CHART), 200).cash_accounts).toEqual([]);
    const none = { bank_account: null, method: null, currency: null };
    const till = { ...none, method: 'cash', number: '1000' };
    expect((await aChart({ template: 'skr03' })).cash_accounts).toEqual([till]);
    expect((await aChart({ template: 'skr04' })).cash_accounts).toEqual([
      { ...till, number: '1600' },
    ]);
    const own = [
      { ...none, bank_account: FIRST, number: '1801' },
      { ...none, bank_account: 'Giro 12/7', currency: 'USD', number: '1802' },
      { ...none, method: 'cash', currency: 'CHF', number: '1610' },
    ];
    const sent = [{ ...own[0], bank_account: ' de89 3704 0044 0532 0130 00' }, ...own.slice(1)];
    const chart = await aChart({ cash_accounts: sent });
    expect(chart.cash_accounts).toEqual([...own, { ...till, number: '1600' }]);
    const other = { ...till, number: '1620' };
    expect((await aChart({ cash_accounts: [other] })).cash_accounts).toEqual([other]);
    expect((await aChart({ cash_accounts: null })).cash_accounts).toEqual([
      { ...till, number: '1600' },
    ]);
  });

  it('refuses wrong values of its lines, all at once', async () => {
    const wrong = [
      { bank_account: ' \u0001 ', currency: 'EURO', number: '12-00' },
      { bank_account: 'x'.repeat(141), number: '1' },
      { bank_account: 'a\u0000b', number: '1' },
      { bank_account: 7, number: '1' },
      { method: 'credit_balance', number: '1' },
      { method: 'cash', iban: FIRST },
      7,
    ];
    expect(await refusalsOf({ cash_accounts: wrong })).toEqual([
      422,
      'validation_failed',
      [
        '/cash_accounts/0/bank_account invalid_text',
        '/cash_accounts/0/currency unknown_currency',
        '/cash_accounts/0/number invalid_account_number',
        '/cash_accounts/1/bank_account invalid_text',
        '/cash_accounts/2/bank_account invalid_text',
        '/cash_accounts/3/bank_account invalid_text',
        '/cash_accounts/4/method not_in_list',
        '/cash_accounts/5/iban unknown_field',
        '/cash_accounts/5/number required',
        '/cash_accounts/6 invalid_object',
      ],
    ]);
    const many = Array.from({ length: 101 }, (_, at) => ({ bank_account: `${at}`, number: '1' }));
    expect(await refusalsOf({ cash_accounts: many })).toEqual([
      422,
      'too_many_items',
      ['/cash_accounts too_many_items'],
    ]);
    expect((await aChart({ cash_accounts: many.slice(1) })).cash_accounts).toHaveLength(100);
  });

  it('refuses lines that say both or neither, or the same again, all at once', async () => {
    const cash = { account: 'cash', number: '1' };
    expect(
      await refusalsOf({
        accounts: [cash, cash],
        cash_accounts: [
          { bank_account: FIRST, method: 'cash', number: '1' },
          { currency: 'EUR', number: '2' },
          { bank_account: SECOND, number: '3' },
          { bank_account: SECOND.toLowerCase().replaceAll(' ', ''), number: '4' },
          { bank_account: SECOND, currency: 'EUR', number: '5' },
          { method: 'cash', number: '6' },
          { method: 'cash', currency: null, number: '6' },
        ],
      }),
    ).toEqual([
      422,
      'validation_failed',
      [
        '/accounts/1 said_twice',
        '/cash_accounts/0/method said_twice',
        '/cash_accounts/1/bank_account one_value_required',
        '/cash_accounts/3 said_twice',
        '/cash_accounts/6 said_twice',
      ],
    ]);
  });
});
