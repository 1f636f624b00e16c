import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CustomerBody } from '../../../src/documents/wire/customer.js';
import type { DocumentBody } from '../../../src/documents/wire/document-body.js';
import type { ItemBody } from '../../../src/documents/wire/catalogue/item.js';
import type { SellerProfileBody } from '../../../src/documents/wire/seller.js';
import { requestFor, type TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { expectProblem, pointersOf } from '../expectations.js';
import { closeWithBooks, made, pathOf } from './document-calls.js';

// The particulars of EN 16931 that few documents have: an answer has them where they were said.

const DOCUMENTS = '/v1/finance/documents';
const SELLER = '/v1/finance/seller';

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => closeWithBooks(service));
beforeEach(async () => {
  client = await service.aClient();
});

/** Of one supply, or of this document alone: a copy begins without them. */
const ONCE = {
  tax_point_date: '2026-11-20',
  receiving_reference: 'WE-1',
  payment_card: { last_digits: '4242', holder: 'Erika Mustermann' },
  preceding_invoices: [{ number: 'OLD-1', issue_date: '2026-10-01' }, { number: 'OLD-2' }],
};
const KEPT = {
  supply_nature: 'goods_and_services',
  tender_reference: 'TED-1',
  invoiced_object: { scheme: 'MG', value: '1EMH0012345678' },
  buyer_accounting_reference: '4711-100',
  payment_terms: 'Half at once,\nhalf in January.',
  payment_means_text: 'By debit',
  direct_debit: { mandate_reference: 'MNDT-1', creditor_id: 'DE98ZZZ09999999999', account: 'DE1' },
  subject_notes: [{ subject: 'PMT', text: 'A flat charge of 40 EUR.' }, { text: 'Thank you.' }],
};
const DETAILS = { type_code: '386', ...ONCE, ...KEPT };
const LINE = {
  item_description: 'Grey, 3 mm',
  note: 'On site',
  invoiced_object: { value: 'Lift 7' },
  buyer_accounting_reference: '4711-200',
  country_of_origin: 'AT',
  attributes: [{ name: 'Colour', value: 'grey' }],
};

const read = async ({ id }: { id: string }) =>
  (await client.get<DocumentBody>(`${DOCUMENTS}/${id}`)).body;

const lineOf = (over: object) => ({
  lines: [{ description: 'Plate', unit_amount: 1000, tax_rate: '19', ...over }],
});

describe('further details of a document', () => {
  it('are kept as they were said, and are absent where nobody said them', async () => {
    const invoice = await client.anInvoice({ ...DETAILS, ...lineOf(LINE) });
    expect(invoice).toMatchObject({ ...DETAILS, lines: [LINE] });
    expect(await read(invoice)).toEqual(invoice);
    const plain = await client.anInvoice({ supply_nature: null, subject_notes: [] });
    for (const name of Object.keys(DETAILS)) expect(plain).not.toHaveProperty(name);
    for (const name of Object.keys(LINE)) expect(plain.lines[0]).not.toHaveProperty(name);
    expect(await read(plain)).toEqual(plain);
  });

  it('are taken away again by null, and told in the history', async () => {
    const draft = await client.anInvoice({ ...DETAILS, issue: false });
    const gone = Object.fromEntries(Object.keys(DETAILS).map((name) => [name, null]));
    const patched = await client.patch<DocumentBody>(pathOf(draft), {
      ...gone,
      tender_reference: 'TED-2',
    });
    expect(patched.body.tender_reference).toBe('TED-2');
    expect(patched.body).not.toHaveProperty('subject_notes');
    expect(await read(draft)).toEqual(patched.body);
    const history = await client.get<{ data: { changes?: { field: string }[] }[] }>(
      pathOf(draft, 'history'),
    );
    const fields = history.body.data.flatMap(({ changes = [] }) => changes).map((one) => one.field);
    expect(fields).toEqual(
      expect.arrayContaining(['/tender_reference', '/subject_notes/0/text', '/type_code']),
    );
  });

  it('go with a credit note and a duplicate, but for what is of one document only', async () => {
    const invoice = await client.anInvoice({ ...DETAILS, ...lineOf(LINE) });
    const note = await made(client, invoice, 'credit-notes', { amount: 100 });
    expect(note).toMatchObject(KEPT);
    for (const name of ['type_code', 'payment_card', 'preceding_invoices']) {
      expect(note).not.toHaveProperty(name);
    }
    const copy = await made(client, invoice, 'duplicate');
    expect(copy).toMatchObject({ ...KEPT, lines: [LINE] });
    for (const name of Object.keys(ONCE)) expect(copy).not.toHaveProperty(name);
  });

  it('have no type that is not of the kind', async () => {
    const quote = await client.post(DOCUMENTS, requestFor({ kind: 'quote', type_code: '386' }));
    expectProblem(quote, 422, 'unknown_type_code');
    expect(pointersOf(quote.body as object)).toEqual(['/type_code']);
  });

  it('begin with the notes of the seller, which an empty list leaves out', async () => {
    const subject_notes = [{ subject: 'PMD', text: 'Late: 10 %.' }];
    const patched = await client.patch<SellerProfileBody>(SELLER, { subject_notes });
    expect(patched.body.subject_notes).toEqual(subject_notes);
    expect(await client.anInvoice()).toMatchObject({ subject_notes });
    expect(await client.anInvoice({ subject_notes: [] })).not.toHaveProperty('subject_notes');
    await client.patch(SELLER, { subject_notes: null });
    expect(await client.anInvoice()).not.toHaveProperty('subject_notes');
  });

  it('do not come back with the notes of the seller once a document left them out', async () => {
    const draft = await client.anInvoice({ subject_notes: [], issue: false });
    const invoice = await client.anInvoice({ subject_notes: [] });
    const later = await client.patch(SELLER, { subject_notes: [{ text: 'Late: 10 %.' }] });
    expect(later.status).toBe(200);
    const patched = await client.patch<DocumentBody>(`${DOCUMENTS}/${draft.id}`, { notes: 'Hi.' });
    expect(patched.body.notes).toBe('Hi.');
    const note = await made(client, invoice, 'credit-notes', { amount: 100 });
    const copy = await made(client, invoice, 'duplicate');
    for (const one of [patched.body, note, copy]) expect(one).not.toHaveProperty('subject_notes');
  });
});

