import { describe, expect, it } from 'vitest';
import { MOST_BANK_ENTRIES } from '../../src/bank/domain/bank-statement.js';
import { bookedLines, type KnownThing } from '../../src/bank/domain/payouts/payout.js';
import type {
  PayoutReport,
  PayoutReportFile,
  ReportedPayout,
} from '../../src/bank/domain/payouts/payout-report.js';
import { BankStatementFormats } from '../../src/bank/infrastructure/bank-statement-formats.js';
import { Money } from '../../src/kernel/money.js';
import { bankFixture, NO_HINTS } from '../support/bank-files.js';
import { refusal } from './read-bank-file.js';

// Reports of payouts as providers write them: each payout once, and nothing that is none.

const STRIPE = bankFixture('stripe-payouts.csv');
const reader = new BankStatementFormats();
const read = (text: string, over: Partial<PayoutReportFile> = {}): PayoutReport =>
  reader.readPayouts({
    format: 'payouts',
    bytes: Buffer.from(text),
    mostEntries: MOST_BANK_ENTRIES.ofRequest,
    hints: NO_HINTS,
    amountsFrom: 'payouts',
    ...over,
  });

/** `po_1 93.57 EUR fee 0 2026-11-17`, or its code. */
function told({ providerPayoutId: id, told: payout, refusal: no }: ReportedPayout): string {
  if (!payout) return `${id} ${no?.code}`;
  const { amount, fee, sentOn, arrivesOn } = payout;
  return `${id} ${amount} fee ${fee.minor} ${sentOn} ${arrivesOn}`;
}

const payoutsOf = (text: string, over: Partial<PayoutReportFile> = {}) =>
  read(text, over).payouts.map(told);
const payout = (text: string, id: string, over: Partial<PayoutReportFile> = {}) =>
  payoutsOf(text, over).find((one) => one.startsWith(`${id} `));
/** The file with what one row says changed. */
const changed = (txn: string, from: string, to: string) => {
  const lines = STRIPE.split('\n').map((line) =>
    line.includes(`,${txn},`) ? line.replace(from, to) : line,
  );
  return lines.join('\n');
};
const row = (txn: string) => STRIPE.split('\n').find((line) => line.includes(`,${txn},`)) ?? '';
const without = (...txns: string[]) =>
  STRIPE.split('\n')
    .filter((line) => !txns.some((txn) => line.includes(`,${txn},`)))
    .join('\n');

