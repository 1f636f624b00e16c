import fc from 'fast-check';
import { isNearDay, isSettled } from '../entry-judgement.js';
import { NO_ENTRY } from './bank-entries.js';
import { type BankEntry, type Books, type Payment, post } from '../books.js';
import { assertFields, type Call, refused } from '../judge.js';
import { notReversible, takeBack } from './moves.js';
import { moneyOf } from './payments.js';
import { type FieldsOf, operation, pick } from './operation.js';
import { chosen, fitting, foreignCall, paymentOf } from '../picks.js';
import { ANY_ENTRY } from './statements.js';
import type { World } from '../world.js';

const POSTING = { pick, account: pick, undo: fc.boolean() };
const NAMED = { pick, of: pick };

const ACCOUNTS = ['bank_fees', 'other_expenses', 'other_income', 'opening_balances'] as const;

function entryOf(books: Books, id: string): BankEntry {
  return books.entries.find((one) => one.id === id)!;
}

/** An entry that is no payment stands on an account of the chart, until somebody undoes it. */
function postEntry(world: World, books: Books, wish: FieldsOf<typeof POSTING>): Call {
  const { account, undo } = wish;
  const isFit = (one: BankEntry) => isSettled(one) === undo;
  const entry = chosen(
    wish.pick % 4 > 0 ? fitting(books.entries, isFit) : books.entries,
    wish.pick,
  );
  const ledger = ACCOUNTS[account % ACCOUNTS.length]!;
  const path = `bank-entries/${entry?.id ?? NO_ENTRY}/${undo ? 'unbook' : 'book'}`;
  const request = world.request(path, undo ? {} : { ledger_account: ledger });
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = entryOf(after, entry.id);
      if (undo) {
        const its = after.payments.find((one) => one.entry === of.label);
        const isMine = ['booked', 'posted', 'recorded'].includes(of.status);
        const broken = [
          !isMine && 'bank_entry_not_booked',
          ...(of.status === 'booked' && its ? notUndone(after, its) : []),
        ].map((code) => code ?? false);
        if (refused(answer, broken)) return;
        if (of.account !== null) move(after, of, of.account, -1);
        for (const one of after.payouts) if (one.id === of.payout) one.status = 'sent';
        delete of.payout;
        if (of.status === 'booked' && its && !its.reversed) takeBack(after, its);
        for (const one of after.payments) if (one.entry === of.label) one.entry = one.day = null;
        of.account = null;
        of.status = of.direction === 'debit' ? 'debit' : 'unmatched';
      } else {
        if (refused(answer, [isSettled(of) && 'bank_entry_booked'])) return;
        of.account = ledger;
        of.status = 'posted';
        move(after, of, ledger, 1);
      }
      assertFields(answer.body, { status: of.status, ledger_account: of.account });
    },
  };
}

/** A payment that was reversed by itself stands in the way of nothing, one that the bank took does. */
function notUndone(books: Books, payment: Payment): (string | false | null)[] {
  if (payment.reversed) return [payment.isReturned && 'bank_entry_returned'];
  return notReversible(books, payment, true);
}

function move(
  books: Books,
  { direction, amount, currency }: BankEntry,
  account: string,
  sign: number,
) {
  const [debit, credit] = direction === 'debit' ? [account, 'cash'] : ['cash', account];
  post(books, currency, debit, credit, sign * amount);
}

/** The entry is a payment that a person recorded, or takes one back with a fee. */
async function namePayment(
  world: World,
  books: Books,
  wish: FieldsOf<typeof NAMED>,
): Promise<Call> {
  const entry = chosen(
    wish.pick % 4 > 0 ? fitting(books.entries, (one) => !isSettled(one)) : books.entries,
    wish.pick,
  );
  const near = fitting(
    books.payments,
    (one) => entry !== undefined && relation(entry, one) !== null,
  );
  const payment = chosen(near, wish.of);
  const id = payment ? await world.paymentId(payment.id) : world.foreign.payment;
  const request = world.request(`bank-entries/${entry?.id ?? NO_ENTRY}/confirm`, {
    payment_id: id,
  });
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const its = entryOf(after, entry.id);
      const named = payment && paymentOf(after, payment.id);
      const what = named ? relation(its, named) : null;
      const broken = [
        isSettled(its) && 'bank_entry_booked',
        !named && 'payment_not_found',
        named && what === null && 'bank_entry_payment_differs',
        ...(named && what === 'returned' ? notReversible(after, named, true) : []),
      ].map((code) => code ?? false);
      if (refused(answer, broken) || !named || what === null) return;
      its.status = what;
      if (what === 'recorded') {
        named.entry = its.label;
      } else {
        takeBack(after, named);
        named.isReturned = true;
        post(after, its.currency, 'bank_fees', 'cash', its.amount - moneyOf(named).amount);
      }
      assertFields(answer.body, { status: what, payment_id: id });
    },
  };
}

/** The status of an entry whose payment is named; null where that is refused. */
function relation(entry: BankEntry, payment: Payment): 'recorded' | 'returned' | null {
  const { amount, currency } = moneyOf(payment);
  if (payment.reversed || currency !== entry.currency) return null;
  if (entry.direction === 'debit') {
    const fee = entry.amount - amount;
    const isLater = payment.paidOn > entry.day;
    return entry.isReversal && !isLater && fee >= 0 && fee <= amount ? 'returned' : null;
  }
  const isFree = payment.from === 'hand' && payment.entry === null && isNearDay(entry, payment);
  return isFree && !entry.isReversal && amount === entry.amount ? 'recorded' : null;
}

export const POSTING_OPERATIONS = [
  operation('post', { weight: 2, fields: POSTING, needs: ANY_ENTRY, call: postEntry }),
  operation('namePayment', { weight: 2, fields: NAMED, needs: ANY_ENTRY, call: namePayment }),
];
