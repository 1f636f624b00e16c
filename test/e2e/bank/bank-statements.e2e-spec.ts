import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BankReconciliationBody } from '../../../src/bank/wire/bank-reconciliation.js';
import { aBankCsv, aCamt053, bankFixture } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import { tries } from '../../support/share.js';
import { startTestService, type TestService } from '../../support/service.js';
import { ENTRIES, entriesOf, importFile, invoiceOf, STATEMENTS } from './bank-calls.js';
import { contentsOf } from '../expectations.js';
import { closeWithBooks } from '../documents/document-calls.js';

// Files of banks: what is imported, once, whatever happens.

const MANY = tries({ pushed: 500, full: 1500 });

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  client = await service.aClient();
});
afterAll(() => closeWithBooks(service));

const V02 = bankFixture('camt053-v02.xml');
const V08 = bankFixture('camt053-v08.xml');

/** Of all payments of the client's account. */
async function paymentsOf(of: TestClient): Promise<{ amount: number }[]> {
  const answer = await of.get<{ data: { amount: number }[] }>('/v1/finance/payments?limit=100');
  return answer.body.data;
}

/** Two entries that are the same in all that they say. */
const day = (on: string) => [1, 2].map(() => ({ amount: '5.00', on, text: 'same' }));

const paying = ({ payment_reference }: { payment_reference: string | null }) => ({
  amount: '119.00',
  reference: payment_reference ?? '',
});

