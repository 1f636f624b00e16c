import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentWish, requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Every wrong field is named by its JSON Pointer, and nothing is written.

const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
let foreignCustomer: string;
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  await client.anInvoice();
  const other = await service.aClient();
  foreignCustomer = (await other.anInvoice()).customer_id;
});
afterAll(() => service.close());

const line = (over: object) => ({
  lines: [{ description: 'Consulting', unit_amount: 100, tax_rate: '19', ...over }],
});
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'value']));
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

type Case = [name: string, over: object, code: string, pointers: string[]];

const FIELDS: Case[] = [
  ['10,001 lines', { lines: 10_001 }, 'too_many_items', ['/lines']],
  ['lines that are null', { lines: null }, 'required', ['/lines']],
  ['empty lines', { lines: [] }, 'too_few_items', ['/lines']],
  ['lines that are no list', { lines: 'x' }, 'invalid_list', ['/lines']],
  ['a line that is null', { lines: [null] }, 'required', ['/lines/0']],
  ['a line that is text', { lines: ['x'] }, 'invalid_object', ['/lines/0']],
  ['a line without anything', { lines: [{}] }, 'required', ['/lines/0/description']],
  ['a blank description', line({ description: ' ' }), 'invalid_text', ['/lines/0/description']],
  [
    '2,001 characters',
    line({ description: 'x'.repeat(2001) }),
    'invalid_text',
    ['/lines/0/description'],
  ],
  ['lines below zero', line({ quantity: '-1' }), 'total_below_zero', ['/lines/0/quantity']],
  [
    'a quantity far below zero',
    line({ quantity: '-1000000001' }),
    'invalid_decimal',
    ['/lines/0/quantity'],
  ],
  ['quantity 1e5', line({ quantity: '1e5' }), 'invalid_decimal', ['/lines/0/quantity']],
  ['quantity 0x10', line({ quantity: '0x10' }), 'invalid_decimal', ['/lines/0/quantity']],
  ['a blank quantity', line({ quantity: ' ' }), 'invalid_decimal', ['/lines/0/quantity']],
  ['7 decimal places', line({ quantity: 0.000_000_1 }), 'invalid_decimal', ['/lines/0/quantity']],
  ['a huge quantity', line({ quantity: 1e300 }), 'invalid_decimal', ['/lines/0/quantity']],
  ['a negative price', line({ unit_amount: -1 }), 'amount_out_of_range', ['/lines/0/unit_amount']],
  ['a fraction', line({ unit_amount: 12.5 }), 'amount_not_integer', ['/lines/0/unit_amount']],
  [
    'a price as text',
    line({ unit_amount: '1250' }),
    'amount_not_integer',
    ['/lines/0/unit_amount'],
  ],
  [
    'a huge price',
    line({ unit_amount: 10 ** 13 + 1 }),
    'amount_out_of_range',
    ['/lines/0/unit_amount'],
  ],
  [
    'both prices',
    line({ unit_amount_decimal: '1' }),
    'one_price_required',
    ['/lines/0/unit_amount'],
  ],
  ['no price', line({ unit_amount: undefined }), 'one_price_required', ['/lines/0/unit_amount']],
  [
    'a decimal price as number',
    line({ unit_amount: undefined, unit_amount_decimal: 1.5 }),
    'invalid_decimal',
    ['/lines/0/unit_amount_decimal'],
  ],
  ['a rate of 1000', line({ tax_rate: '1000' }), 'invalid_decimal', ['/lines/0/tax_rate']],
  ['an unknown category', line({ tax_category: 'X' }), 'not_in_list', ['/lines/0/tax_category']],
  [
    'S without a rate',
    line({ tax_category: 'S', tax_rate: '0' }),
    'tax_rate_required',
    ['/lines/0/tax_rate'],
  ],
  ['AE with a rate', line({ tax_category: 'AE' }), 'tax_rate_not_allowed', ['/lines/0/tax_rate']],
  ['a total of a line', line({ net_amount: 1 }), 'unknown_field', ['/lines/0/net_amount']],
  ['a total too large', line({ unit_amount: 10 ** 13 }), 'total_too_large', ['/lines']],
  [
    'a total far too large',
    line({ unit_amount: 10 ** 13, quantity: 1_000_000_000 }),
    'total_too_large',
    ['/lines/0'],
  ],
  ['a total', { total: 1 }, 'unknown_field', ['/total']],
  ['a status', { status: 'paid' }, 'unknown_field', ['/status']],
  ['an unknown field with a slash', { 'a/b~c': 1 }, 'unknown_field', ['/a~1b~0c']],
  ['a field named constructor', { constructor: 1 }, 'unknown_field', ['/constructor']],
  ['an unknown kind', { kind: 'receipt' }, 'not_in_list', ['/kind']],
  ['an unknown currency', { currency: 'XXX' }, 'unknown_currency', ['/currency']],
  ['a currency in small letters', { currency: 'eur' }, 'unknown_currency', ['/currency']],
  ['no customer', { customer: undefined }, 'required', ['/customer']],
  ['an empty customer', { customer: {} }, 'required', ['/customer/name']],
  ['a customer that is text', { customer: 'Globex' }, 'invalid_object', ['/customer']],
  ['a customer that is a list', { customer: [{ name: 'A' }] }, 'invalid_object', ['/customer']],
  [
    'an e-mail address that is none',
    { customer: { name: 'A', email: 'a@b' } },
    'invalid_email',
    ['/customer/email'],
  ],
  [
    'a country by name',
    { customer: { name: 'A', country: 'Germany' } },
    'invalid_country',
    ['/customer/country'],
  ],
  [
    'a country code that nobody has',
    { customer: { name: 'A', country: 'UK' } },
    'invalid_country',
    ['/customer/country'],
  ],
  [
    'an electronic address of an unknown scheme',
    { customer: { name: 'A', electronic_address: { scheme: '1234', value: '1' } } },
    'unknown_scheme',
    ['/customer/electronic_address/scheme'],
  ],
  [
    '7 address lines',
    { customer: { name: 'A', address: [...'1234567'] } },
    'invalid_text_list',
    ['/customer/address'],
  ],
  [
    'an id that is none',
    { customer: undefined, customer_id: 'cus_1' },
    'invalid_id',
    ['/customer_id'],
  ],
  [
    'the id of a document',
    { customer: undefined, customer_id: `doc_${'0'.repeat(26)}` },
    'invalid_id',
    ['/customer_id'],
  ],
  ['2026-02-30', { issue_date: '2026-02-30' }, 'invalid_date', ['/issue_date']],
  ['the year 0', { issue_date: '0000-01-01' }, 'invalid_date', ['/issue_date']],
  ['a date with a time', { due_date: '2026-02-01T00:00:00Z' }, 'invalid_date', ['/due_date']],
  [
    'a due date too early',
    { issue_date: '2026-02-02', due_date: '2026-02-01' },
    'due_before_issue',
    ['/due_date'],
  ],
  ['a due date after the year 9999', { issue_date: '9999-12-31' }, 'invalid_date', ['/issue_date']],
  ['3,651 days', { payment_terms_days: 3651 }, 'invalid_integer', ['/payment_terms_days']],
  ['NUL', { notes: 'a\0b' }, 'invalid_text', ['/notes']],
  ['a lone surrogate', { notes: 'a\ud800b' }, 'invalid_text', ['/notes']],
  ['NUL in a name', { customer: { name: 'a\0' } }, 'invalid_text', ['/customer/name']],
  [
    'NUL in an address',
    { customer: { name: 'A', address: ['\0'] } },
    'invalid_text_list',
    ['/customer/address/0'],
  ],
  [
    'NUL in an e-mail',
    { customer: { name: 'A', email: 'a\0@b.example' } },
    'invalid_email',
    ['/customer/email'],
  ],
  ['notes of 5,001 characters', { notes: 'x'.repeat(5001) }, 'invalid_text', ['/notes']],
  ['51 keys', { metadata: keys(51) }, 'invalid_metadata', ['/metadata']],
  ['a number in metadata', { metadata: { a: 1 } }, 'invalid_metadata', ['/metadata/a']],
  ['metadata in metadata', { metadata: { a: { b: 'c' } } }, 'invalid_metadata', ['/metadata/a']],
  ['metadata as a list', { metadata: ['a'] }, 'invalid_metadata', ['/metadata']],
  ['an empty key', { metadata: { '': 'a' } }, 'invalid_metadata', ['/metadata/']],
  [
    'a key of 41',
    { metadata: { ['x'.repeat(41)]: 'a' } },
    'invalid_metadata',
    [`/metadata/${'x'.repeat(41)}`],
  ],
  ['a value of 501', { metadata: { a: 'x'.repeat(501) } }, 'invalid_metadata', ['/metadata/a']],
  [
    'a half character in a value',
    { metadata: { a: '\udc00' } },
    'invalid_metadata',
    ['/metadata/a'],
  ],
];

