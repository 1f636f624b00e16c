import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentWish, requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { DOCUMENTS, closeWithBooks, pathOf } from './document-calls.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Units, discounts, charges, reasons, series and ids that are wrong; the fields that
// every document has are in bad-documents.e2e-spec.ts.

let service: TestService;
let client: TestClient;
let draft: { id: string };
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  draft = await client.anInvoice({ issue: false });
});
afterAll(() => closeWithBooks(service));

type Case = [name: string, over: object, code: string, pointers: string[]];

const line = (over: object) => ({
  lines: [{ description: 'Consulting', unit_amount: 100, tax_rate: '19', ...over }],
});
const twentyOne = Array.from({ length: 21 }, () => ({ percent: '1' }));

/** Wrong adjustments, wherever they stand: `list` below `at`. */
const adjustments = (list: string, at: string, wrap: (over: object) => object): Case[] => [
  [`neither value in ${at}`, wrap({ [list]: [{}] }), 'one_value_required', [`${at}/0/percent`]],
  [
    `both values in ${at}`,
    wrap({ [list]: [{ percent: '1', amount: 1 }] }),
    'one_value_required',
    [`${at}/0/percent`],
  ],
  [
    `101 percent in ${at}`,
    wrap({ [list]: [{ percent: '101' }] }),
    'invalid_decimal',
    [`${at}/0/percent`],
  ],
  [
    `a negative percentage in ${at}`,
    wrap({ [list]: [{ percent: -1 }] }),
    'invalid_decimal',
    [`${at}/0/percent`],
  ],
  [
    `5 places in ${at}`,
    wrap({ [list]: [{ percent: '0.00001' }] }),
    'invalid_decimal',
    [`${at}/0/percent`],
  ],
  [
    `a negative amount in ${at}`,
    wrap({ [list]: [{ amount: -1 }] }),
    'amount_out_of_range',
    [`${at}/0/amount`],
  ],
  [
    `a fraction in ${at}`,
    wrap({ [list]: [{ amount: 1.5 }] }),
    'amount_not_integer',
    [`${at}/0/amount`],
  ],
  [
    `an amount as text in ${at}`,
    wrap({ [list]: [{ amount: '1' }] }),
    'amount_not_integer',
    [`${at}/0/amount`],
  ],
  [
    `an amount above 10^13 in ${at}`,
    wrap({ [list]: [{ amount: 10 ** 13 + 1 }] }),
    'amount_out_of_range',
    [`${at}/0/amount`],
  ],
  [`21 of ${at}`, wrap({ [list]: twentyOne }), 'too_many_items', [at]],
  [
    `NUL in a reason of ${at}`,
    wrap({ [list]: [{ amount: 1, reason: '\0' }] }),
    'invalid_text',
    [`${at}/0/reason`],
  ],
  [
    `an unknown field in ${at}`,
    wrap({ [list]: [{ amount: 1, total: 1 }] }),
    'unknown_field',
    [`${at}/0/total`],
  ],
  [`a number in ${at}`, wrap({ [list]: [5] }), 'invalid_object', [`${at}/0`]],
  [`no list for ${at}`, wrap({ [list]: 'x' }), 'invalid_list', [at]],
];

