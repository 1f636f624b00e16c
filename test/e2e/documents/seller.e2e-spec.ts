import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SellerProfileBody } from '../../../src/documents/wire/seller.js';
import { uuidOf } from '../../../src/kernel/ids.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { contentsOf, expectProblem } from '../expectations.js';

// The sender of an account's documents, and the defaults of new ones. Refusals are in
// bad-sellers.e2e-spec.ts, the logo in seller-logo.e2e-spec.ts.

const SELLER = '/v1/finance/seller';

const PARTY = {
  name: 'Acme Studio',
  legal_name: 'Acme Studio GmbH',
  contact_name: 'Erika Mustermann',
  email: 'billing@acme.example',
  phone: '+49 30 1234567',
  address: ['Torstraße 49', 'Hinterhaus'],
  postal_code: '10119',
  city: 'Berlin',
  region: 'Berlin',
  country: 'DE',
  tax_id: 'DE999999999',
  tax_ids: [{ type: 'de_stnr', value: '30/123/45678' }],
  registration_id: 'HRB 12345 B',
  electronic_address: { scheme: '0088', value: '4012345000009' },
  website: 'https://acme.example',
  small_business: true,
  bank_accounts: [
    {
      holder: 'Acme Studio GmbH',
      bank_name: 'Commerzbank',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
    },
    { holder: null, bank_name: null, iban: 'NL91ABNA0417164300', bic: null },
  ],
};

const WHOLE = {
  ...PARTY,
  currency: 'CHF',
  base_currency: 'CHF',
  language: 'de-CH',
  payment_terms_days: 14,
  document_notes: 'Thank you.\nSee you again.',
  cash_discounts: [{ percent: '2', days: 7 }],
  payee: { name: 'Factoring AG', id: 'F-1', registration_id: null },
  tax_representative: {
    name: 'Fiskal GmbH',
    tax_id: 'DE123456788',
    address: [],
    postal_code: null,
    city: null,
    region: null,
    country: 'DE',
  },
  books_from: '2020-01-01',
  issue_days_ahead: 7,
  strict: true,
  e_invoice_profile: 'peppol',
  strict_profile: true,
  time_zone: 'Europe/Zurich',
};

/** The settings of a new account of the tests, and its other fields. */
const OWN = { name: 'Acme', currency: 'EUR', base_currency: 'EUR', time_zone: 'UTC' };
const NEW = {
  mode: 'test',
  legal_name: null,
  contact_name: null,
  email: null,
  phone: null,
  address: [],
  postal_code: null,
  city: null,
  region: null,
  country: 'US',
  tax_id: null,
  tax_ids: [],
  registration_id: null,
  electronic_address: null,
  website: null,
  bank_accounts: [],
  small_business: false,
  logo: null,
  template: null,
  language: 'en',
  payment_terms_days: 30,
  document_notes: null,
  cash_discounts: [],
  payee: null,
  tax_representative: null,
  e_invoice_profile: null,
  strict_profile: false,
  books_from: `${new Date().getUTCFullYear() - 10}-01-01`,
  issue_days_ahead: 90,
  strict: false,
  default_tax_rate_id: null,
};

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  client = await service.aClient();
});

const patch = async (body: unknown, headers = {}, by = client) =>
  by.patch<SellerProfileBody>(SELLER, body, headers);

const read = async (by = client) => (await by.get<SellerProfileBody>(SELLER)).body;
const accounts = (...ibans: string[]) => ({ bank_accounts: ibans.map((iban) => ({ iban })) });

describe('the seller of a new account', () => {
  it('has its name, and every field', async () => {
    const answer = await client.get<SellerProfileBody>(SELLER);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      ...NEW,
      ...OWN,
      version: 1,
      updated_at: expect.any(String),
    });
    expect(answer.headers.get('etag')).toBe('"1"');
  });
});