/** Not JSON that can be written down as an object, or no fields to name. */
const BODIES: [name: string, body: () => unknown, status: number, code: string][] = [
  ['NUL in a key', () => requestFor({ metadata: { '\0': 'a' } }), 400, 'malformed_json'],
  ['9 MB of notes', () => requestFor({ notes: 'x'.repeat(9_000_000) }), 413, 'body_too_large'],
  ['no JSON', () => '{"lines":', 400, 'malformed_json'],
  ['nothing', () => '', 422, 'required'],
  ['a list', () => [requestFor()], 400, 'malformed_json'],
  ['text', () => '"x"', 400, 'malformed_json'],
  ['null', () => 'null', 400, 'malformed_json'],
  [
    'bytes that are no UTF-8',
    () => Buffer.from('{"notes":"\xff"}', 'latin1'),
    400,
    'malformed_json',
  ],
  ['deep nesting', () => nested(10_000), 400, 'malformed_json'],
  [
    'deep nesting of lists',
    () => `{"lines":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    400,
    'malformed_json',
  ],
  ['__proto__', () => '{"__proto__":{"issue":true}}', 400, 'malformed_json'],
  ['__proto__ in metadata', () => '{"metadata":{"__proto__":{"a":"b"}}}', 400, 'malformed_json'],
  ['escaped __proto__', () => '{"\\u005f_proto__":{"issue":true}}', 400, 'malformed_json'],
  [
    'constructor.prototype',
    () => '{"constructor":{"prototype":{"a":1}}}',
    422,
    'validation_failed',
  ],
  [
    'an infinite price',
    () =>
      JSON.stringify(requestFor(line({ unit_amount: 7 }) as DocumentWish)).replace(':7', ':1e400'),
    422,
    'amount_not_integer',
  ],
];

describe('a document is refused with', () => {
  const json = { 'content-type': 'application/json' };

  it.each(FIELDS)('%s', async (_, over, code, pointers) => {
    const body = JSON.stringify(requestFor(over as DocumentWish));
    await client.bearer();
    const before = await contentsOf(service.database);
    const answer = await client.post(DOCUMENTS, body, json);
    const problem = expectProblem(answer, 422, code);
    expect(pointersOf(problem)).toEqual(pointers);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it.each(BODIES)('%s', async (_, body, status, code) => {
    await client.bearer();
    const before = await contentsOf(service.database);
    const answer = await client.post(DOCUMENTS, body(), json);
    expectProblem(answer, status, code);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('the customer of another account', async () => {
    const before = await contentsOf(service.database);
    const over = { customer: undefined, customer_id: foreignCustomer };
    const problem = expectProblem(
      await client.post(DOCUMENTS, requestFor(over)),
      422,
      'unknown_customer',
    );
    expect(pointersOf(problem)).toEqual(['/customer_id']);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it.each([[[[]]], [[line({}).lines]], [[...line({}).lines, []]]])(
    'a list in its lines: %j',
    async (lines) => {
      const before = await contentsOf(service.database);
      const problem = expectProblem(
        await client.post(DOCUMENTS, requestFor({ lines })),
        422,
        'invalid_object',
      );
      expect(pointersOf(problem)[0]).toMatch(/^\/lines/);
      expect(await contentsOf(service.database)).toEqual(before);
    },
  );

  it('all wrong fields named at once', async () => {
    const wrong = {
      kind: 5,
      currency: 5,
      customer: 'x',
      customer_id: 5,
      lines: [
        {
          description: 5,
          quantity: [],
          unit_amount: '1',
          unit_amount_decimal: 5,
          tax_rate: {},
          tax_category: true,
          extra: 1,
        },
      ],
      issue_date: 5,
      due_date: [],
      payment_terms_days: '30',
      purchase_order: {},
      notes: [],
      metadata: 'x',
      issue: 'yes',
      extra: null,
    };
    const before = await contentsOf(service.database);
    const problem = expectProblem(await client.post(DOCUMENTS, wrong), 422, 'validation_failed');
    const fields = Object.keys(wrong).filter((name) => name !== 'lines');
    const lineFields = Object.keys(wrong.lines[0] ?? {}).map((name) => `lines/0/${name}`);
    expect(pointersOf(problem)).toEqual(
      [...fields, ...lineFields].map((name) => `/${name}`).sort(),
    );
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('every wrong line named at once', async () => {
    const body = requestFor({
      lines: [
        { description: 'A', unit_amount: 1 },
        { description: 'B' },
        { description: 'C', unit_amount: 1, tax_rate: '19', tax_category: 'E' },
      ],
    });
    const problem = expectProblem(await client.post(DOCUMENTS, body), 422, 'validation_failed');
    expect(pointersOf(problem)).toEqual(['/lines/1/unit_amount', '/lines/2/tax_rate']);
  });
});

describe('an action is refused with', () => {
  it.each(['issue', 'void'])('a field that %s does not have', async (action) => {
    const draft = await client.anInvoice({ issue: action === 'void' });
    const before = await contentsOf(service.database);
    const answer = await client.post(`${DOCUMENTS}/${draft.id}/${action}`, { number: 'INV-1' });
    expect(pointersOf(expectProblem(answer, 422, 'unknown_field'))).toEqual(['/number']);
    expect(await contentsOf(service.database)).toEqual(before);
  });
});