describe('the payout reconciliation of Stripe', () => {
  it('is its payouts in their currencies, wherever their rows stand', () => {
    const { provider, payouts, leftOut } = read(STRIPE);
    expect([provider, ...payouts.map(told)]).toEqual([
      'stripe',
      'po_1 93.57 EUR fee 0 2026-11-17 2026-11-17',
      'po_2 11471 JPY fee 0 2026-11-17 2026-11-17',
      'po_3 11.650 KWD fee 0 2026-11-17 2026-11-17',
      'po_4 -30.00 EUR fee 0 2026-11-18 2026-11-18',
      'po_5 100.00 EUR fee 100 2026-11-18 2026-11-18',
    ]);
    expect(leftOut).toEqual([{ category: 'charge', rows: 1 }]);
  });

  it('has lines that name our payments and refunds; a word that nobody knows is told', () => {
    const [{ told: payout, unknownCategories } = { told: null, unknownCategories: [] }] =
      read(STRIPE).payouts;
    const lines = payout?.lines.map(({ kind, amount, fee, providerId }) =>
      [kind, amount.minor, fee.minor, providerId].join(' '),
    );
    expect(lines).toEqual([
      'payment 11900 203 pi_1',
      'refund -1900 0 re_1',
      'dispute -5000 1500 dp_1',
      'dispute 5000 -1500 dp_1',
      'fee 0 40 fee_1',
      'adjustment -500 0 rsv_1',
      'adjustment 100 0 md_1',
    ]);
    expect(unknownCategories).toEqual(['moon_dust']);
  });

  it('names a charge without a PaymentIntent by itself', () => {
    const [first] = read(changed('txn_1', ',pi_1,', ',,')).payouts;
    expect(first?.told?.lines[0]?.providerId).toBe('ch_1');
  });

  it('without the row of a payout is believed if the caller says that all lines are there', () => {
    const cut = without('txn_11');
    expect(payout(cut, 'po_1')).toBe('po_1 payout_amount_missing');
    expect(payout(cut, 'po_4')).toBe(payout(STRIPE, 'po_4'));
    const lines = { amountsFrom: 'lines' } as const;
    expect(payout(cut, 'po_1', lines)).toBe('po_1 93.57 EUR fee 0 2026-11-17 null');
  });

  it.each([
    ['two currencies', changed('txn_3', ',eur,', ',usd,')],
    ['two days', changed('txn_3', '2026-11-17 00:00:00,2026-11-17', '2026-11-18 00:00:00,x')],
    ['two rows of itself', STRIPE + row('txn_11').replace('txn_11', 'txn_99')],
    ['an amount of zero', changed('txn_11', '-93.57,0.00,-93.57', '0.00,0.00,0.00')],
    ['a fee below zero', changed('txn_11', '-93.57,0.00,-93.57', '-93.57,-1.00,-92.57')],
    ['a sum that no book takes', changed('txn_9', '1.00,0.00,1.00', '100000000000,0,100000000000')],
  ])('with %s leaves that payout out, and no other', (_, text) => {
    expect([payout(text, 'po_1'), payout(text, 'po_2')]).toEqual([
      'po_1 payout_unclear',
      payout(STRIPE, 'po_2'),
    ]);
  });

  it('is refused with each value that is wrong', () => {
    const wrong: [string, string, string, string][] = [
      ['txn_1', ',2.03,', ',2.04,', 'net'],
      ['txn_2', '11900,429,11471', '119.5,429,11471', 'gross'],
      ['txn_3', ',eur,', ',eurs,', 'currency'],
      ['txn_4', ',charge,', ',,', 'reporting_category'],
      ['txn_5', ',dp_1,', `,${'x'.repeat(256)},`, 'source_id'],
      ['txn_6', ',50.00,', ',1E3,', 'gross'],
      ['txn_7', '2026-11-14 10:00:00', '2026-11-31 10:00:00', 'created_utc'],
      ['txn_8', ',txn_8,', ',,', 'balance_transaction_id'],
    ];
    for (const [txn, from, to, column] of wrong) {
      const { code, errors } = refusal(() => read(changed(txn, from, to)));
      expect([code, errors.map(({ pointer }) => pointer.split('/').at(-1))]).toEqual([
        'malformed_statement',
        [column],
      ]);
    }
    const all = STRIPE.replaceAll(',eur,', ',euro,');
    expect(refusal(() => read(all)).errors).toHaveLength(12);
  });

  it('counts a row that stands in it again once; another one of the same id is refused', () => {
    const again = `${STRIPE}${row('txn_3')}\n`;
    expect(payoutsOf(again)).toEqual(payoutsOf(STRIPE));
    expect(read(again).leftOut).toContainEqual({ category: 'duplicate', rows: 1 });
    const other = `${STRIPE}${row('txn_3').replace('-19.00,0.00,-19.00', '-18.00,0.00,-18.00')}\n`;
    const { errors } = refusal(() => read(other));
    expect(errors.map(({ pointer }) => pointer)).toEqual(['/rows/18/balance_transaction_id']);
  });

  it('may have a decimal comma in all of it, and not in a part', () => {
    const comma = STRIPE.replaceAll(/(-?\d+)\.(\d+)/g, '"$1,$2"');
    expect(payoutsOf(comma)).toEqual(payoutsOf(STRIPE));
    const part = changed('txn_1', '119.00,2.03,116.97', '"119,00","2,03","116,97"');
    expect(refusal(() => read(part)).code).toBe('malformed_statement');
    const hints = { ...NO_HINTS, decimal: 'comma' } as const;
    expect(refusal(() => read(STRIPE, { hints })).code).toBe('malformed_statement');
  });

  it('needs its columns, each once, and not too many rows', () => {
    for (const column of ['automatic_payout_id', 'net', 'source_id']) {
      const { message } = refusal(() => read(STRIPE.replace(column, 'other')));
      expect(message).toContain(column);
    }
    const undated = STRIPE.replaceAll('automatic_payout_effective', 'other');
    expect(refusal(() => read(undated)).message).toContain('automatic_payout_effective_at_utc');
    const twice = STRIPE.replace('customer_id', 'gross');
    expect(refusal(() => read(twice)).message).toContain('two columns gross');
    expect(refusal(() => read(STRIPE, { mostEntries: 15 })).message).toContain('15 rows');
    expect(read(STRIPE, { mostEntries: 16 }).payouts).toHaveLength(5);
  });
});