describe('a change of the seller', () => {
  it('is answered as it is read, with the next version', async () => {
    const answer = await patch(WHOLE);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ ...WHOLE, logo: null, template: null, version: 2 });
    expect(answer.headers.get('etag')).toBe('"2"');
    expect(await read()).toEqual(answer.body);
  });

  it('may be sent as what it is, a merge patch', async () => {
    const type = { 'content-type': 'application/merge-patch+json' };
    const answer = await patch(JSON.stringify({ city: 'Bern' }), type);
    expect([answer.status, answer.body.city]).toEqual([200, 'Bern']);
  });

  it('leaves alone what it does not name', async () => {
    await patch(WHOLE);
    const { version, updated_at: _, ...kept } = (await patch({ city: 'Bern' })).body;
    expect(version).toBe(3);
    expect(kept).toEqual({
      ...WHOLE,
      mode: 'test',
      logo: null,
      template: null,
      city: 'Bern',
      default_tax_rate_id: null,
    });
    for (const [name, value] of Object.entries(WHOLE)) {
      const other = await service.aClient();
      const { body } = await patch({ [name]: value }, {}, other);
      expect(body).toMatchObject({ ...NEW, ...OWN, [name]: value });
    }
  });

  it('clears what it says is null', async () => {
    const { name, currency, base_currency, time_zone, ...clearable } = WHOLE;
    await patch(WHOLE);
    const nothing = Object.fromEntries(Object.keys(clearable).map((field) => [field, null]));
    const answer = await patch(nothing);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ...NEW,
      country: null,
      name,
      currency,
      base_currency,
      time_zone,
    });
  });

  it('replaces lists and objects as a whole', async () => {
    await patch(WHOLE);
    const one = { address: ['A'], tax_ids: [], ...accounts('NL91ABNA0417164300') };
    const { body } = await patch(one);
    expect(body).toMatchObject({ address: ['A'], tax_ids: [] });
    expect(body.bank_accounts).toEqual([WHOLE.bank_accounts[1]]);
  });

  it('takes up to ten bank accounts, written as people write them', async () => {
    const written = [
      { iban: 'DE89 3704 0044 0532 0130 00', bic: 'coba de ff' },
      { iban: 'gb29-nwbk-6016-1331-9268-19', bic: 'NWBKGB2LXXX' },
      { iban: '\u00a0NO93 8601 1117 947\u00a0' },
    ];
    const { body } = await patch({ bank_accounts: written });
    expect(body.bank_accounts.map(({ iban, bic }) => [iban, bic])).toEqual([
      ['DE89370400440532013000', 'COBADEFF'],
      ['GB29NWBK60161331926819', 'NWBKGB2LXXX'],
      ['NO9386011117947', null],
    ]);
    const ten = await patch(accounts(...Array.from({ length: 10 }, () => 'NO9386011117947')));
    expect(ten.body.bank_accounts).toHaveLength(10);
  });

  it('is another account’s for another account', async () => {
    const stranger = await service.aClient();
    const before = await read(stranger);
    await patch(WHOLE);
    expect(await read(stranger)).toEqual(before);
    expect(await read()).not.toEqual(before);
  });

  it('needs the scope documents:write, and reading documents:read', async () => {
    const reader = await service.aClient({ of: client, scopes: ['documents:read'] });
    const payer = await service.aClient({ of: client, scopes: ['payments:write'] });
    expect((await reader.get(SELLER)).status).toBe(200);
    expectProblem(await patch({ city: 'Bern' }, {}, reader), 403, 'insufficient_scope');
    expectProblem(await payer.get(SELLER), 403, 'insufficient_scope');
  });
});

