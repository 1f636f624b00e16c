import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem, pointersOf } from '../expectations.js';

// Every wrong field of a customer is named by its JSON Pointer, and nothing is written. That holds
// when a customer is created, changed, and sent along with a document.

const CUSTOMERS = '/v1/finance/customers';
const DOCUMENTS = '/v1/finance/documents';

let service: TestService;
let client: TestClient;
let customer: { id: string };
beforeAll(async () => {
  service = await startTestService();
  client = await service.aClient();
  customer = await client.aCustomer();
});
afterAll(() => service.close());

const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'value']));
const long = (length: number) => 'x'.repeat(length);
const taxId = { type: 'vat', value: 'DE1' };

type Case = [name: string, fields: object, code: string, pointers: string[]];

const OF_PARTY: Case[] = [
  ['a name that is null', { name: null }, 'required', ['/name']],
  ['a blank name', { name: '  ' }, 'invalid_text', ['/name']],
  ['a name that is a number', { name: 5 }, 'invalid_text', ['/name']],
  ['a name of 301 characters', { name: long(301) }, 'invalid_text', ['/name']],
  ['NUL in its name', { name: 'a\0b' }, 'invalid_text', ['/name']],
  ['half a character', { legal_name: 'a\ud800' }, 'invalid_text', ['/legal_name']],
  ['a blank legal name', { legal_name: '' }, 'invalid_text', ['/legal_name']],
  ['a contact of 201', { contact_name: long(201) }, 'invalid_text', ['/contact_name']],
  ['an e-mail address that is none', { email: 'globex' }, 'invalid_email', ['/email']],
  ['two e-mail addresses', { email: 'a@b.example, c@d.example' }, 'invalid_email', ['/email']],
  ['a line end in its e-mail', { email: 'a@b.example\nBcc: c@d.e' }, 'invalid_email', ['/email']],
  ['an e-mail of 255', { email: `${long(246)}@b.example` }, 'invalid_email', ['/email']],
  ['a phone of 51', { phone: long(51) }, 'invalid_text', ['/phone']],
  ['an address as text', { address: 'Hauptstraße 1' }, 'invalid_text_list', ['/address']],
  ['7 address lines', { address: [...'1234567'] }, 'invalid_text_list', ['/address']],
  ['null in its address', { address: [null] }, 'invalid_text_list', ['/address/0']],
  ['a long address line', { address: [long(201)] }, 'invalid_text_list', ['/address/0']],
  ['a postal code as number', { postal_code: 10115 }, 'invalid_text', ['/postal_code']],
  ['a city of 101', { city: long(101) }, 'invalid_text', ['/city']],
  ['a region as list', { region: ['BE'] }, 'invalid_text', ['/region']],
  ['a country by name', { country: 'Germany' }, 'invalid_country', ['/country']],
  ['a country in small letters', { country: 'de' }, 'invalid_country', ['/country']],
  ['a tax id of 51', { tax_id: long(51) }, 'invalid_text', ['/tax_id']],
  ['tax ids that are no list', { tax_ids: taxId }, 'invalid_list', ['/tax_ids']],
  [
    '11 tax ids',
    { tax_ids: Array.from({ length: 11 }, () => taxId) },
    'too_many_items',
    ['/tax_ids'],
  ],
  ['a tax id that is text', { tax_ids: ['DE1'] }, 'invalid_object', ['/tax_ids/0']],
  [
    'a tax id without a type',
    { tax_ids: [taxId, { value: '1' }] },
    'required',
    ['/tax_ids/1/type'],
  ],
  [
    'a tax id with more',
    { tax_ids: [{ ...taxId, country: 'DE' }] },
    'unknown_field',
    ['/tax_ids/0/country'],
  ],
  [
    'a number of the register of 51',
    { registration_id: long(51) },
    'invalid_text',
    ['/registration_id'],
  ],
  [
    'an electronic address as text',
    { electronic_address: '0088:4012345000009' },
    'invalid_object',
    ['/electronic_address'],
  ],
  [
    'an unknown scheme',
    { electronic_address: { scheme: 'peppol', value: '1' } },
    'unknown_scheme',
    ['/electronic_address/scheme'],
  ],
  [
    'an electronic address without its value',
    { electronic_address: { scheme: '0088' } },
    'required',
    ['/electronic_address/value'],
  ],
  ['a language by name', { language: 'German (Germany)' }, 'invalid_language', ['/language']],
  ['a language with a _', { language: 'de_DE' }, 'invalid_language', ['/language']],
  ['a reference of 101', { reference: long(101) }, 'invalid_text', ['/reference']],
  [
    'a shipping address that is a list',
    { shipping_address: [{ city: 'Kiel' }] },
    'invalid_object',
    ['/shipping_address'],
  ],
  [
    'a shipping address with an e-mail',
    { shipping_address: { email: 'a@b.example' } },
    'unknown_field',
    ['/shipping_address/email'],
  ],
  [
    'a country by name to ship to',
    { shipping_address: { country: 'Germany' } },
    'invalid_country',
    ['/shipping_address/country'],
  ],
  ['an unknown field', { vat_number: 'DE1' }, 'unknown_field', ['/vat_number']],
  ['a field named constructor', { constructor: 1 }, 'unknown_field', ['/constructor']],
];