describe('the activity report of PayPal', () => {
  const text = bankFixture('paypal-withdrawals.csv');

  it('has its withdrawals as payouts without lines', () => {
    const { provider, payouts, leftOut } = read(text);
    expect([provider, ...payouts.map(told)]).toEqual([
      'paypal',
      '8AB00000000000002 1115.50 EUR fee 0 2026-11-16 null',
      '8AB00000000000003 500 JPY fee 50 2026-11-17 null',
      '8AB00000000000006 payout_unclear',
    ]);
    expect(payouts[0]?.told?.lines).toEqual([]);
    expect(leftOut.toSorted((one, two) => (one.category < two.category ? -1 : 1))).toEqual([
      { category: 'Express Checkout Payment', rows: 1 },
      { category: 'General Card Withdrawal', rows: 1 },
      { category: 'pending', rows: 1 },
    ]);
  });

  it('in German', () => {
    const german = bankFixture('paypal-german.csv')
      .replace('PayPal Express-Zahlung', 'Von Nutzer eingeleitete Abbuchung')
      .replace('"1.119,00","-3,50","1.115,50"', '"-1.119,00","0,00","-1.119,00"')
      .replace('"Haben"', '"Soll"');
    expect(payoutsOf(german)).toEqual(['8AB00000000000001 1119.00 EUR fee 0 2026-11-03 null']);
  });

  it('has a withdrawal once, also if it stands there again, and not with another amount', () => {
    const line = text.split('\n').find((one) => one.includes('00002')) ?? '';
    expect(payoutsOf(text + line)).toEqual(payoutsOf(text));
    const other = text + line.replaceAll('1,115.50', '1,115.51');
    expect(payout(other, '8AB00000000000002')).toBe('8AB00000000000002 payout_unclear');
    const unnamed = text.replace('8AB00000000000002', '');
    expect(refusal(() => read(unnamed)).code).toBe('malformed_statement');
  });
});

describe('a file that is no report of payouts', () => {
  it.each([
    ['of a bank', bankFixture('n26.csv')],
    ['of Stripe’s balance history', bankFixture('stripe-history.csv')],
    ['of XML', bankFixture('camt053-v02.xml')],
    ['that is empty', ''],
  ])('%s is refused', (_, text) => {
    expect(refusal(() => read(text)).code).toBe('malformed_statement');
  });
});

const eur = (minor: bigint) => Money.of(minor, 'EUR');
const line = (providerId: string) =>
  ({ kind: 'refund', amount: eur(-100n), fee: eur(5n), providerId }) as const;
const thing = (providerId: string, refundId: string): KnownThing => ({
  kind: 'refund',
  providerId,
  paymentId: null,
  receiptId: null,
  refundId,
  hasFee: false,
});

describe('lines of a payout', () => {
  it('book one fee of a refund that the provider names twice', () => {
    const known = [thing('re_1', 'a'), thing('re_2', 'a'), thing('re_3', 'b')];
    const booked = bookedLines(['re_1', 're_2', 're_3', 're_4'].map(line), known);
    expect(booked.map((one) => [one.refundId, one.bookedFee.minor])).toEqual([
      ['a', 5n],
      ['a', 0n],
      ['b', 5n],
      [null, 0n],
    ]);
  });
});