describe('a file', () => {
  it('is counted, and read again', async () => {
    const { status, body } = await importFile(client, V02);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      format: 'camt.053',
      counts: {
        entries: 4,
        booked: 0,
        proposed: 0,
        unmatched: 3,
        ignored: 0,
        debits: 1,
        known_before: 0,
        pending: 1,
      },
      sections: [
        {
          reference: '2026-00221',
          account: 'DE89370400440532013000',
          currency: 'EUR',
          opening_balance: { amount: 100_000, currency: 'EUR', date: '2026-11-17' },
          closing_balance: { amount: 129_405, currency: 'EUR', date: '2026-11-18' },
        },
      ],
    });
    expect((await client.get(`${STATEMENTS}/${body.id}`)).body).toEqual(body);
    await importFile(client, V08);
    const list = await client.get<{ data: object[] }>(STATEMENTS);
    expect(list.body.data).toHaveLength(2);
    expect(list.body.data[1]).toEqual(body);
  });

  it('is CSV, too, with what the caller says of it', async () => {
    const file = aBankCsv([{ amount: '1.234', text: 'A' }]);
    const refused = await importFile(client, file, { type: 'text/csv' });
    expect([refused.status, refused.body]).toMatchObject([422, { code: 'malformed_statement' }]);
    const query = '?decimal=comma&account=DE89370400440532013000';
    const taken = await importFile(client, file, { type: 'text/csv', query });
    expect(taken.body).toMatchObject({ format: 'csv', counts: { entries: 1 } });
    const [entry] = await entriesOf(client);
    expect(entry).toMatchObject({ amount: 123_400, account: 'DE89370400440532013000' });
    const unknown = await importFile(client, file, { type: 'text/csv', query: '?decimal=dot' });
    expect([unknown.status, unknown.body]).toMatchObject([400, { code: 'invalid_query' }]);
  });

  it('tells what nobody read of it, and is refused where that may be the direction', async () => {
    const { number } = await client.anInvoice();
    const text = `Date,Description,Amount,Currency,Kind,Note\n2026-11-18,${number},119.00,EUR,D,x\n`;
    const type = 'text/csv';
    const refused = await importFile(client, text, { type });
    expect([refused.status, refused.body]).toMatchObject([422, { code: 'malformed_statement' }]);
    expect(await entriesOf(client)).toEqual([]);
    const { body } = await importFile(client, text, { type, query: '?column_direction=Kind' });
    expect(body).toMatchObject({ counts: { debits: 1, booked: 0 }, unused_columns: ['Note'] });
    expect((await client.get(`${STATEMENTS}/${body.id}`)).body).toEqual(body);
    const list = await client.get<{ data: object[] }>(STATEMENTS);
    expect(list.body.data).toEqual([body]);
    const ignoring = { type, query: '?ignore_columns=Kind,Note' };
    const other = await importFile(client, text.replace('-18', '-19'), ignoring);
    expect(other.body).toMatchObject({ counts: { booked: 1 }, unused_columns: ['Kind', 'Note'] });
  });

  it('is the same statement when it comes again, and changes nothing', async () => {
    const customer = await client.aCustomer();
    const invoice = await invoiceOf(client, customer);
    const file = V02.replace('INV-</Ustrd><Ustrd>00001', invoice.number ?? '');
    const first = await importFile(client, file);
    expect(first.body.counts).toMatchObject({ booked: 1 });
    const before = await contentsOf(service.database);
    const again = await importFile(client, file);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('brings only what overlapping files did not bring', async () => {
    const [one, two, three] = [day('2026-11-16'), day('2026-11-17'), day('2026-11-18')];
    const first = await importFile(client, aCamt053([...one, ...two]));
    const second = await importFile(client, aCamt053([...two, ...three]));
    expect(first.body.counts).toMatchObject({ entries: 4, known_before: 0 });
    expect(second.body.counts).toMatchObject({ entries: 4, known_before: 2, unmatched: 2 });
    expect(await entriesOf(client)).toHaveLength(6);
  });

  it('in another format books nothing that may be booked already', async () => {
    const invoice = await invoiceOf(client, await client.aCustomer());
    const entry = { amount: '50.00', text: invoice.payment_reference ?? '' };
    const first = await importFile(client, aBankCsv([entry]), { type: 'text/csv' });
    expect(first.body.counts).toMatchObject({ booked: 1 });
    const other = { ...entry, amount: '51.00' };
    const second = await importFile(client, aCamt053([entry, other]));
    expect(second.body.counts).toMatchObject({ booked: 1, proposed: 1, known_before: 0 });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: 10_100 });
  });

  it('is imported once where it comes many times at the same time', async () => {
    const customer = await client.aCustomer();
    const invoice = await invoiceOf(client, customer);
    const file = aCamt053([paying(invoice), { amount: '1.00' }]);
    await client.bearer();
    // All have looked for the file before one of them can keep it.
    const held = service.database.query(
      'BEGIN; LOCK TABLE bank_statements IN SHARE MODE; SELECT pg_sleep(0.5); COMMIT',
    );
    await setTimeout(100);
    const answers = await Promise.all(Array.from({ length: 6 }, () => importFile(client, file)));
    await held;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect(await entriesOf(client)).toHaveLength(2);
    expect(await paymentsOf(client)).toHaveLength(1);
    expect(await client.read(invoice)).toMatchObject({ status: 'paid', amount_paid: 11_900 });
  });

  it('is imported once also where overlapping ones come at the same time', async () => {
    const customer = await client.aCustomer();
    const invoices = await Promise.all([1, 2, 3].map(() => invoiceOf(client, customer)));
    const entries = invoices.map(paying);
    const answers = await Promise.all([
      importFile(client, aCamt053(entries, 'A')),
      importFile(client, aCamt053(entries.toReversed(), 'B')),
      importFile(client, aCamt053(entries.slice(1), 'C')),
    ]);
    const known = answers.map(({ body }) => body.counts.known_before);
    expect(known.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(await paymentsOf(client)).toHaveLength(3);
    for (const invoice of invoices) expect((await client.read(invoice)).amount_paid).toBe(11_900);
  });

  it('goes on where it broke off', async () => {
    const customer = await client.aCustomer();
    const [first, second] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const file = aCamt053([paying(first), paying(second)]);
    // The second cannot be booked: the process ends there.
    await service.database.query(
      `CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'broken off'; END $$;
       CREATE TRIGGER break_off BEFORE INSERT ON payments FOR EACH ROW
         WHEN (NEW.reference = '${second.payment_reference}') EXECUTE FUNCTION break_off()`,
    );
    const broken = await importFile(client, file, { headers: { 'Idempotency-Key': 'k' } });
    expect(broken.status).toBe(500);
    await service.database.query('DROP FUNCTION break_off() CASCADE');
    const again = await importFile(client, file, { headers: { 'Idempotency-Key': 'k' } });
    expect([again.status, again.body.counts]).toMatchObject([201, { booked: 2 }]);
    expect(await paymentsOf(client)).toHaveLength(2);
    const replayed = await importFile(client, file, { headers: { 'Idempotency-Key': 'k' } });
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.text).toBe(again.text);
    const other = await importFile(client, V08, { headers: { 'Idempotency-Key': 'k' } });
    expect(other.body).toMatchObject({ code: 'idempotency_key_reused' });
    const asCsv = { type: 'text/csv', headers: { 'Idempotency-Key': 'k' } };
    const otherwise = await importFile(client, file, asCsv);
    expect(otherwise.body).toMatchObject({ code: 'idempotency_key_reused' });
  });

  it('may be large', async () => {
    const customer = await client.aCustomer();
    const invoice = await invoiceOf(client, customer, {
      lines: [{ description: 'Work', quantity: '1', unit_amount: 1_000_000, tax_rate: '0' }],
    });
    const file = aBankCsv(
      Array.from({ length: MANY }, (_, index) => ({
        amount: '1.00',
        text: index % 10 === 0 ? `${invoice.payment_reference} part ${index}` : `Other ${index}`,
      })),
    );
    const { body } = await importFile(client, file, { type: 'text/csv' });
    expect(body.counts).toMatchObject({ entries: MANY, booked: MANY / 10 });
    expect(await client.read(invoice)).toMatchObject({ amount_paid: MANY * 10 });
    const again = await importFile(client, `${file}\n`, { type: 'text/csv' });
    expect(again.body.counts).toMatchObject({ entries: MANY, booked: 0, known_before: MANY });
  });
});

