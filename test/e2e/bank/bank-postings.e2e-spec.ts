import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BankReconciliationBody } from '../../../src/bank/wire/bank-reconciliation.js';
import { aBankCsv, bankFixture } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import {
  balancesOf,
  entriesOf,
  entryOf,
  imported,
  importFile,
  invoiceOf,
  tellOf,
} from './bank-calls.js';
import { closeWithBooks } from '../documents/document-calls.js';

// Entries that make no payment: what a person recorded before, what the bank takes back, and what
// stands on another account of the chart.

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

const tell = tellOf(() => client);
const balances = async () => balancesOf(client);

async function byHand(invoice: { id: string }, amount: number, paidAt: string): Promise<string> {
  const body = { amount, method: 'bank_transfer', paid_at: paidAt };
  const answer = await client.post<{ payment: { id: string } }>(
    `/v1/finance/documents/${invoice.id}/payments`,
    body,
  );
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body.payment.id;
}

describe('a payment that was recorded by hand', () => {
  const day = '2026-11-16T12:00:00Z';

  it('is proposed for its entry, not booked a second time, and becomes that entry', async () => {
    const invoice = await invoiceOf(client, customer);
    const payment = await byHand(invoice, 5000, day);
    const before = await balances();
    const wish = { amount: '50.00', text: invoice.payment_reference ?? '', on: '2026-11-18' };
    const [entry] = await imported(client, wish);
    expect(entry).toMatchObject({ status: 'proposed', payment_id: null });
    expect(entry?.payments).toEqual([
      {
        payment_id: payment,
        relation: 'same',
        amount: 5000,
        paid_on: '2026-11-16',
        reference: null,
        reasons: ['document'],
      },
    ]);
    const same = await tell(entry?.id, 'confirm', { payment_id: payment });
    expect(same.body).toMatchObject({ status: 'recorded', payment_id: payment });
    expect(await balances()).toEqual(before);
    // It is this entry's now: another entry of the same amount is more money.
    const [other] = await imported(client, wish);
    expect(other).toMatchObject({ status: 'booked', payments: [] });
  });

  it('is not its entry in another amount, a week later, reversed, or of another entry', async () => {
    const invoice = await invoiceOf(client, customer);
    const payment = await byHand(invoice, 5000, day);
    const [more, late, one, two] = await imported(
      client,
      { amount: '50.01' },
      { amount: '50.00', on: '2026-11-08' },
      { amount: '50.00', text: 'one' },
      { amount: '50.00', text: 'two' },
    );
    const refused = async (id: string | undefined) =>
      (await tell(id, 'confirm', { payment_id: payment })).body.code;
    expect(await refused(more?.id)).toBe('bank_entry_payment_differs');
    expect(await refused(late?.id)).toBe('bank_entry_payment_differs');
    const both = await Promise.all([refused(one?.id), refused(two?.id)]);
    expect(both.filter(Boolean)).toEqual(['bank_entry_payment_differs']);
    await tell(both[0] ? two?.id : one?.id, 'unbook');
    await client.post(`/v1/finance/payments/${payment}/reverse`, { reason: 'wrong' });
    expect(await refused(one?.id)).toBe('bank_entry_payment_differs');
    const twice = { payment_id: payment, customer_id: customer.id };
    expect((await tell(one?.id, 'confirm', twice)).body.code).toBe('said_twice');
    for (const [id, code] of [
      ['pay_x', 'invalid_id'],
      ['pay_01h455vb4pex5vsknk084sn02q', 'payment_not_found'],
    ]) {
      expect((await tell(one?.id, 'confirm', { payment_id: id })).body.code).toBe(code);
    }
  });
});

describe('an entry of another format', () => {
  it.each(['2026-11-17', '2026-11-21'])('on %s may be the one that is booked', async (on) => {
    const invoice = await invoiceOf(client, customer);
    const text = invoice.payment_reference ?? '';
    await imported(client, { amount: '50.00', text, on: '2026-11-18' });
    const csv = aBankCsv([{ amount: '50.00', text, on }]);
    await importFile(client, csv, { type: 'text/csv' });
    const statuses = (await entriesOf(client)).map(({ status }) => status).sort();
    expect(statuses).toEqual(['booked', 'proposed']);
  });
});