describe('further details of parties and items', () => {
  it('are kept, frozen with a document, and taken away by null', async () => {
    const party = {
      registration_id: '123456789',
      registration_scheme: '0002',
      identifiers: [{ scheme: '0009', value: '12345678900011' }, { value: 'K-1' }],
    };
    const own = { tax_number: '30/123/45678', legal_information: 'HRB 1\nDirector: A. Cme' };
    await client.patch(SELLER, { ...party, ...own });
    const customer = await client.post<CustomerBody>('/v1/finance/customers', {
      name: 'Globex',
      ...party,
    });
    expect(customer.body).toMatchObject(party);
    const issued = await client.anInvoice({ customer: undefined, customer_id: customer.body.id });
    const path = `/v1/finance/customers/${customer.body.id}`;
    const emptied = await client.patch<CustomerBody>(path, {
      identifiers: null,
      registration_scheme: null,
    });
    expect(emptied.body).not.toHaveProperty('identifiers');
    expect((await client.get(path)).body).toEqual(emptied.body);
    expect(await read(issued)).toMatchObject({ seller: { ...party, ...own }, customer: party });
  });

  it('of an item are copied to a line that does not say them', async () => {
    const what = { country_of_origin: 'AT', attributes: [{ name: 'Colour', value: 'grey' }] };
    const item = await client.post<ItemBody>('/v1/finance/items', {
      name: 'Plate',
      prices: [{ currency: 'EUR', unit_amount: 1000 }],
      ...what,
    });
    expect(item.body).toMatchObject(what);
    const lines = [{ item_id: item.body.id }, { item_id: item.body.id, country_of_origin: 'CH' }];
    const invoice = await client.anInvoice({ lines });
    expect(invoice.lines).toMatchObject([what, { ...what, country_of_origin: 'CH' }]);
    const path = `/v1/finance/items/${item.body.id}`;
    const emptied = await client.patch<ItemBody>(path, { attributes: null });
    expect(emptied.body).not.toHaveProperty('attributes');
  });
});

const dollars = (tax_currency: object) => ({
  ...lineOf({ unit_amount: 10_001 }),
  currency: 'USD',
  tax_currency,
});