describe('If-Match', () => {
  it('lets a change pass only on the version that was read', async () => {
    const tag = (await client.get(SELLER)).headers.get('etag') ?? '';
    const first = await patch({ city: 'Bern' }, { 'if-match': tag });
    expect(first.status).toBe(200);
    const before = await contentsOf(service.database);
    expectProblem(await patch({ city: 'Basel' }, { 'if-match': tag }), 412, 'version_mismatch');
    expectProblem(await patch({ city: 'Basel' }, { 'if-match': 'W/"2"' }), 412, 'version_mismatch');
    expectProblem(await patch({ city: 'Basel' }, { 'if-match': '2' }), 400, 'invalid_if_match');
    expect(await contentsOf(service.database)).toEqual(before);
    const next = first.headers.get('etag') ?? '';
    expect((await patch({ city: 'Basel' }, { 'if-match': next })).status).toBe(200);
    expect((await patch({ city: 'Chur' }, { 'if-match': '*' })).status).toBe(200);
  });

  it('lets one of many at once pass', async () => {
    const tag = { 'if-match': '"1"' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => patch({ city: `City ${n}` }, tag)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 412, 412, 412, 412, 412, 412, 412]);
    expect((await read()).version).toBe(2);
  });

  it('is not needed: changes of different fields at once all stay', async () => {
    const fields = ['legal_name', 'city', 'region', 'phone', 'tax_id', 'document_notes'];
    await Promise.all(fields.map((field) => patch({ [field]: field })));
    expect(await read()).toMatchObject({
      ...Object.fromEntries(fields.map((field) => [field, field])),
      version: 1 + fields.length,
    });
  });
});

describe('an Idempotency-Key', () => {
  const key = { 'idempotency-key': 'one' };

  it('changes once', async () => {
    const first = await patch({ city: 'Bern' }, { ...key, 'if-match': '"1"' });
    const before = await contentsOf(service.database);
    const again = await patch({ city: 'Bern' }, { ...key, 'if-match': '"1"' });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expectProblem(await patch({ city: 'Basel' }, key), 422, 'idempotency_key_reused');
    expect(await contentsOf(service.database)).toEqual(before);
  });
});

describe('documents', () => {
  it('keep the seller they were issued with; drafts take the current one', async () => {
    await patch({ ...WHOLE, strict: false, strict_profile: false });
    const { warnings: _, ...issued } = await client.anInvoice();
    const draft = await client.anInvoice({ issue: false });
    expect(issued.seller).toEqual({ ...PARTY, logo: null, template: null });
    await patch({ name: 'New name', address: null, bank_accounts: null, tax_ids: null });
    expect(await client.read(issued)).toEqual(issued);
    const later = { name: 'New name', address: [], bank_accounts: [], tax_ids: [] };
    expect((await client.issue(draft)).seller).toEqual({
      ...PARTY,
      ...later,
      logo: null,
      template: null,
    });
  });

  it('have the account’s currency unless they say another', async () => {
    await patch({ currency: 'CHF' });
    const documents = [await client.anInvoice(), await client.anInvoice({ currency: 'USD' })];
    expect(documents.map(({ currency }) => currency)).toEqual(['CHF', 'USD']);
  });

  it('are of the day that it is in the account’s time zone', async () => {
    service.clock.set('2036-06-11T10:30:00Z');
    try {
      const before = await client.anInvoice();
      await patch({ time_zone: 'Pacific/Kiritimati' });
      const after = await client.anInvoice();
      expect([before.issue_date, after.issue_date]).toEqual(['2036-06-11', '2036-06-12']);
    } finally {
      service.clock.set(new Date());
    }
  });

  it('are written while the seller is changed, and the other way round', async () => {
    const writer = await service.database.connect();
    try {
      await writer.query('BEGIN');
      // The lock that a row that refers to the account takes, such as a new document.
      await writer.query('SELECT 1 FROM accounts WHERE account_id = $1 FOR KEY SHARE', [
        uuidOf('acc', client.accountId),
      ]);
      expect((await patch({ city: 'Bern' })).status).toBe(200);
      await writer.query('ROLLBACK');
    } finally {
      await writer.end();
    }
  });
});
