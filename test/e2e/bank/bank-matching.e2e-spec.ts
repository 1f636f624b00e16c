import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { BankEntryDetailBody } from '../../../src/bank/wire/bank-entry.js';
import { BankEntryMatching } from '../../../src/bank/application/bank-entry-matching.js';
import { NamedPaymentsQuery } from '../../../src/bank/infrastructure/named-payments.query.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { ENTRIES, entriesOf, entryOf, imported, invoiceOf } from './bank-calls.js';
import { contentsOf } from '../expectations.js';
import { closeWithBooks } from '../documents/document-calls.js';

// The entries of a statement: booked where it is sure, else for a person to decide.

let service: TestService;
let client: TestClient;
let customer: { id: string };
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient({ timeZone: 'Europe/Berlin' });
  customer = await client.aCustomer();
});
afterAll(() => closeWithBooks(service));

const confirm = (id: string | undefined, body: object, headers = {}) =>
  client.post<BankEntryDetailBody & { code: string }>(`${ENTRIES}/${id}/confirm`, body, headers);
const ignore = (id: string | undefined) =>
  client.post<BankEntryDetailBody & { code: string }>(`${ENTRIES}/${id}/ignore`);
const creditOf = async ({ id }: { id: string }) =>
  (await client.get<{ data: object[] }>(`/v1/finance/customers/${id}/credit`)).body.data;

describe('a sure entry', () => {
  it('is booked as what it says, on the day of the bank', async () => {
    const invoice = await invoiceOf(client, customer);
    const [entry] = await imported(client, {
      amount: '119.00',
      reference: invoice.payment_reference ?? '',
      text: 'Thank you',
      on: '2026-11-18',
    });
    expect(entry).toMatchObject({ status: 'booked', proposals: [] });
    const payment = await client.get(`/v1/finance/payments/${entry?.payment_id}`);
    expect(payment.body).toMatchObject({
      document_id: invoice.id,
      amount: 11_900,
      applied: 11_900,
      method: 'bank_transfer',
      reference: `${invoice.payment_reference} Thank you`,
      // The day begins in the account's time zone.
      paid_at: '2026-11-17T23:00:00.000Z',
    });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_due: 0 });
    const events = await service.database.query(
      `SELECT actor_type, actor_id FROM events WHERE type = 'payment.recorded'
         AND data->'payment'->>'id' = $1`,
      [entry?.payment_id],
    );
    expect(events).toEqual([{ actor_type: 'client', actor_id: client.id }]);
  });

  it('may be short, or more than is due', async () => {
    const [short, over] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    await imported(
      client,
      { amount: '19.00', reference: short.payment_reference ?? '' },
      { amount: '120.00', text: `for ${over.payment_reference}` },
    );
    expect(await client.read(short)).toMatchObject({
      status: 'partially_paid',
      amount_due: 10_000,
    });
    expect(await client.read(over)).toMatchObject({ status: 'paid' });
    expect(await creditOf(customer)).toEqual([{ currency: 'EUR', amount: 100 }]);
  });

  it('may pay several invoices by their numbers', async () => {
    const [one, two] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const [entry] = await imported(client, {
      amount: '238.00',
      text: `${one.number} and ${two.number?.replace('-', ' ')}`,
    });
    expect(entry?.status).toBe('booked');
    for (const invoice of [one, two]) expect((await client.read(invoice)).status).toBe('paid');
  });

  it('pays an invoice once: the second time it is for somebody to look at', async () => {
    const invoice = await invoiceOf(client, customer);
    const wish = { amount: '119.00', reference: invoice.payment_reference ?? '' };
    const [first, second] = await imported(client, wish, wish);
    expect([first?.status, second?.status].sort()).toEqual(['booked', 'unmatched']);
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 11_900 });
    expect(await creditOf(customer)).toEqual([]);
  });

  it('is not one that the bank books in the days to come', async () => {
    const invoice = await invoiceOf(client, customer);
    const [entry] = await imported(client, {
      amount: '119.00',
      reference: invoice.payment_reference ?? '',
      on: '2027-01-01',
    });
    expect(entry).toMatchObject({ status: 'proposed', proposals: [{ score: 95 }] });
    expect((await confirm(entry?.id, { document_id: invoice.id })).body.code).toBe(
      'paid_at_in_future',
    );
  });

  it('is not for a void invoice, a draft, a quote, or one in another currency', async () => {
    const gone = await invoiceOf(client, customer);
    await client.void(gone);
    const dollars = await invoiceOf(client, customer, { currency: 'USD' });
    const quote = await client.aQuote();
    const entries = await imported(
      client,
      { amount: '119.00', reference: gone.payment_reference ?? '' },
      { amount: '119.00', reference: dollars.payment_reference ?? '' },
      { amount: '119.00', text: quote.number ?? '' },
    );
    expect(entries.map(({ status }) => status)).toEqual(['unmatched', 'proposed', 'unmatched']);
  });
});