describe('a debit that came back', () => {
  const FILE = bankFixture('camt053-return.xml');

  it('reverses the payment that it names, on its day, with its fee apart', async () => {
    const invoice = await invoiceOf(client, customer);
    const paid = { amount: '119.00', text: invoice.payment_reference ?? '', on: '2026-11-16' };
    const [first] = await imported(client, paid);
    await importFile(client, FILE.replace('INV-00002', invoice.number ?? ''));
    const [back] = await entriesOf(client, 'status=debit');
    expect(back).toMatchObject({ amount: 11_900, fee: 350, return_reason: /^MD06/ as unknown });
    const { payments } = await entryOf(client, back?.id ?? '');
    expect(payments).toMatchObject([{ payment_id: first?.payment_id, relation: 'returned' }]);
    const answer = await tell(back?.id, 'confirm', { payment_id: first?.payment_id });
    expect(answer.body).toMatchObject({ status: 'returned', payment_id: first?.payment_id });
    expect(await client.read(invoice)).toMatchObject({ status: 'open', amount_due: 11_900 });
    expect(await balances()).toMatchObject({ cash: -350, bank_fees: 350, receivables: 11_900 });
    const days = await service.database.query(
      `SELECT DISTINCT effective_on::text AS on FROM transfers
       WHERE fact IN ('payment.reversed', 'bank_entry.booked') AND amount IN (11900, 350)
         AND account_id = (SELECT account_id FROM transfers WHERE debit LIKE 'bank_fees/%'
           ORDER BY transfer_id DESC LIMIT 1)`,
    );
    expect(days).toEqual([{ on: '2026-11-19' }]);
    expect((await tell(back?.id, 'unbook')).body.code).toBe('bank_entry_not_booked');
    const again = await tell(back?.id, 'confirm', { payment_id: first?.payment_id });
    expect(again.body.code).toBe('bank_entry_booked');
  });

  it('takes all above the payment for a fee, where the bank does not part it', async () => {
    const invoice = await invoiceOf(client, customer);
    const payment = await byHand(invoice, 11_900, '2026-11-16T12:00:00Z');
    const wish = {
      direction: 'debit',
      on: '2026-11-18',
      text: `RUECKLASTSCHRIFT ${invoice.number}`,
    } as const;
    const [less, entry] = await imported(
      client,
      { ...wish, amount: '118.99' },
      { ...wish, amount: '122.00' },
    );
    expect(less?.payments).toEqual([]);
    expect(entry?.payments).toMatchObject([{ payment_id: payment, relation: 'returned' }]);
    expect((await tell(less?.id, 'confirm', { payment_id: payment })).body.code).toBe(
      'bank_entry_payment_differs',
    );
    await tell(entry?.id, 'confirm', { payment_id: payment });
    expect(await balances()).toMatchObject({ cash: -300, bank_fees: 300 });
  });

  it('is no plain debit: that reverses nothing', async () => {
    const invoice = await invoiceOf(client, customer);
    const payment = await byHand(invoice, 11_900, '2026-11-16T12:00:00Z');
    const wish = { amount: '119.00', direction: 'debit', text: `Rent ${invoice.number}` } as const;
    const [entry] = await imported(client, wish);
    expect(entry?.payments).toEqual([]);
    const { body } = await tell(entry?.id, 'confirm', { payment_id: payment });
    expect(body.code).toBe('bank_entry_payment_differs');
    expect((await tell(entry?.id, 'ignore')).body.code).toBe('bank_entry_not_bookable');
  });
});