describe('the tax in another currency', () => {
  const RATES = '/v1/finance/exchange-rates';
  it('is calculated at the rate that is given', async () => {
    const invoice = await client.anInvoice(dollars({ currency: 'JPY', exchange_rate: '155.25' }));
    // 19.00 USD.
    expect(invoice).toMatchObject({ tax_total: 1900, tax_total_in_tax_currency: 2950 });
    const note = await made(client, invoice, 'credit-notes', { amount: 1190 });
    expect(note).toMatchObject({ tax_total: 190, tax_total_in_tax_currency: 295 });
  });

  it('is at the books’ rate of the day of issue, which is frozen, and not copied', async () => {
    const refused = await client.post(DOCUMENTS, requestFor(dollars({ currency: 'EUR' })));
    expectProblem(refused, 422, 'exchange_rate_missing');
    const draft = await client.anInvoice({ ...dollars({ currency: 'EUR' }), issue: false });
    expect(draft).not.toHaveProperty('tax_total_in_tax_currency');
    const today = service.clock.now().toISOString().slice(0, 10);
    const told = { day: today, base: 'EUR', quote: 'USD', rate: '1.25', source: 'ECB' };
    expect((await client.put(RATES, { rates: [told] })).status).toBe(200);
    const issued = await client.post<DocumentBody>(pathOf(draft, 'issue'));
    expect(issued.body).toMatchObject({
      tax_currency: { currency: 'EUR', exchange_rate: '0.8' },
      tax_total_in_tax_currency: 1520,
    });
    await client.put(RATES, { rates: [{ ...told, rate: '1.6' }] });
    expect(await read(draft)).toMatchObject({ tax_total_in_tax_currency: 1520 });
    const copy = await made(client, draft, 'duplicate', { issue: true });
    expect(copy).toMatchObject({ tax_total_in_tax_currency: 1188 });
  });

  it('is of another currency than the document', async () => {
    const answer = await client.post(DOCUMENTS, requestFor({ tax_currency: { currency: 'EUR' } }));
    expectProblem(answer, 422, 'tax_currency_is_own');
    expect(pointersOf(answer.body as object)).toEqual(['/tax_currency/currency']);
  });
});

describe('money of e-invoices', () => {
  it('has prices for many, and their list prices', async () => {
    const price = { unit_amount_decimal: '1234.5', price_base_quantity: '1000' };
    const many = { ...price, quantity: '333.30', gross_unit_amount_decimal: '1500.00' };
    const invoice = await client.anInvoice(lineOf({ ...many, unit_amount: undefined }));
    expect(invoice.lines[0]).toMatchObject({
      price_base_quantity: '1000',
      gross_unit_amount_decimal: '1500',
      subtotal: 411,
    });
    const part = await made(client, invoice, 'credit-notes', {
      lines: [{ position: 1, quantity: '100' }],
    });
    expect(part.lines[0]).not.toHaveProperty('price_base_quantity');
    const rest = await made(client, invoice, 'credit-notes', {});
    expect(part.total + rest.total).toBe(invoice.total);
    const whole = await client.anInvoice(lineOf({ ...many, unit_amount: undefined }));
    const note = await made(client, whole, 'credit-notes', {});
    expect(note.lines[0]).toMatchObject({ price_base_quantity: '1000', subtotal: 411 });
  });

  it('has a rounding that is given, in the place of one to a coin', async () => {
    const draft = await client.anInvoice({ rounding_amount: -99, issue: false });
    const exact = draft.net_total + draft.tax_total;
    expect(draft).toMatchObject({ rounding_amount: -99, total: exact - 99, cash_rounding: null });
    const noted = await client.patch<DocumentBody>(pathOf(draft), { notes: 'Kept' });
    expect(noted.body.rounding_amount).toBe(-99);
    const toCoin = await client.patch<DocumentBody>(pathOf(draft), { cash_rounding: 100 });
    expect(toCoin.body).toMatchObject({ cash_rounding: 100, total: Math.round(exact / 100) * 100 });
    const given = await client.patch<DocumentBody>(pathOf(draft), { rounding_amount: 7 });
    expect(given.body).toMatchObject({ cash_rounding: null, rounding_amount: 7 });
    const none = await client.patch<DocumentBody>(pathOf(draft), { rounding_amount: null });
    expect(none.body).toMatchObject({ cash_rounding: null, rounding_amount: 0 });
    const much = await client.patch(pathOf(draft), { rounding_amount: -exact - 1 });
    expectProblem(much, 422, 'rounding_too_large');
    const twice = await client.patch(pathOf(draft), { rounding_amount: 1, cash_rounding: 5 });
    expectProblem(twice, 422, 'said_twice');
  });

  it('is paid and credited to the end with a rounding that is given', async () => {
    for (const rounding_amount of [-500, 700]) {
      const invoice = await client.anInvoice({ rounding_amount });
      await made(client, invoice, 'credit-notes', { amount: 1000 });
      const due = (await read(invoice)).amount_due;
      expect((await client.pay(invoice, { amount: 300 })).status).toBe(201);
      const note = await made(client, invoice, 'credit-notes', {});
      expect(note.total).toBe(due);
      expect(await read(invoice)).toMatchObject({ amount_due: 0, status: 'paid' });
    }
  });

  it('takes quantities with needless zeros', async () => {
    const invoice = await client.anInvoice(lineOf({ quantity: '2.500000000000' }));
    expect(invoice.lines[0]?.quantity).toBe('2.5');
    const exact = await client.post(DOCUMENTS, requestFor(lineOf({ quantity: '2.5000001' })));
    expectProblem(exact, 422, 'invalid_decimal');
  });
});

