import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChartBody } from '../../../src/books/wire/chart-of-accounts.js';
import type { BankEntryDetailBody } from '../../../src/bank/wire/bank-entry.js';
import { aBankCsv, aCamt053, type EntryWish } from '../../support/bank-files.js';
import type { TestClient } from '../../support/client.js';
import { startTestService, type TestService } from '../../support/service.js';
import { readExtf } from '../../vat/extf-reader.js';
import { balancesOf, ENTRIES, entriesOf, importFile, STATEMENTS } from '../bank/bank-calls.js';
import { closeWithBooks, good } from '../documents/document-calls.js';
import { csvOf } from './report-calls.js';

// Each bank account and till has a number of its own in the files for the accountant.

const CHART = '/v1/finance/chart-of-accounts';
const MAY = { from: '2026-05-01', to: '2026-05-31' };
const JUNE = { from: '2026-06-01', to: '2026-06-30' };
/** The account of `aCamt053`. */
const FIRST = 'DE89370400440532013000';
const SECOND = 'NL91 ABNA 0417 1643 00';
const LINES = [
  { bank_account: 'de89 3704 0044 0532 0130 00', number: '1210' },
  { bank_account: SECOND, number: '1220' },
  { method: 'cash', number: '1000' },
  { method: 'check', currency: 'EUR', number: '1330' },
];

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  service.clock.set('2026-05-28T12:00:00Z');
  client = await service.aClient({ timeZone: 'Europe/Berlin' });
});
afterAll(() => closeWithBooks(service));

const aChart = async (body: object) => good(await client.patch<ChartBody>(CHART, body), 200);
const journal = async (days: object) => csvOf(client, 'reports/journal', { ...days });

async function camt(...entries: EntryWish[]): Promise<[statement: string, ids: string[]]> {
  return told(await importFile(client, aCamt053(entries, randomUUID())));
}

async function csv(...entries: EntryWish[]): Promise<[statement: string, ids: string[]]> {
  const query = `?${new URLSearchParams({ account: SECOND })}`;
  return told(await importFile(client, aBankCsv(entries), { type: 'text/csv', query }));
}

/** Its entries in the order of their amounts. */
async function told(answer: Awaited<ReturnType<typeof importFile>>): Promise<[string, string[]]> {
  if (answer.status !== 201) throw new Error(answer.text);
  const entries = await entriesOf(client, `statement_id=${answer.body.id}&limit=100`);
  const sorted = entries.toSorted((one, other) => one.amount - other.amount);
  return [answer.body.id, sorted.map(({ id }) => id)];
}

const tell = async (id: string | undefined, what: string, body: object = {}) =>
  good(await client.post<BankEntryDetailBody>(`${ENTRIES}/${id}/${what}`, body), 200);

const paymentIn = ({ body }: { body: object }) => (body as { payment: { id: string } }).payment.id;

/** Money by hand, of an invoice of its own over 119.00. */
async function byHand(method: string, amount: number, over: object = {}): Promise<string> {
  const invoice = await client.anInvoice();
  const answer = await client.pay(invoice, { method, amount, ...over });
  if (answer.status !== 201) throw new Error(answer.text);
  return paymentIn(answer);
}

/** Debits less credits by number, of those that some bank account or till has. */
function sumsIn(lines: readonly Record<string, string>[], numbers = CASH_NUMBERS) {
  const sums: Record<string, number> = {};
  for (const { debit = '', credit = '', amount } of lines) {
    sums[debit] = (sums[debit] ?? 0) + Number(amount);
    sums[credit] = (sums[credit] ?? 0) - Number(amount);
  }
  return Object.fromEntries(
    Object.entries(sums).filter(([number, sum]) => numbers.includes(number) && sum !== 0),
  );
}

/** The plain number of `cash`, and those of `LINES`. */
const CASH_NUMBERS = ['1001', '1210', '1220', '1000', '1330'];
const OTHERS = { accounts: [{ account: 'cash', number: '1001' }], cash_accounts: LINES };
const total = (sums: Record<string, number>) =>
  Object.values(sums).reduce((sum, one) => sum + one, 0);

/** Of each payment of May, its currency and the number that it came to. */
async function numbersOf(cash_accounts: object[]): Promise<string[]> {
  await aChart({ cash_accounts });
  const lines = (await journal(MAY)).filter(({ fact }) => fact === 'payment.recorded');
  return lines.map(({ currency, debit }) => `${currency} ${debit}`);
}

