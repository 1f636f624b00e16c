import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { referenceKey } from '../../../src/kernel/reference-key.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { imported, invoiceOf } from './bank-calls.js';

// References that callers gave to their documents, in what their clients' banks say.

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

const own = (payment_reference: string, of = customer) =>
  invoiceOf(client, of, { payment_reference });
const statusOf = async (wish: Parameters<typeof imported>[1]) =>
  (await imported(client, wish))[0]?.status;

describe('an invoice with a reference of its caller', () => {
  it.each([
    ['RF18539007547034', { reference: 'RF18 5390 0754 7034' }],
    ['Deb. 12345 / Fact. 9876543', { text: 'SEPA DEB 12345/FACT 9876543 danke' }],
    [
      'Kundennummer:. 8888855555 Rechnungsnummer:. 6069999999',
      { text: 'Kundennummer 8888855555 Rechnungsnummer 6069999999' },
    ],
    ['+++090/9337/55493+++', { reference: '090933755493' }],
    ['210000000003139471430009017', { reference: '210000000003139471430009017' }],
  ])('is found by it: %s', async (said, entry) => {
    const invoice = await own(said);
    expect(await statusOf({ amount: '119.00', ...entry })).toBe('booked');
    expect((await client.read(invoice)).status).toBe('paid');
  });

  it('is found by its number, too, as people write it', async () => {
    const invoice = await own('RF18539007547034');
    const text = `re ${invoice.number?.toLowerCase().replace('-', ' ')}`;
    expect(await statusOf({ amount: '119.00', text })).toBe('booked');
  });

  it('is sure by words for its whole amount alone', async () => {
    await own('Miete 17');
    const [entry] = await imported(client, { amount: '100.00', text: 'MIETE 17' });
    expect(entry).toMatchObject({ status: 'proposed', proposals: [{ reasons: ['reference'] }] });
  });

  it('is not named by a word without a number', async () => {
    await own('Danke');
    expect(await statusOf({ amount: '50.00', text: 'Danke' })).toBe('unmatched');
  });

  it('shares it with another: both are proposed, and none is paid', async () => {
    for (const said of ['RF18539007547034', 'Vertrag 4711']) {
      const [one, other] = [await own(said), await own(said)];
      const wishes = [
        { amount: '119.00', text: said },
        { amount: '238.00', text: said },
      ];
      for (const entry of await imported(client, ...wishes)) {
        expect(entry.status).toBe('proposed');
        const named = entry.proposals.filter(({ reasons }) => reasons.includes('reference'));
        expect(named.map(({ document_id: id }) => id).sort()).toEqual([one.id, other.id].sort());
      }
    }
  });

  it('takes no money from the invoice whose number or reference it has', async () => {
    const theirs = await invoiceOf(client, await client.aCustomer());
    for (const said of [theirs.number ?? '', theirs.payment_reference ?? '']) {
      const mine = await own(said);
      expect(await statusOf({ amount: '119.00', text: said })).toBe('proposed');
      expect(await client.read(mine)).toMatchObject({ amount_paid: 0 });
    }
    await client.pay(theirs, { amount: 11_900 });
    // Paid once more: it is that customer's money, and not mine.
    for (const said of [theirs.number ?? '', theirs.payment_reference ?? '']) {
      expect(await statusOf({ amount: '119.00', text: said })).not.toBe('booked');
    }
  });

  it('is nothing to pay as a draft, and its revision takes it over', async () => {
    const draft = await invoiceOf(client, customer, {
      payment_reference: 'Vertrag 4711',
      issue: false,
    });
    expect(draft).toMatchObject({ payment_reference: 'Vertrag 4711' });
    expect(await statusOf({ amount: '50.00', text: 'Vertrag 4711' })).toBe('unmatched');
    const first = await client.issue(draft);
    const revision = await client.post<{ id: string; payment_reference: string }>(
      `/v1/finance/documents/${first.id}/revise`,
      { issue: true },
    );
    expect(revision.body).toMatchObject({ payment_reference: 'Vertrag 4711' });
    expect(await statusOf({ amount: '119.00', text: 'Vertrag 4711' })).toBe('booked');
  });
});

describe('the database', () => {
  it('compares references as the code does', async () => {
    const all = [
      'Deb. 12345 / Fact. 9',
      '+++0/1+++',
      'Müller ß ı é№1',
      'a\u00a0b',
      `[{~}]\`^_@:x'"`,
    ];
    for (const text of all) {
      const [row] = await service.database.query<{ key: string }>(
        'SELECT reference_key($1) AS key',
        [text],
      );
      expect(row?.key).toBe(referenceKey(text));
    }
  });
});