describe('any other entry', () => {
  it('is proposed with scores and reasons', async () => {
    const invoice = await invoiceOf(client, customer, {
      issue_date: '2026-11-18',
      due_date: '2026-11-25',
    });
    const [entry] = await imported(client, { amount: '119.00', name: 'GLOBEX' });
    expect(entry).toMatchObject({
      status: 'proposed',
      proposals: [
        {
          document_id: invoice.id,
          number: invoice.number,
          customer_id: customer.id,
          customer_name: 'Globex GmbH',
          amount_due: 11_900,
          score: 50,
          reasons: ['amount', 'payer_name', 'due_date'],
        },
      ],
    });
  });

  it('is proposed to whom its account paid for before, once it was booked', async () => {
    const iban = 'DE02120300000000202051';
    const payer = { name: 'Somebody Else', iban };
    const invoice = await invoiceOf(client, customer);
    const [before] = await imported(client, { amount: '7.00', ...payer });
    expect(before?.status).toBe('unmatched');
    await confirm(before?.id, { document_id: invoice.id });
    const [after] = await imported(client, { amount: '8.00', ...payer });
    expect(after).toMatchObject({
      status: 'proposed',
      proposals: [{ document_id: invoice.id, reasons: ['payer_iban'] }],
    });
  });

  it('that leaves, takes back or is nothing is kept, and never booked', async () => {
    const invoice = await invoiceOf(client, customer);
    const reference = invoice.payment_reference ?? '';
    const entries = await imported(
      client,
      { amount: '119.00', reference, direction: 'debit' },
      { amount: '119.00', reference, direction: 'debit', isReversal: true },
      { amount: '119.00', reference, isReversal: true },
      { amount: '0.00', reference },
    );
    expect(entries.map(({ status }) => status)).toEqual(['debit', 'debit', 'unmatched', 'ignored']);
    for (const { id } of entries) {
      const answer = await confirm(id, { document_id: invoice.id });
      expect([answer.status, answer.body.code]).toEqual([409, 'bank_entry_not_bookable']);
    }
    expect((await client.read(invoice)).amount_paid).toBe(0);
  });
});

