import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Refusals of an account's seller. Nothing of it changes anything.

const NORWEGIAN = { iban: 'NO9386011117947' };

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  await client.bearer();
});
afterAll(() => service.close());

const patch = async (body: object) => client.patch('/v1/finance/seller', body);
const aList = (length: number, item: object) => Array.from({ length }, () => item);
const accounts = (...ibans: string[]) => ({ bank_accounts: ibans.map((iban) => ({ iban })) });

describe('a change is refused', () => {
  it.each<[pointer: string, code: string, body: object]>([
    ['/name', 'required', { name: null }],
    ['/name', 'invalid_text', { name: ' ' }],
    ['/name', 'invalid_text', { name: 1 }],
    ['/name', 'invalid_text', { name: 'a'.repeat(301) }],
    ['/name', 'invalid_text', { name: 'a\0' }],
    ['/legal_name', 'invalid_text', { legal_name: '\ud800' }],
    ['/logo', 'unknown_field', { logo: 'a'.repeat(64) }],
    ['/version', 'unknown_field', { version: 1 }],
    ['/account_id', 'unknown_field', { account_id: 'acc_x' }],
    ['/cash_rounding', 'unknown_field', { cash_rounding: 5 }],
    ['/email', 'invalid_email', { email: 'nobody' }],
    ['/country', 'invalid_country', { country: 'Germany' }],
    ['/address', 'invalid_text_list', { address: 'Torstraße 49' }],
    ['/tax_ids', 'too_many_items', { tax_ids: aList(11, { type: 'a', value: 'b' }) }],
    ['/electronic_address/value', 'required', { electronic_address: { scheme: '0088' } }],
    ['/website', 'invalid_url', { website: 'acme.example' }],
    ['/website', 'invalid_url', { website: 'javascript:alert(1)' }],
    ['/website', 'invalid_url', { website: 'https://a.example/\nx' }],
    ['/website', 'invalid_url', { website: 'https://acme.example@evil.example' }],
    ['/website', 'invalid_url', { website: 'https://acme.example\\@evil.example' }],
    ['/email', 'invalid_email', { email: '<office@acme.example>' }],
    ['/email', 'invalid_email', { email: 'office@acme..example' }],
    ['/email', 'invalid_email', { email: `${'a'.repeat(65)}@acme.example` }],
    ['/email', 'invalid_email', { email: 'office@[127.0.0.1]' }],
    ['/email', 'invalid_email', { email: 'office@127.0.0.1' }],
    ['/email', 'invalid_email', { email: '"of fice"@acme.example' }],
    ['/name', 'invalid_text', { name: 'Acme\nGmbH' }],
    ['/website', 'invalid_url', { website: `https://a.example/${'a'.repeat(300)}` }],
    ['/bank_accounts', 'invalid_list', { bank_accounts: NORWEGIAN.iban }],
    ['/bank_accounts', 'too_many_items', { bank_accounts: aList(11, NORWEGIAN) }],
    ['/bank_accounts/0', 'required', { bank_accounts: [null] }],
    ['/bank_accounts/0/iban', 'required', { bank_accounts: [{}] }],
    ['/bank_accounts/0/number', 'unknown_field', { bank_accounts: [{ ...NORWEGIAN, number: 1 }] }],
    ['/currency', 'unknown_currency', { currency: 'XXX' }],
    ['/currency', 'unknown_currency', { currency: 'eur' }],
    ['/currency', 'required', { currency: null }],
    ['/language', 'invalid_language', { language: 'de_DE' }],
    ['/language', 'invalid_language', { language: '' }],
    ['/payment_terms_days', 'invalid_integer', { payment_terms_days: -1 }],
    ['/payment_terms_days', 'invalid_integer', { payment_terms_days: 3651 }],
    ['/payment_terms_days', 'invalid_integer', { payment_terms_days: 1.5 }],
    ['/payment_terms_days', 'invalid_integer', { payment_terms_days: '14' }],
    ['/document_notes', 'invalid_text', { document_notes: 'a'.repeat(5001) }],
    ['/time_zone', 'unknown_time_zone', { time_zone: 'Mars/Olympus' }],
    ['/time_zone', 'unknown_time_zone', { time_zone: '+01:00' }],
    ['/time_zone', 'unknown_time_zone', { time_zone: '' }],
    ['/time_zone', 'required', { time_zone: null }],
  ])('at %s: %s', async (pointer, code, body) => {
    const before = await contentsOf(service.database);
    const problem = expectProblem(await patch(body), 422, code);
    expect(pointersOf(problem)).toEqual([pointer]);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it.each([
    ['a wrong check digit', 'DE88370400440532013000'],
    ['two digits swapped', 'DE89370400440532010300'],
    ['a digit too few', 'DE8937040044053201300'],
    ['a country that has none', 'US89370400440532013000'],
    ['no country', 'XX89370400440532013000'],
    ['letters where its country has digits', 'DE8937040044053201300A'],
    ['digits of another script', 'DE8937040044053201300٠'],
    ['an account number', '0532013000'],
    ['nothing', ' '],
  ])('for an IBAN with %s', async (_, iban) => {
    const problem = expectProblem(await patch(accounts(iban)), 422, 'invalid_iban');
    expect(pointersOf(problem)).toEqual(['/bank_accounts/0/iban']);
  });

  it.each(['COBADEF', 'COBADEFFXX', 'COBADEFFXXXX', 'COBAXXFF', '12345678', ' '])(
    'for the BIC %j',
    async (bic) => {
      const bank_accounts = [{ ...NORWEGIAN, bic }];
      const problem = expectProblem(await patch({ bank_accounts }), 422, 'invalid_bic');
      expect(pointersOf(problem)).toEqual(['/bank_accounts/0/bic']);
    },
  );

  it('with every wrong field at once', async () => {
    const wrong = { name: null, currency: 'X', time_zone: 'X', total: 1, ...accounts('1', '2') };
    const problem = expectProblem(await patch(wrong), 422, 'validation_failed');
    expect(pointersOf(problem)).toEqual([
      '/bank_accounts/0/iban',
      '/bank_accounts/1/iban',
      '/currency',
      '/name',
      '/time_zone',
      '/total',
    ]);
  });
});