/** Two banks, a till and checks. */
async function aMonth() {
  const [paid, late, checked] = [
    await client.anInvoice(),
    await client.anInvoice(),
    await client.anInvoice(),
  ];
  const [, [fee, booked]] = await camt(
    { amount: '119.00', text: paid.payment_reference ?? '', on: '2026-05-20' },
    { amount: '3.00', direction: 'debit', text: 'Monthly fee', on: '2026-05-21' },
  );
  await tell(fee, 'book', { ledger_account: 'bank_fees' });
  const [statement, [second]] = await csv({
    amount: '50.00',
    text: late.payment_reference ?? '',
    on: '2026-05-22',
  });
  const till = await byHand('cash', 2000);
  await client.pay(checked, { method: 'check', amount: 700 });
  const given = { amount: 500, method: 'cash' };
  const path = `/v1/finance/payments/${till}/refunds`;
  const { refund } = good(await client.post<{ refund: { id: string } }>(path, given), 201);
  return { paid, booked, second, statement, refund };
}

describe('the journal', () => {
  it('puts money on the bank account or till that it moved on, and sums to cash', async () => {
    await aMonth();
    const one = sumsIn(await journal(MAY));
    const { cash } = await balancesOf(client);
    expect(one).toEqual({ '1000': cash });
    await aChart(OTHERS);
    const sums = sumsIn(await journal(MAY));
    expect(sums).toEqual({ '1210': 11_600, '1220': 5000, '1000': 1500, '1330': 700 });
    expect(total(sums)).toBe(cash);
    await aChart({ template: 'skr03', accounts: null, cash_accounts: null });
    const ofTemplate = sumsIn(await journal(MAY), ['1200', '1000']);
    expect(ofTemplate).toEqual({ '1200': 17_300, '1000': 1500 });
  });

  it('takes the most exact line: the account before the method, and a currency before none', async () => {
    await aMonth();
    const invoice = await client.anInvoice({ currency: 'USD' });
    const text = invoice.payment_reference ?? '';
    await camt({ amount: '10.00', currency: 'USD', text, on: '2026-05-23' });
    await client.pay(invoice, { method: 'cash', amount: 300 });
    const transfer = { method: 'bank_transfer', number: '9' };
    const dollars = { method: 'bank_transfer', currency: 'USD', number: '8' };
    const account = { bank_account: FIRST, number: '7' };
    const exact = { bank_account: FIRST, currency: 'USD', number: '6' };
    const nine = ['EUR 9', 'EUR 9', 'EUR 1000', 'EUR 1000', 'USD 9', 'USD 1000'];
    expect(await numbersOf([transfer])).toEqual(nine);
    expect(await numbersOf([transfer, dollars])).toEqual(nine.with(4, 'USD 8'));
    const seven = nine.with(0, 'EUR 7');
    const three = [account, dollars, transfer];
    expect(await numbersOf(three)).toEqual(seven.with(4, 'USD 7'));
    expect(await numbersOf([...three, exact])).toEqual(seven.with(4, 'USD 6'));
  });

  it('has what a bank took back on its account, and what was undone where it was', async () => {
    await aChart(OTHERS);
    const { paid, booked, second, statement, refund } = await aMonth();
    const before = await journal(MAY);
    const [, [back]] = await csv({
      amount: '122.50',
      direction: 'debit',
      on: '2026-05-26',
      text: `RUECKLASTSCHRIFT ${paid.number}`,
    });
    const { payment_id } = good(await client.get<BankEntryDetailBody>(`${ENTRIES}/${booked}`), 200);
    await tell(back, 'confirm', { payment_id });
    const returned = (await journal(MAY)).slice(before.length);
    expect(
      returned.map(({ fact, debit, credit, amount }) => [fact, debit, credit, amount]),
    ).toEqual([
      ['payment.reversed', '1200', '1220', '11900'],
      ['bank_entry.booked', '6110', '1220', '350'],
    ]);
    await tell(second, 'unbook');
    expect(sumsIn(await journal(MAY))).toEqual({
      '1210': 11_600,
      '1220': -12_250,
      '1000': 1500,
      '1330': 700,
    });
    expect((await client.delete(`${STATEMENTS}/${statement}`)).status).toBe(204);
    await client.post(`/v1/finance/payments/${await byHand('cash', 900)}/reverse`);
    good(await client.post(`/v1/finance/refunds/${refund.id}/reverse`), 200);
    const sums = sumsIn(await journal(MAY));
    expect(sums).toEqual({ '1210': 11_600, '1220': -12_250, '1000': 2000, '1330': 700 });
    expect(total(sums)).toBe((await balancesOf(client))['cash']);
  });

  it('has all of an entry in one place: that of transfers where its file names no account', async () => {
    await aChart({ cash_accounts: [...LINES, { method: 'bank_transfer', number: '1330' }] });
    const debited = await byHand('direct_debit', 11_900, { paid_at: '2026-05-20T12:00:00Z' });
    const file = aBankCsv([
      { amount: '5.00', direction: 'debit', text: 'Monthly fee', on: '2026-05-21' },
      { amount: '122.00', direction: 'debit', text: 'RUECKLASTSCHRIFT', on: '2026-05-22' },
    ]);
    const [, [fee, back]] = await told(await importFile(client, file, { type: 'text/csv' }));
    await tell(fee, 'book', { ledger_account: 'bank_fees' });
    await tell(back, 'confirm', { payment_id: debited });
    const sums = sumsIn(await journal(MAY), ['1000', '1330']);
    expect(sums).toEqual({ '1000': 11_900, '1330': -12_700 });
  });

  it('of a closed month stays, whatever is said of its money later', async () => {
    await aChart(OTHERS);
    const { booked, statement } = await aMonth();
    const invoice = await client.anInvoice();
    const hand = await byHand('direct_debit', 4000, { paid_at: '2026-05-25T12:00:00Z' });
    const text = invoice.payment_reference ?? '';
    const sent = { gateway: 'sandbox', provider_payout_id: 'po_1', sent_on: '2026-05-26' };
    const money = { amount: 11_600, currency: 'EUR' };
    const payout = good(
      await client.post<{ id: string }>('/v1/finance/payouts', { ...sent, ...money }),
      201,
    );
    const [other, [, same, arrived]] = await camt(
      { amount: '20.00', text, on: '2026-05-24' },
      { amount: '40.00', on: '2026-05-25' },
      { amount: '116.00', on: '2026-05-27' },
    );
    await tell(arrived, 'confirm', { payout_id: payout.id });
    const open = await journal(MAY);
    service.clock.set('2026-06-10T12:00:00Z');
    good(await client.post('/v1/finance/periods/2026-05/close', {}), 200);
    expect(await journal(MAY)).toEqual(open);

    // It confirms money that is booked already: on another number than that of its account.
    expect((await tell(same, 'confirm', { payment_id: hand })).status).toBe('recorded');
    expect(await journal(MAY)).toEqual(open);
    good(await client.post(`/v1/finance/payments/${hand}/reverse`), 200);
    expect(sumsIn(await journal(JUNE))).toEqual({ '1001': -4000 });
    await tell(booked, 'unbook');
    for (const id of [statement, other]) {
      expect((await client.delete(`${STATEMENTS}/${id}`)).status).toBe(204);
    }
    expect(await journal(MAY)).toEqual(open);
    await aChart({ cash_accounts: [] });
    expect(await journal(MAY)).toEqual(open);
    await aChart(OTHERS);
    // All of it but the fee, the till and the checks is undone, on the same numbers.
    const june = sumsIn(await journal(JUNE));
    expect(june).toEqual({ '1210': -25_500, '1220': -5000, '1001': -4000 });
    const both = sumsIn([...open, ...(await journal(JUNE))]);
    expect(both).toEqual({ '1210': -300, '1000': 1500, '1330': 700 });
    expect(total(both)).toBe((await balancesOf(client))['cash']);
  });

  it('has the number of one’s own chart alone', async () => {
    const stranger = await service.aClient();
    good(await stranger.patch(CHART, OTHERS), 200);
    await aMonth();
    expect(sumsIn(await journal(MAY))).toEqual({ '1000': 18_800 });
    expect(good(await client.get<ChartBody>(CHART), 200).version).toBe(1);
    expect(await csvOf(stranger, 'reports/journal', MAY)).toEqual([]);
  });
});

describe('the files for DATEV', () => {
  it('have those numbers, as many digits as the longest, and digits only', async () => {
    const datev = { consultant_number: 29_098, client_number: 55_003 };
    const query = new URLSearchParams({ ...MAY, format: 'datev' });
    const ask = async () => client.get(`/v1/finance/reports/journal?${query}`);
    await aMonth();
    const long = { bank_account: FIRST, number: '121000' };
    await aChart({ ...OTHERS, datev, cash_accounts: [...LINES.slice(1), long] });
    const { postings, header } = readExtf((await ask()).bytes);
    expect(header[13]).toBe('6');
    const numbers = postings.flatMap(({ debit, credit }) => [debit, credit]);
    expect(numbers).toEqual(expect.arrayContaining(['121000', '1220', '1000', '1330']));
    expect(numbers.filter((number) => number.length === 7)).not.toEqual([]);
    for (const number of ['BANK1', '123456789']) {
      await aChart({ cash_accounts: [{ ...long, number }] });
      expect(await ask()).toMatchObject({ status: 409, body: { code: 'datev_not_configured' } });
    }
  });
});