describe('an account of the chart', () => {
  it('takes debits and credits, and gives them back', async () => {
    const [fee, interest] = await imported(
      client,
      { amount: '5.00', direction: 'debit', text: 'Account fee' },
      { amount: '1.20', text: 'Interest' },
    );
    const booked = await tell(fee?.id, 'book', { ledger_account: 'bank_fees' });
    expect(booked.body).toMatchObject({ status: 'posted', ledger_account: 'bank_fees' });
    await tell(interest?.id, 'book', { ledger_account: 'other_income' });
    expect(await balances()).toEqual({ cash: -380, bank_fees: 500, other_income: -120 });
    const twice = await tell(fee?.id, 'book', { ledger_account: 'other_expenses' });
    expect(twice.body.code).toBe('bank_entry_booked');
    expect((await tell(interest?.id, 'ignore')).body.code).toBe('bank_entry_booked');
    for (const id of [fee?.id, interest?.id]) await tell(id, 'unbook');
    expect(await balances()).toEqual({});
    const open = await Promise.all([fee, interest].map((one) => entryOf(client, one?.id ?? '')));
    expect(open.map(({ status }) => status)).toEqual(['debit', 'unmatched']);
    await tell(fee?.id, 'book', { ledger_account: 'other_expenses' });
    expect(await balances()).toEqual({ cash: -500, other_expenses: 500 });
    expect((await tell(interest?.id, 'unbook')).body.code).toBe('bank_entry_not_booked');
  });

  it('is one of four, of entries that the bank has booked', async () => {
    const [entry, later] = await imported(
      client,
      { amount: '1.00' },
      { amount: '1.00', on: '2027-01-01' },
    );
    const wrong = await tell(entry?.id, 'book', { ledger_account: 'revenue' });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'not_in_list']);
    const early = await tell(later?.id, 'book', { ledger_account: 'other_income' });
    expect(early.body.code).toBe('bank_entry_not_bookable');
  });
});

describe('the fee of an entry', () => {
  it('is booked with the payment, which has all that the customer paid', async () => {
    const invoice = await invoiceOf(client, customer);
    const file = bankFixture('stripe-balance.csv').replaceAll('INV-00001', invoice.number ?? '');
    await importFile(client, file, { type: 'text/csv' });
    expect(await client.read(invoice)).toMatchObject({ status: 'paid' });
    expect(await balances()).toMatchObject({ cash: 11_697, bank_fees: 203 });
  });

  it('of a conversion is nobody’s payment', async () => {
    await invoiceOf(client, customer, {
      lines: [{ description: 'x', quantity: '1', unit_amount: 4164, tax_rate: '0' }],
    });
    await importFile(client, bankFixture('paypal.csv'), { type: 'text/csv' });
    const conversion = (await entriesOf(client)).find(({ amount }) => amount === 4164);
    expect(conversion).toMatchObject({ status: 'unmatched', currency: 'EUR' });
  });
});

/** A statement in MT940: balances and entries of one account. */
const sta = (number: string, from: [string, string], to: [string, string], ...lines: string[]) =>
  [
    `:20:${number}`,
    ':25:DE89370400440532013000',
    `:28C:${number}`,
    `:60F:C${from[0]}EUR${from[1]}`,
    ...lines,
    `:62F:C${to[0]}EUR${to[1]}`,
    '-',
  ].join('\r\n');
const send = (file: string) => importFile(client, file, { type: 'text/plain' });