describe('a broken or hostile file', () => {
  const lol = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  it.each([
    ['entities', 'application/xml', V02.replace('?>', `?>${lol}`).replace('Ada', '&b;')],
    [
      'a file to fetch',
      'text/xml',
      V02.replace('?>', '?><!DOCTYPE x SYSTEM "file:///etc/passwd">'),
    ],
    ['deep nesting', 'application/xml', '<a>'.repeat(100_000)],
    ['UTF-16', 'application/xml', Buffer.from(`\ufeff${V02}`, 'utf16le')],
    ['half of it', 'application/xml', V02.slice(0, 2000)],
    ['CSV that is no XML', 'application/xml', aBankCsv([{ amount: '1.00' }])],
    ['XML that is no CSV', 'text/csv', V02],
    ['a wrong date in one of its rows', 'text/csv', aBankCsv([{ amount: '1', on: '2026-13-01' }])],
    ['nothing', 'application/xml', ''],
    ['NUL', 'text/csv', aBankCsv([{ amount: '1.00', text: 'a\0b' }])],
  ])('with %s is refused, and nothing changes', async (_, type, file) => {
    await client.bearer();
    const before = await contentsOf(service.database);
    const answer = await importFile(client, file, { type });
    expect([answer.status, answer.body]).toMatchObject([422, { code: 'malformed_statement' }]);
    expect(await contentsOf(service.database)).toEqual(before);
  });

  it('says all wrong rows at once', async () => {
    const file = aBankCsv([{ amount: 'x' }, { amount: '1.00', on: 'y' }, { amount: '1.00' }]);
    const { body } = await importFile(client, file, { type: 'text/csv' });
    const { errors } = body as unknown as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/rows/2/amount', '/rows/3/booked_on']);
  });

  it('of another type, or too large, is not read', async () => {
    const json = await importFile(client, '{}', { type: 'application/json' });
    expect([json.status, json.body]).toMatchObject([415, { code: 'unsupported_media_type' }]);
    const large = await importFile(client, V02 + ' '.repeat(2_100_000));
    expect(large.status).toBe(413);
  });

  it('takes a caller who may write payments', async () => {
    const reader = await service.aClient({ of: client, scopes: ['payments:read'] });
    expect((await importFile(reader, V02)).status).toBe(403);
    expect((await reader.get(STATEMENTS)).status).toBe(200);
  });
});

describe('the balances in the rows of CSV files', () => {
  it('are held against cash, over days that files share and days that are missing', async () => {
    const { number } = await client.anInvoice();
    const send = async (...rows: string[]) => {
      const text = ['Date,Amount,Currency,Description,Balance', ...rows].join('\n');
      await importFile(client, text, { type: 'text/csv' });
      type Report = BankReconciliationBody;
      return (await client.get<Report>('/v1/finance/reports/bank-reconciliation')).body;
    };
    const fee = '2026-11-17,-5.00,EUR,Account fee,114.00';
    await send(`2026-11-16,119.00,EUR,${number},119.00`, fee);
    const [debit] = await entriesOf(client, 'status=debit');
    await client.post(`${ENTRIES}/${debit?.id}/book`, { ledger_account: 'bank_fees' });
    const month = await send(fee, '2026-11-18,30.00,EUR,somebody,144.00');
    expect(month.cash).toMatchObject([{ cash: 11_400, difference: 0 }]);
    const closing = { amount: 14_400, date: '2026-11-18' };
    const all = { opening: { amount: 0, date: '2026-11-16' }, not_booked: 3000, closing };
    expect(month.accounts).toMatchObject([{ ...all, difference: 0, gaps: [] }]);
    const [open] = await entriesOf(client, 'status=unmatched');
    await client.post(`${ENTRIES}/${open?.id}/book`, { ledger_account: 'other_income' });
    // The 19th is missing: 10.00 came on that day.
    const later = await send('2026-11-20,1.00,EUR,somebody,155.00');
    expect(later.cash).toMatchObject([{ cash: closing.amount }]);
    expect(later.accounts).toMatchObject([{ difference: 1000, gaps: [{ amount: 1000 }] }]);
  });
});

describe('tenants', () => {
  it('import the same file each for itself', async () => {
    const other = await service.aClient();
    const [one, two] = [await importFile(client, V02), await importFile(other, V02)];
    expect(two.body.counts).toEqual(one.body.counts);
    expect(two.body.id).not.toBe(one.body.id);
    expect((await other.get(`${STATEMENTS}/${one.body.id}`)).status).toBe(404);
    expect(await entriesOf(other, `statement_id=${one.body.id}`)).toEqual([]);
  });

  it('are not paid by what names their neighbour’s invoice', async () => {
    const neighbour = await service.aClient();
    const theirs = await neighbour.anInvoice({ number: 'THEIRS-1', issue_date: '2026-11-01' });
    const entry = { amount: '119.00', reference: theirs.payment_reference ?? '' };
    const { body } = await importFile(client, aCamt053([entry]));
    expect(body.counts).toMatchObject({ booked: 0, proposed: 0, unmatched: 1 });
    expect((await neighbour.read(theirs)).amount_paid).toBe(0);
  });
});