describe('confirming', () => {
  it('books an entry for a document, and what is left as credit', async () => {
    const invoice = await invoiceOf(client, customer);
    const [entry] = await imported(client, { amount: '150.00', text: 'hello' });
    const { status, body } = await confirm(entry?.id, { document_id: invoice.id });
    expect([status, body]).toMatchObject([200, { status: 'booked', proposals: [] }]);
    expect(await entryOf(client, entry?.id ?? '')).toEqual(body);
    expect((await client.read(invoice)).status).toBe('paid');
    expect(await creditOf(customer)).toEqual([{ currency: 'EUR', amount: 3100 }]);
  });

  it('books an entry for several documents, or for a customer alone', async () => {
    const [one, two] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const [split, credit] = await imported(client, { amount: '130.00' }, { amount: '9.00' });
    const allocations = [{ document_id: one.id, amount: 1000 }, { document_id: two.id }];
    expect((await confirm(split?.id, { allocations })).status).toBe(200);
    expect((await client.read(one)).amount_paid).toBe(1000);
    expect((await client.read(two)).amount_paid).toBe(11_900);
    expect((await confirm(credit?.id, { customer_id: customer.id })).status).toBe(200);
    expect(await creditOf(customer)).toEqual([{ currency: 'EUR', amount: 1000 }]);
  });

  it('books once, however often it is asked for at the same time', async () => {
    const invoice = await invoiceOf(client, customer);
    const [entry] = await imported(client, { amount: '10.00' });
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => confirm(entry?.id, { document_id: invoice.id })),
    );
    const codes = answers.map(({ status, body }) => (status === 200 ? 'done' : body.code));
    expect(codes.sort()).toEqual([...Array<string>(5).fill('bank_entry_booked'), 'done']);
    expect((await client.read(invoice)).amount_paid).toBe(1000);
  });

  it('answers the same key with the same answer', async () => {
    const invoice = await invoiceOf(client, customer);
    const [entry] = await imported(client, { amount: '10.00' });
    const key = { 'Idempotency-Key': 'confirm' };
    const first = await confirm(entry?.id, { document_id: invoice.id }, key);
    const again = await confirm(entry?.id, { document_id: invoice.id }, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
  });

  it.each([
    ['nothing', () => ({}), 422, 'required'],
    ['two things', (doc: string) => ({ document_id: doc, customer_id: 'x' }), 422, 'said_twice'],
    ['no document', () => ({ document_id: 'doc_x' }), 422, 'unknown_document'],
    ['no customer', () => ({ customer_id: 'cus_x' }), 422, 'invalid_id'],
    [
      'a customer of nobody',
      () => ({ customer_id: 'cus_01h455vb4pex5vsknk084sn02q' }),
      422,
      'unknown_customer',
    ],
    [
      'more than is due',
      (doc: string) => ({ allocations: [{ document_id: doc, amount: 11_901 }] }),
      422,
      'amount_exceeds_due',
    ],
    [
      'more than came',
      (doc: string, other: string) => ({
        allocations: [
          { document_id: doc, amount: 11_900 },
          { document_id: other, amount: 11_900 },
        ],
      }),
      422,
      'allocations_exceed_amount',
    ],
    [
      'a document twice',
      (doc: string) => ({ allocations: [{ document_id: doc }, { document_id: doc }] }),
      422,
      'said_twice',
    ],
    [
      'documents of two customers',
      (doc: string, _: string, foreign: string) => ({
        allocations: [{ document_id: doc }, { document_id: foreign }],
      }),
      422,
      'customer_mismatch',
    ],
    [
      'a fraction',
      (doc: string) => ({ allocations: [{ document_id: doc, amount: 1.5 }] }),
      422,
      'amount_not_integer',
    ],
    [
      'a negative amount',
      (doc: string) => ({ allocations: [{ document_id: doc, amount: -1 }] }),
      422,
      'amount_out_of_range',
    ],
    ['an unknown field', (doc: string) => ({ document_id: doc, x: 1 }), 422, 'unknown_field'],
  ])('with %s is refused, and nothing changes', async (_, body, status, code) => {
    const [one, two] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const foreign = await client.anInvoice();
    const [entry] = await imported(client, { amount: '200.00' });
    const before = await contentsOf(service.database);
    const answer = await confirm(entry?.id, body(one.id, two.id, foreign.id));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('is refused for a document in another currency, of another account, or that is void', async () => {
    const dollars = await invoiceOf(client, customer, { currency: 'USD' });
    const gone = await invoiceOf(client, customer);
    await client.void(gone);
    const theirs = await (await service.aClient()).anInvoice();
    const [entry] = await imported(client, { amount: '200.00' });
    const codeFor = async (document: { id: string }) =>
      (await confirm(entry?.id, { document_id: document.id })).body.code;
    expect(await codeFor(dollars)).toBe('currency_mismatch');
    expect(await codeFor(gone)).toBe('document_not_payable');
    expect(await codeFor(theirs)).toBe('unknown_document');
  });
});

describe('ignoring', () => {
  it('takes an entry off the list, until somebody knows better', async () => {
    const invoice = await invoiceOf(client, customer);
    const [entry] = await imported(client, { amount: '10.00' });
    expect((await ignore(entry?.id)).body).toMatchObject({ status: 'ignored' });
    expect((await ignore(entry?.id)).status).toBe(200);
    expect((await entriesOf(client, 'status=ignored')).map(({ id }) => id)).toEqual([entry?.id]);
    expect(await entriesOf(client, 'status=unmatched')).toEqual([]);
    expect((await confirm(entry?.id, { document_id: invoice.id })).body.status).toBe('booked');
    expect((await ignore(entry?.id)).body.code).toBe('bank_entry_booked');
  });
});

describe('the list of entries', () => {
  it('has pages, and refuses what it does not know', async () => {
    await imported(client, ...Array.from({ length: 5 }, () => ({ amount: '1.00' })));
    type Page = { data: { id: string }[]; next_cursor: string | null };
    const first = (await client.get<Page>(`${ENTRIES}?limit=3`)).body;
    const rest = (await client.get<Page>(`${ENTRIES}?limit=3&cursor=${first.next_cursor}`)).body;
    expect([first.data.length, rest.data.length, rest.next_cursor]).toEqual([3, 2, null]);
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(5);
    for (const query of ['status=open', 'x=1', 'limit=0']) {
      expect((await client.get(`${ENTRIES}?${query}`)).body['code']).toBe('invalid_query');
    }
    expect((await client.get(`${ENTRIES}/bentry_x`)).body['code']).toBe('bank_entry_not_found');
  });
});

/** Entries of files are of this day, and payments are near. */
const ON_THAT_DAY = '2026-11-18T10:00:00Z';

describe('what an entry may be', () => {
  it('is of one moment: a payment that is reversed meanwhile is still there, or is due again', async () => {
    const invoice = await invoiceOf(client, customer);
    const paid = await client.pay(invoice, { amount: 5000, paid_at: ON_THAT_DAY });
    await client.pay(invoice, { amount: 6900 });
    const { id } = paid.body['payment'] as { id: string };
    const query = service.app.get(NamedPaymentsQuery);
    const read = query.of.bind(query);
    const spy = vi.spyOn(query, 'of').mockImplementationOnce(async (...given) => {
      await client.post(`/v1/finance/payments/${id}/reverse`, { reason: 'wrong' });
      return read(...given);
    });
    const [entry] = await imported(client, { amount: '50.00', text: invoice.number ?? '' });
    expect(spy).toHaveBeenCalled();
    spy.mockRestore();
    expect(entry?.status).toBe('proposed');
    expect((await client.read(invoice)).amount_due).toBe(5000);
  });

  it('is looked at again if a sure match is none any more under its locks', async () => {
    const invoice = await invoiceOf(client, customer);
    const matching = service.app.get(BankEntryMatching);
    const look = matching.possibilities.bind(matching);
    const spy = vi.spyOn(matching, 'possibilities').mockImplementationOnce(async (entry) => {
      const possible = await look(entry);
      expect(possible).toMatchObject({ isSure: true, payments: [] });
      await client.pay(invoice, { amount: 11_900, paid_at: ON_THAT_DAY });
      return possible;
    });
    const text = invoice.payment_reference ?? '';
    const [entry] = await imported(client, { amount: '119.00', text });
    spy.mockRestore();
    expect(entry).toMatchObject({ status: 'proposed', payments: [{ relation: 'same' }] });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });
});
