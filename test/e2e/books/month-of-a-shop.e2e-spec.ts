import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestClient } from '../../support/client.js';
import type { Answer } from '../../support/http.js';
import { sandboxDelivery } from '../../support/sandbox-delivery.js';
import { startTestService, type TestService } from '../../support/service.js';
import { importFile } from '../bank/bank-calls.js';
import { expectBooksToAgree, good } from '../documents/document-calls.js';
import { balancesOf } from './books.js';

/*
 * Plays the month that docs/books.md tells, row by row, and holds the books against the page. The
 * provider's balance, the bank's and the tax are added up here from the rows alone.
 */

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  service.clock.set('2026-10-01T08:00:00Z');
  client = await service.aClient();
});
afterAll(() => service.close());

const PAGE = readFileSync(new URL('../../../docs/books.md', import.meta.url), 'utf8');
const [, SECTION = ''] = /\n## One month of a shop\n(.*?)\n## /s.exec(PAGE) ?? [];

/** The cells of the tables of the section, without their heads. */
const [MONTH = [], BALANCES = [], TAXES = []] = SECTION.split(/\n\n+/)
  .filter((block) => block.startsWith('| '))
  .map((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );

/** Minor units; of an empty cell none. */
const minor = (text = '') => Math.round(Number(text) * 100);

interface Row {
  day: string;
  what: string;
  /** The letter of its invoice. */
  invoice: string;
  amount: number;
  /** Tax or fee. */
  extra: number;
}

const made = new Map<string, { id: string; number: string; customer_id: string }>();
const paid = new Map<string, string>();
const payouts: string[] = [];
let bank = 0;

const post = async <Body = { id: string }>(path: string, body: object = {}) =>
  done<Body>(client.post(`/v1/finance/${path}`, body));

async function done<Body>(answer: Promise<Answer>): Promise<Body> {
  const { status, body, text } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body as Body;
}

const now = () => service.clock.now().toISOString();
const documentOf = ({ invoice }: Row) => made.get(invoice)!;

async function tell(type: string, data: object): Promise<void> {
  const delivery = sandboxDelivery(service, type, { currency: 'EUR', ...data });
  const answer = await service.call('/v1/webhooks/sandbox', { method: 'POST', ...delivery });
  expect(good(answer, 200)).toEqual({ status: 'ok' });
}

async function issue(row: Row): Promise<void> {
  const [, rate = ''] = /at (\d+) %/.exec(row.what) ?? [];
  const wish = { unitAmount: row.amount - row.extra, taxRate: rate };
  const document = await client.anInvoice({ ...wish, issue_date: row.day, due_date: row.day });
  expect(document).toMatchObject({ total: row.amount, tax_total: row.extra });
  made.set(row.invoice, document as never);
}

async function payThrough(row: Row): Promise<void> {
  const { amount } = row;
  const link = await client.aPaymentLink(documentOf(row), { gateway: 'sandbox', amount });
  const payment_id = `sbx_${link.id}`;
  const of = { payment_id, payment_link_id: link.id, amount, fee: row.extra };
  await tell('payment.succeeded', { ...of, paid_at: now() });
  paid.set(row.invoice, payment_id);
}

async function credit(row: Row): Promise<void> {
  const note = await post<{ tax_total: number }>(`documents/${documentOf(row).id}/credit-notes`, {
    amount: row.amount,
    issue_date: row.day,
  });
  expect(note.tax_total).toBe(row.extra);
}

async function refund(row: Row): Promise<void> {
  const path = `/v1/finance/documents/${documentOf(row).id}/payments`;
  const { data } = await done<{ data: { id: string }[] }>(client.get(path));
  const body = { amount: row.amount, method: 'gateway' };
  const { refund: back } = await post<{ refund: object }>(`payments/${data[0]?.id}/refunds`, body);
  // Credit of the note goes onto its invoice, which gives it back.
  expect(back).toMatchObject({ status: 'succeeded', documents: [{ amount: row.amount }] });
}

async function dispute(row: Row, step: 'opened' | 'lost'): Promise<void> {
  const payment_id = paid.get(row.invoice);
  const of = { payment_id, dispute_id: `dp_${payment_id}`, amount: row.amount };
  await tell(`dispute.${step}`, { ...of, ...(row.extra > 0 && { fee: row.extra }), at: now() });
}

async function payOut({ day, amount }: Row): Promise<void> {
  const provider_payout_id = `po_${day}`;
  const body = { gateway: 'sandbox', provider_payout_id, amount, currency: 'EUR', sent_on: day };
  payouts.push((await post('payouts', body)).id);
}

const comma = (units: number) => (Math.abs(units) / 100).toFixed(2).replace('.', ',');

/** A statement of one entry in MT940, from the balance before it to that after it. */
function statementOf({ day, amount }: Row, text: string): string {
  const short = day.slice(2).replaceAll('-', '');
  const before = bank;
  bank += amount;
  return [
    ':20:MONTH',
    ':25:DE89370400440532013000',
    `:28C:${short}`,
    `:60F:C${short}EUR${comma(before)}`,
    `:61:${short}${short.slice(2)}${amount < 0 ? 'D' : 'C'}${comma(amount)}NTRFNONREF//${bank}`,
    `:86:${text}`,
    `:62F:C${short}EUR${comma(bank)}`,
    '-',
  ].join('\r\n');
}

async function atBank(row: Row): Promise<void> {
  const isTransfer = row.what.includes('transfer');
  const text = isTransfer ? documentOf(row).number : row.what;
  const file = statementOf(row, text);
  const { id } = good(await importFile(client, file, { type: 'text/plain' }), 201);
  const path = `/v1/finance/bank-entries?statement_id=${id}`;
  type Entry = { id: string; status: string };
  const { data } = await done<{ data: Entry[] }>(client.get(path));
  const [entry] = data;
  if (isTransfer) {
    expect(entry?.status).toBe('booked');
  } else if (row.what.includes('payout')) {
    await post(`bank-entries/${entry?.id}/confirm`, { payout_id: payouts.at(-1) });
  } else {
    await post(`bank-entries/${entry?.id}/book`, { ledger_account: 'bank_fees' });
  }
}

const writeOff = async (row: Row) =>
  post(`documents/${documentOf(row).id}/write-off`, { tax_relief: true });

/** A row by the words that it begins with. */
const PLAYED: [RegExp, (row: Row) => Promise<unknown>][] = [
  [/^invoice (\w) /, issue],
  [/^credit note on (\w)\b/, credit],
  [/^write-off of (\w)\b/, writeOff],
  [/^provider: payment of (\w)$/, payThrough],
  [/^provider: refund of (\w)$/, refund],
  [/^provider: dispute of (\w)$/, async (row) => dispute(row, 'opened')],
  [/^provider: dispute of (\w) is lost$/, async (row) => dispute(row, 'lost')],
  [/^provider: payout\b/, payOut],
  [/^bank: transfer for (\w)$/, atBank],
  [/^bank: (?:payout|fee)$/, atBank],
];

/** The provider's balance moves so by a row. */
function atProvider({ what, amount, extra }: Row): number {
  if (!what.startsWith('provider: ') || what.endsWith('is lost')) return 0;
  return (what.includes('payment') ? amount : -amount) - extra;
}

it('is as the page tells it, from the first invoice to the VAT return', async () => {
  let provider = 0;
  for (const [day = '', what = '', amount, extra, ...balances] of MONTH) {
    service.clock.set(`${day}T12:00:00Z`);
    const [words, play] = PLAYED.find(([known]) => known.test(what)) ?? [];
    if (!words || !play) throw new Error(`nobody knows how to play "${what}"`);
    const [, invoice = ''] = words.exec(what) ?? [];
    const row: Row = { day, what, invoice, amount: minor(amount), extra: minor(extra) };
    await play(row);
    provider += atProvider(row);
    const { cash = 0, gateway_clearing = 0, receivables = 0 } = await balancesOf(service, client);
    const found = [cash, gateway_clearing, receivables];
    expect([day, what, ...found]).toEqual([day, what, ...balances.map(minor)]);
    expect([what, cash, gateway_clearing]).toEqual([what, bank, provider]);
  }
  expect(MONTH.length).toBeGreaterThan(15);

  service.clock.set('2026-11-02T12:00:00Z');
  expect(await post('periods/2026-10/close')).toMatchObject({ status: 'closed' });
  const late = await client.pay(made.get('D')!, { amount: 500, paid_at: '2026-10-30T12:00:00Z' });
  expect(late.body['warnings']).toMatchObject([{ code: 'booked_later' }]);

  type Balances = { data: { account: string; debit: number; credit: number }[] };
  const closing = await done<Balances>(client.get('/v1/finance/ledger/balances?date=2026-10-31'));
  const trial = closing.data.map(
    ({ account, debit, credit }) => [account, debit - credit] as const,
  );
  expect(Object.fromEntries(trial.filter(([, balance]) => balance !== 0))).toEqual(
    Object.fromEntries(
      BALANCES.map(([account = '', balance]) => [/`(\w+)`/.exec(account)?.[1], minor(balance)]),
    ),
  );
  await expectBooksToAgree(service);
});

it('ends with the balance of the bank’s last statement', async () => {
  type Report = { accounts: { closing: { amount: number }; difference: number; gaps: object[] }[] };
  const { accounts } = await done<Report>(client.get('/v1/finance/reports/bank-reconciliation'));
  expect(accounts).toMatchObject([{ closing: { amount: bank }, difference: 0, gaps: [] }]);
  expect(minor(BALANCES.find(([account]) => account?.startsWith('`cash`'))?.[1])).toBe(bank);
});

it('owes the tax of its documents, less what was claimed back', async () => {
  type Tax = { tax_rate: string; taxable_amount: number; tax_amount: number };
  type Figures = { data: { taxes: Tax[]; tax_relief: number }[] };
  const path = '/v1/finance/reports/revenue?from=2026-10-01&to=2026-10-31&interval=month';
  const { data } = await done<Figures>(client.get(path));
  const rates = TAXES.filter(([, net]) => net !== '');
  expect(
    data[0]?.taxes
      .map((one) => [Number(one.tax_rate), one.taxable_amount, one.tax_amount])
      .toSorted(),
  ).toEqual(rates.map(([rate, net, tax]) => [Number(rate), minor(net), minor(tax)]).toSorted());

  type Documents = { data: { kind: string; tax_total: number }[] };
  const documents = await done<Documents>(client.get('/v1/finance/documents?limit=100'));
  const sum = documents.data.reduce(
    (all, { kind, tax_total: tax }) => all + (kind === 'credit_note' ? -tax : tax),
    0,
  );
  expect(sum).toBe(rates.reduce((all, [, , tax]) => all + minor(tax), 0));
  const owed = TAXES.reduce((all, [, , tax]) => all + minor(tax), 0);
  const payable = BALANCES.find(([account]) => account === '`tax_payable`')?.[1];
  expect(-minor(payable)).toBe(owed);
});