const OF_CUSTOMER: Case[] = [
  ['an unknown currency', { currency: 'XXX' }, 'unknown_currency', ['/currency']],
  ['a currency in small letters', { currency: 'eur' }, 'unknown_currency', ['/currency']],
  ['a kind that is none', { kind: 'company' }, 'not_in_list', ['/kind']],
  ['-1 days', { payment_terms_days: -1 }, 'invalid_integer', ['/payment_terms_days']],
  ['3,651 days', { payment_terms_days: 3651 }, 'invalid_integer', ['/payment_terms_days']],
  ['days as text', { payment_terms_days: '30' }, 'invalid_integer', ['/payment_terms_days']],
  ['a blank external id', { external_id: ' ' }, 'invalid_text', ['/external_id']],
  ['an external id of 101', { external_id: long(101) }, 'invalid_text', ['/external_id']],
  ['an external id as number', { external_id: 7 }, 'invalid_text', ['/external_id']],
  ['51 keys', { metadata: keys(51) }, 'invalid_metadata', ['/metadata']],
  ['null in metadata', { metadata: { a: null } }, 'invalid_metadata', ['/metadata/a']],
  ['metadata in metadata', { metadata: { a: { b: 'c' } } }, 'invalid_metadata', ['/metadata/a']],
  ['metadata as a list', { metadata: ['a'] }, 'invalid_metadata', ['/metadata']],
  ['its id', { id: 'cus_01h455vb4pex5vsknk084sn02q' }, 'unknown_field', ['/id']],
  ['its version', { version: 1 }, 'unknown_field', ['/version']],
  ['an archive of its own', { archived_at: null }, 'unknown_field', ['/archived_at']],
  [
    'several wrong fields',
    { name: null, country: 'Germany', tax_ids: [{}], metadata: 5, x: 1 },
    'validation_failed',
    ['/country', '/metadata', '/name', '/tax_ids/0/type', '/tax_ids/0/value', '/x'],
  ],
];

async function expectRefused(
  send: () => Promise<Parameters<typeof expectProblem>[0]>,
  code: string,
  pointers: string[],
): Promise<void> {
  await client.bearer();
  const before = await contentsOf(service.database);
  expect(pointersOf(expectProblem(await send(), 422, code))).toEqual(pointers);
  expect(await contentsOf(service.database)).toEqual(before);
}

describe('a customer is refused with', () => {
  it.each([...OF_PARTY, ...OF_CUSTOMER])('%s', async (_, fields, code, pointers) => {
    const body = { name: 'Globex', ...fields };
    await expectRefused(() => client.post(CUSTOMERS, body), code, pointers);
  });

  it('no name', async () => {
    await expectRefused(() => client.post(CUSTOMERS, {}), 'required', ['/name']);
  });
});

describe('a patch is refused with', () => {
  it.each([...OF_PARTY, ...OF_CUSTOMER])('%s', async (_, fields, code, pointers) => {
    const path = `${CUSTOMERS}/${customer.id}`;
    await expectRefused(() => client.patch(path, fields), code, pointers);
  });

  it.each([
    ['a list', '[{"op":"remove","path":"/name"}]', 'application/json-patch+json', 400],
    ['no JSON', '{"name":', 'application/merge-patch+json', 400],
    ['text', 'name=Globex', 'application/x-www-form-urlencoded', 415],
  ])('%s for a body', async (_, body, type, status) => {
    const headers = { 'content-type': type };
    const answer = await client.patch(`${CUSTOMERS}/${customer.id}`, body, headers);
    const code = status === 400 ? 'malformed_json' : 'unsupported_media_type';
    expectProblem(answer, status, code);
  });
});

describe('a document is refused for its customer with', () => {
  it.each(OF_PARTY)('%s', async (_, fields, code, pointers) => {
    const lines = [{ description: 'Consulting', unit_amount: 100 }];
    const body = { lines, customer: { name: 'Globex', ...fields } };
    const below = pointers.map((pointer) => `/customer${pointer}`);
    await expectRefused(() => client.post(DOCUMENTS, body), code, below);
  });
});
