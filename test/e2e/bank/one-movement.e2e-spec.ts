import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { aBankCsv, aCamt053, bankFixture, type EntryWish } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { closeWithBooks } from '../documents/document-calls.js';
import { expectProblem } from '../expectations.js';
import { entriesOf, entryOf, importFile, invoiceOf, STATEMENTS, tellOf } from './bank-calls.js';

// An entry is one movement, whichever files tell of it, and an import can be taken back.

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const CSV = { type: 'text/csv' };
const tell = tellOf(() => client);

const paying = async (over: Partial<EntryWish> = {}) => {
  const invoice = await invoiceOf(client, await client.aCustomer());
  const text = `Rechnung ${invoice.payment_reference}`;
  return { invoice, entry: { amount: '50.00', name: 'Nordwind Müller', text, ...over } };
};

const paidOf = async (invoice: { id: string }) => (await client.read(invoice)).amount_paid;

const amounts = async () =>
  (await entriesOf(client)).map(({ amount, status }) => [amount, status]).sort();

describe('the same entry', () => {
  it.each<[string, (entry: EntryWish) => EntryWish]>([
    [
      'in capitals',
      (one) => ({ ...one, name: one.name?.toUpperCase(), text: one.text?.toUpperCase() }),
    ],
    ['without accents', (one) => ({ ...one, name: 'Nordwind Muller' })],
    ['with its words in another order', (one) => ({ ...one, name: 'Müller, Nordwind' })],
  ])('is known %s', async (_, otherwise) => {
    const { invoice, entry } = await paying();
    await importFile(client, aBankCsv([entry]), CSV);
    const second = await importFile(client, aBankCsv([otherwise(entry)]), CSV);
    expect(second.body.counts).toMatchObject({ entries: 1, known_before: 1 });
    expect(await entriesOf(client)).toHaveLength(1);
    expect(await paidOf(invoice)).toBe(5000);
  });

  it('is another one where only the numbers differ', async () => {
    const { invoice, entry } = await paying({ text: '' });
    const numbers = ['1 2', '12'].map((text) => ({ ...entry, text }));
    for (const one of numbers) await importFile(client, aBankCsv([one]), CSV);
    expect(await entriesOf(client)).toHaveLength(2);
    expect(await paidOf(invoice)).toBe(0);
  });
});

describe('perhaps the same entry', () => {
  it.each<[string, (entry: EntryWish) => EntryWish]>([
    ['with an encoding broken', (one) => ({ ...one, name: 'Nordwind MÃ¼ller' })],
    ['half a day later', (one) => ({ ...one, on: '2026-11-19' })],
    ['with other words on the same day', (one) => ({ ...one, name: 'N. M.' })],
  ])('is proposed and not booked, %s', async (_, otherwise) => {
    const { invoice, entry } = await paying();
    await importFile(client, aBankCsv([entry]), CSV);
    const second = await importFile(client, aBankCsv([otherwise(entry)]), CSV);
    expect(second.body.counts).toMatchObject({ known_before: 0, booked: 0, proposed: 1 });
    expect(await paidOf(invoice)).toBe(5000);
    const [newest, first] = await entriesOf(client);
    expect((await entryOf(client, newest?.id ?? '')).perhaps_same).toMatchObject([
      { bank_entry_id: first?.id, status: 'booked' },
    ]);
  });

  it('may be booked by a person, who is asked', async () => {
    const { invoice, entry } = await paying();
    await importFile(client, aBankCsv([entry]), CSV);
    await importFile(client, aBankCsv([{ ...entry, name: 'N. M.' }]), CSV);
    const [newest] = await entriesOf(client);
    expect((await tell(newest?.id, 'confirm', { document_id: invoice.id })).status).toBe(200);
    expect(await paidOf(invoice)).toBe(10_000);
  });

  it('is booked once where two files come at once, for invoices of their own', async () => {
    for (let day = 1; day <= 8; day += 1) {
      const both = [await paying(), await paying()];
      const same = { amount: `${day * 5 + 1}.00`, on: `2026-11-0${day}` };
      const files = both.map(({ entry }) => aBankCsv([{ ...entry, ...same }]));
      const told = await Promise.all(files.map(async (file) => importFile(client, file, CSV)));
      const counts = told.map(({ body }) => body.counts.booked);
      expect(counts.toSorted()).toEqual([0, 1]);
    }
  });

  it('of one that somebody ignored is proposed, too', async () => {
    const { invoice, entry } = await paying();
    await importFile(client, aBankCsv([{ ...entry, text: '' }]), CSV);
    const [first] = await entriesOf(client);
    expect((await tell(first?.id, 'ignore')).status).toBe(200);
    const second = await importFile(client, aBankCsv([entry]), CSV);
    expect(second.body.counts).toMatchObject({ booked: 0, proposed: 1 });
    expect(await paidOf(invoice)).toBe(0);
  });

  it('is none where the same file tells of both, whatever an earlier one told', async () => {
    const [one, other] = [await paying(), await paying()];
    await importFile(client, aBankCsv([one.entry]), CSV);
    const both = await importFile(client, aBankCsv([one.entry, other.entry]), CSV);
    expect(both.body.counts).toMatchObject({ known_before: 1, booked: 1 });
    expect(await paidOf(other.invoice)).toBe(5000);
  });

  it('is none where the bank gives each a reference of its own, also in another kind of camt', async () => {
    const [one, other] = [await paying(), await paying()];
    const report = aCamt053([{ ...one.entry, bankReference: 'K2' }])
      .replaceAll('camt.053', 'camt.052')
      .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
      .replaceAll('Stmt>', 'Rpt>');
    expect((await importFile(client, report)).body.counts).toMatchObject({ booked: 1 });
    const statement = aCamt053([{ ...other.entry, bankReference: 'K20' }]);
    expect((await importFile(client, statement)).body.counts).toMatchObject({ booked: 1 });
  });
});