describe('a tax below zero beside one above it', () => {
  const machine = { description: 'Machine', unit_amount: 100_000, tax_rate: '19' };
  const deposit = { description: 'Deposit', quantity: '-1', unit_amount: 20_003, tax_rate: '16' };
  const lines = [machine, deposit];

  it('is billed and credited to the last cent', async () => {
    for (const prices_include_tax of [false, true]) {
      const invoice = await client.anInvoice({ lines, prices_include_tax });
      expect(invoice.tax_groups[1]).toMatchObject(
        prices_include_tax
          ? { tax_rate: '16', taxable_amount: -17_244, tax_amount: -2759 }
          : { tax_rate: '16', taxable_amount: -20_003, tax_amount: -3200 },
      );
      const first = await made(client, invoice, 'credit-notes', { amount: 33_333 });
      expect((await client.pay(invoice, { amount: 10_000 })).status).toBe(201);
      const rest = await made(client, invoice, 'credit-notes', {});
      const notes = [first, rest].flatMap(({ tax_groups: groups }) => groups);
      for (const { tax_rate: rate, taxable_amount: base, tax_amount: tax } of invoice.tax_groups) {
        const same = notes.filter((group) => group.tax_rate === rate);
        expect(same.reduce((sum, one) => sum + one.taxable_amount, 0)).toBe(base);
        expect(same.reduce((sum, one) => sum + one.tax_amount, 0)).toBe(tax);
      }
    }
  });

  it('is written off with its tax, and paid in the end', async () => {
    const invoice = await client.anInvoice({ lines });
    expect((await client.pay(invoice, { amount: 50_000 })).status).toBe(201);
    const lost = await client.post<DocumentBody>(pathOf(invoice, 'write-off'), {
      tax_relief: true,
    });
    const taxes = lost.body.loss?.taxes ?? [];
    expect(taxes.map(({ tax_amount: tax }) => Math.sign(tax))).toEqual([1, -1]);
    const rest = await client.pay(invoice, { amount: lost.body.amount_written_off });
    expect(rest.status).toBe(201);
    expect(await read(invoice)).toMatchObject({ status: 'paid', loss: null });
  });

  it('is not credited by the lines that sell alone, nor by those that take back', async () => {
    const invoice = await client.anInvoice({ lines });
    const path = pathOf(invoice, 'credit-notes');
    for (const position of [1, 2]) {
      const alone = await client.post(path, { lines: [{ position }] });
      expect(alone.status).toBe(422);
    }
    const both = await client.post(path, { lines: [{ position: 1 }, { position: 2 }] });
    expect(both.status).toBe(201);
    expect(await read(invoice)).toMatchObject({ amount_creditable: 0 });
  });

  it('that comes to nothing is not credited by one of its lines', async () => {
    const back = { ...machine, quantity: '-1' };
    const invoice = await client.anInvoice({
      lines: [machine, back, { ...machine, tax_rate: '7' }],
    });
    for (const position of [1, 2]) {
      const path = pathOf(invoice, 'credit-notes');
      const alone = await client.post(path, { lines: [{ position }] });
      expectProblem(alone, 422, 'amount_exceeds_creditable');
    }
    expect((await made(client, invoice, 'credit-notes', {})).total).toBe(invoice.total);
  });

  it('is refused where net, tax or total come to less than zero', async () => {
    const wrong = [
      [deposit],
      [{ ...machine, tax_rate: '0' }, deposit],
      [{ ...machine, unit_amount: 20_002 }, deposit],
    ];
    for (const list of wrong) {
      const answer = await client.post(DOCUMENTS, requestFor({ lines: list }));
      expectProblem(answer, 422, 'total_below_zero');
    }
  });
});