const TERMS: Case[] = [
  ...adjustments('discounts', '/discounts', (over) => over),
  ...adjustments('charges', '/charges', (over) => over),
  ...adjustments('discounts', '/lines/0/discounts', line),
  ...adjustments('charges', '/lines/0/charges', line),
  [
    'a discount and discounts',
    { discount: { amount: 1 }, discounts: [{ amount: 1 }] },
    'said_twice',
    ['/discounts'],
  ],
  [
    'a discount and discounts of a line',
    line({ discount: { amount: 1 }, discounts: [{ amount: 1 }] }),
    'said_twice',
    ['/lines/0/discounts'],
  ],
  [
    'a discount of neither',
    { discount: { reason: 'x' } },
    'one_value_required',
    ['/discounts/0/percent'],
  ],
  ['a discount that is a list', { discount: [{ amount: 1 }] }, 'invalid_object', ['/discount']],
  [
    'a tax of a discount that no line has',
    { discounts: [{ amount: 1, tax_rate: '3' }] },
    'discount_without_lines',
    ['/discounts/0/tax_rate'],
  ],
  [
    'a tax of a line’s charge',
    line({ charges: [{ amount: 1, tax_rate: '19' }] }),
    'unknown_field',
    ['/lines/0/charges/0/tax_rate'],
  ],
  [
    'a charge of S without a rate',
    { charges: [{ amount: 1, tax_category: 'S' }] },
    'tax_rate_required',
    ['/charges/0/tax_rate'],
  ],
  [
    'a charge of AE with a rate',
    { charges: [{ amount: 1, tax_category: 'AE', tax_rate: '19' }] },
    'tax_rate_not_allowed',
    ['/charges/0/tax_rate'],
  ],
  [
    'a charge of an unknown category',
    { charges: [{ amount: 1, tax_category: 'Q' }] },
    'not_in_list',
    ['/charges/0/tax_category'],
  ],
  [
    'a rate of 1000 % on a charge',
    { charges: [{ amount: 1, tax_rate: '1000' }] },
    'invalid_decimal',
    ['/charges/0/tax_rate'],
  ],
  [
    'a discount above all lines',
    { discount: { amount: 10_001 } },
    'discount_too_large',
    ['/discounts'],
  ],
  [
    'two discounts above all lines',
    { discounts: [{ percent: '60' }, { percent: '60' }] },
    'discount_too_large',
    ['/discounts'],
  ],
  [
    'a discount above its line',
    line({ discount: { amount: 101 } }),
    'discount_too_large',
    ['/lines/0/discounts'],
  ],
  [
    'charges that are too much',
    { charges: Array.from({ length: 20 }, () => ({ amount: 10 ** 13 })) },
    'total_too_large',
    ['/lines'],
  ],
  ['an unknown unit', line({ unit: 'QQQ' }), 'unknown_unit', ['/lines/0/unit']],
  ['a unit in small letters', line({ unit: 'hur' }), 'unknown_unit', ['/lines/0/unit']],
  ['a unit that is a number', line({ unit: 5 }), 'unknown_unit', ['/lines/0/unit']],
  [
    'a reason for no tax on a taxed line',
    line({ tax_exemption_reason: 'Why not' }),
    'exemption_not_allowed',
    ['/lines/0/tax_exemption_reason'],
  ],
  [
    'a reason of 501 characters',
    line({ tax_rate: '0', tax_category: 'E', tax_exemption_reason: 'x'.repeat(501) }),
    'invalid_text',
    ['/lines/0/tax_exemption_reason'],
  ],
  [
    '13 places',
    line({ unit_amount: undefined, unit_amount_decimal: '0.0000000000001' }),
    'invalid_decimal',
    ['/lines/0/unit_amount_decimal'],
  ],
  ['coins of 0', { cash_rounding: 0 }, 'invalid_integer', ['/cash_rounding']],
  ['half a coin', { cash_rounding: 0.5 }, 'invalid_integer', ['/cash_rounding']],
  ['a coin as text', { cash_rounding: '5' }, 'invalid_integer', ['/cash_rounding']],
  [
    'yes for prices_include_tax',
    { prices_include_tax: 'yes' },
    'invalid_boolean',
    ['/prices_include_tax'],
  ],
  ['an unknown language', { language: 'deutsch!' }, 'invalid_language', ['/language']],
  ['a language with NUL', { language: 'de\0' }, 'invalid_language', ['/language']],
  ['an unknown series', { series_id: 'nobody' }, 'unknown_series', ['/series_id']],
  ['a series by a wrong name', { series_id: 'No series' }, 'unknown_series', ['/series_id']],
  ['a series of another kind', { series_id: 'quote' }, 'unknown_series', ['/series_id']],
  ['a blank external id', { external_id: ' ' }, 'invalid_text', ['/external_id']],
  ['256 characters', { external_id: 'x'.repeat(256) }, 'invalid_text', ['/external_id']],
  ['a half character', { external_id: '\ud800' }, 'invalid_text', ['/external_id']],
  ['a proforma invoice', { proforma: true }, 'proforma_is_a_quote', ['/proforma']],
  [
    'two ways to be due',
    { due_date: '2099-01-01', payment_terms_days: 1 },
    'said_twice',
    ['/payment_terms_days'],
  ],
];

describe('a document is refused with', () => {
  it.each(TERMS)('%s', async (_, over, code, pointers) => {
    await client.bearer();
    const before = await contentsOf(service.database);
    const answer = await client.post(DOCUMENTS, requestFor(over as DocumentWish));
    const problem = expectProblem(answer, 422, code);
    expect(pointersOf(problem)).toEqual(pointers);
    expect(await contentsOf(service.database)).toEqual(before);
  });
});

/** The same for a draft that is changed; what only creating knows is left out. */
describe('a patch is refused with', () => {
  it.each(TERMS.filter(([, over]) => !('proforma' in over)))(
    '%s',
    async (_, over, code, pointers) => {
      await client.bearer();
      const before = await contentsOf(service.database);
      const problem = expectProblem(await client.patch(pathOf(draft), over), 422, code);
      expect(pointersOf(problem)).toEqual(pointers);
      expect(await contentsOf(service.database)).toEqual(before);
    },
  );
});