describe('a batch', () => {
  const [parts, sum] = ['cases/camt-pairs-1.1.xml', 'cases/camt-pairs-1.2.xml'].map(bankFixture);
  const LEFT = [
    [129_600, 'unmatched'],
    [218_700, 'unmatched'],
  ];

  it('is its parts, whichever file comes first, and the sum counts no more', async () => {
    await importFile(client, sum ?? '');
    await importFile(client, parts ?? '');
    expect(await amounts()).toEqual([...LEFT, [348_300, 'replaced']]);
    const [entry] = await entriesOf(client, 'status=replaced');
    const answer = await tell(entry?.id, 'book', { ledger_account: 'other_income' });
    expectProblem(answer, 409, 'bank_entry_not_bookable');
    const other = await service.aClient();
    await importFile(other, parts ?? '');
    const second = await importFile(other, sum ?? '');
    expect(second.body.counts).toMatchObject({ entries: 1, known_before: 1 });
  });

  it('whose sum is booked already has its parts proposed', async () => {
    await importFile(client, sum ?? '');
    const [entry] = await entriesOf(client);
    await tell(entry?.id, 'book', { ledger_account: 'other_income' });
    const second = await importFile(client, parts ?? '');
    expect(second.body.counts).toMatchObject({ proposed: 2, replaced: 0 });
  });

  it('counts as a sum again when the file of its parts is taken back', async () => {
    await importFile(client, sum ?? '');
    const { body } = await importFile(client, parts ?? '');
    expect((await client.delete(`${STATEMENTS}/${body.id}`)).status).toBe(204);
    expect(await amounts()).toEqual([
      [129_600, 'withdrawn'],
      [218_700, 'withdrawn'],
      [348_300, 'unmatched'],
    ]);
  });
});

describe('a file', () => {
  it('that is read otherwise is refused, until its first reading is taken back', async () => {
    const file = aBankCsv([{ amount: '5.00' }]);
    const first = await importFile(client, file, CSV);
    const anew = { ...CSV, query: '?account=DE89370400440532013000' };
    const refused = expectProblem(
      await importFile(client, file, anew),
      409,
      'statement_read_otherwise',
    );
    expect(refused['bank_statement_id']).toBe(first.body.id);
    expect((await importFile(client, file, CSV)).body.id).toBe(first.body.id);
    await client.delete(`${STATEMENTS}/${first.body.id}`);
    const second = await importFile(client, file, anew);
    expect(second.body.counts).toMatchObject({ known_before: 0, unmatched: 1 });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it('is taken back with all that it booked, by facts, once', async () => {
    const { invoice, entry } = await paying();
    const { body } = await importFile(client, aBankCsv([entry, { amount: '1.00' }]), CSV);
    const [fee] = await entriesOf(client, 'status=unmatched');
    await tell(fee?.id, 'book', { ledger_account: 'other_income' });
    expect(await paidOf(invoice)).toBe(5000);
    for (const _ of [1, 2]) {
      expect((await client.delete(`${STATEMENTS}/${body.id}`)).status).toBe(204);
    }
    expect(await paidOf(invoice)).toBe(0);
    const { body: after } = await client.get<typeof body>(`${STATEMENTS}/${body.id}`);
    expect(after).toMatchObject({
      withdrawn_at: expect.any(String) as string,
      counts: { withdrawn: 2 },
    });
    const confirm = await tell(fee?.id, 'confirm', { document_id: invoice.id });
    expectProblem(confirm, 409, 'bank_entry_not_bookable');
    const again = await importFile(client, aBankCsv([entry, { amount: '1.00' }]), CSV);
    expect(again.body.counts).toMatchObject({ booked: 1, known_before: 0 });
    expect(await paidOf(invoice)).toBe(5000);
  });

  it('leaves entries that another file tells of, too', async () => {
    const { invoice, entry } = await paying();
    const first = await importFile(client, aBankCsv([entry]), CSV);
    await importFile(client, aBankCsv([entry, { amount: '1.00' }]), CSV);
    await client.delete(`${STATEMENTS}/${first.body.id}`);
    expect(await paidOf(invoice)).toBe(5000);
  });

  it('that took a payment back stays', async () => {
    const invoice = await invoiceOf(client, await client.aCustomer());
    const paid = await client.pay(invoice, { amount: 5000, method: 'bank_transfer' });
    const { id } = paid.body['payment'] as { id: string };
    const on = service.clock.now().toISOString().slice(0, 10);
    const back = { amount: '50.00', direction: 'debit' as const, isReversal: true, on };
    const { body } = await importFile(client, aCamt053([{ ...back, text: invoice.number ?? '' }]));
    const [entry] = await entriesOf(client);
    expect((await tell(entry?.id, 'confirm', { payment_id: id })).status).toBe(200);
    const refused = await client.delete(`${STATEMENTS}/${body.id}`);
    expectProblem(refused, 409, 'bank_statement_returned');
  });
});