describe('the reconciliation with the bank', () => {
  type Report = BankReconciliationBody;
  const report = async (query = '') =>
    (await client.get<Report>(`/v1/finance/reports/bank-reconciliation${query}`)).body;

  it('explains cash to the cent, and where the statements leave a gap', async () => {
    const invoice = await invoiceOf(client, customer);
    const first = sta(
      '1',
      ['261116', '1000,00'],
      ['261117', '1114,00'],
      `:61:2611171117C119,00NTRFNONREF//A1`,
      `:86:${invoice.number}`,
      ':61:2611171117D5,00NCHGNONREF//A2',
      ':86:Account fee',
    );
    await send(first);
    const [fee] = await entriesOf(client, 'status=debit');
    expect(await report()).toEqual({
      accounts: [
        {
          account: 'DE89370400440532013000',
          currency: 'EUR',
          opening: { amount: 100_000, date: '2026-11-16' },
          booked: 11_900,
          not_booked: -500,
          ignored: 0,
          closing: { amount: 111_400, date: '2026-11-17' },
          difference: 0,
          gaps: [],
        },
      ],
      cash: [
        { currency: 'EUR', booked: 11_900, by_hand: 0, cash: 11_900, difference: 0, in_transit: 0 },
      ],
    });
    await tell(fee?.id, 'book', { ledger_account: 'bank_fees' });
    await byHand(await invoiceOf(client, customer), 1000, '2026-11-16T12:00:00Z');
    // The statement of the 18th is missing: 30.00 came on that day.
    const third = sta(
      '3',
      ['261118', '1144,00'],
      ['261119', '1154,00'],
      ':61:2611191119C10,00NTRFNONREF//C1',
    );
    const { body } = await send(third);
    const { accounts, cash } = await report();
    expect(cash).toEqual([
      {
        currency: 'EUR',
        booked: 11_400,
        by_hand: 1000,
        cash: 12_400,
        difference: 0,
        in_transit: 0,
      },
    ]);
    expect(accounts).toMatchObject([
      { booked: 11_400, not_booked: 1000, closing: { amount: 115_400 }, difference: 3000 },
    ]);
    expect(accounts[0]?.gaps).toMatchObject([
      { before_statement_id: body.id, after: '2026-11-17', before: '2026-11-18', amount: 3000 },
    ]);
    // It arrives, in another file, and twice.
    for (const number of ['2', '2b']) {
      const line = ':61:2611181118C30,00NTRFNONREF//B1';
      await send(sta(number, ['261117', '1114,00'], ['261118', '1144,00'], line));
    }
    expect((await report()).accounts).toMatchObject([{ difference: 0, gaps: [] }]);
    // As it was when the first statement ended, though all of it is known by now.
    const then = await report('?date=2026-11-17');
    expect(then.accounts).toMatchObject([{ booked: 11_400, not_booked: 0, difference: 0 }]);
    expect(then.accounts[0]?.closing).toEqual({ amount: 111_400, date: '2026-11-17' });
    expect(then.cash).toMatchObject([{ booked: 11_400, cash: 12_400, difference: 0 }]);
    expect((await report('?date=2026-11-15')).cash).toEqual([]);
  });

  it('says so where a payment of an entry was reversed, and the bank has the money', async () => {
    const invoice = await invoiceOf(client, customer);
    const wish = { amount: '119.00', text: invoice.payment_reference ?? '' };
    const [entry] = await imported(client, wish);
    await client.post(`/v1/finance/payments/${entry?.payment_id}/reverse`, { reason: 'wrong' });
    const { status } = await entryOf(client, entry?.id ?? '');
    const still = status === 'booked' ? 11_900 : 0;
    expect((await report()).cash).toMatchObject([{ booked: still, cash: 0, difference: -still }]);
  });

  it('follows what was returned, was recorded by hand, is a payout, or was ignored', async () => {
    const [one, two] = [await invoiceOf(client, customer), await invoiceOf(client, customer)];
    const payment = await byHand(two, 5000, '2026-11-17T12:00:00Z');
    const [paid, same, payout, other] = await imported(
      client,
      { amount: '119.00', text: one.payment_reference ?? '', on: '2026-11-16' },
      { amount: '50.00', text: two.number ?? '' },
      { amount: '97.97', text: 'PAYOUT' },
      { amount: '1.00', text: 'other' },
    );
    const text = `RUECKLASTSCHRIFT ${one.number}`;
    const [back] = await imported(client, { amount: '122.00', direction: 'debit', text });
    await tell(same?.id, 'confirm', { payment_id: payment });
    await tell(back?.id, 'confirm', { payment_id: paid?.payment_id });
    await tell(payout?.id, 'book', { ledger_account: 'gateway_clearing' });
    await tell(other?.id, 'ignore');
    const { accounts, cash } = await report();
    const booked = 11_900 + 5000 + 9797 - 12_200;
    expect(cash).toMatchObject([{ booked, by_hand: 0, cash: booked, difference: 0 }]);
    expect(accounts).toMatchObject([{ booked, not_booked: 0, ignored: 100, difference: null }]);
    expect(await balances()).toMatchObject({ cash: booked, gateway_clearing: -9797 });
  });
});
