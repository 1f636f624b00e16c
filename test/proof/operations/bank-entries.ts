import fc from 'fast-check';
import { otherCurrency, RATE, type Rate, rateSent, unitsIn, worthOf } from '../conversion.js';
import { isSettled } from '../entry-judgement.js';
import type { BankEntry, Books } from '../books.js';
import { assertFields, type Call, refused } from '../judge.js';
import { type FieldsOf, operation, pick } from './operation.js';
import { book } from './payments.js';
import { chosen, fitting, foreignCall } from '../picks.js';
import { allocated, asAllocation, sharesOf } from './receipts.js';
import { ANY_ENTRY } from './statements.js';
import type { World } from '../world.js';

const CONFIRMATION = {
  pick,
  to: pick,
  how: fc.constantFrom('document' as const, 'customer' as const, 'shares' as const),
  others: fc.array(pick, { maxLength: 2 }),
  /** Of money that counts in another currency. */
  rate: RATE,
};
const PICKED = { pick };

/** Well formed, and nobody's. */
export const NO_ENTRY = 'bentry_01h455vb4pex5vsknk084sn02q';

function isOpen(entry: BankEntry): boolean {
  return !isSettled(entry) && entry.status !== 'debit';
}

/** One that somebody may have to look at, or for some picks any. */
function pickedEntry({ entries }: Books, pick: number): BankEntry | undefined {
  return chosen(pick % 4 > 0 ? fitting(entries, isOpen) : entries, pick);
}

function brokenFor(entry: BankEntry, isBooking: boolean) {
  const { direction, isReversal } = entry;
  return [
    isSettled(entry) && 'bank_entry_booked',
    (direction === 'debit' || (isBooking && isReversal)) && 'bank_entry_not_bookable',
  ];
}

/** As many units of another currency, which its money is worth on its day. */
function countedAs({ amount, currency, day }: BankEntry, rate: Rate) {
  const into = otherCurrency(currency);
  const counted = { amount: unitsIn(into, { amount, currency }), currency: into };
  return {
    ...counted,
    sent: { ...counted, ...rateSent(rate) },
    from: (books: Books) =>
      worthOf(books, { amount, currency }, into, { rate, now: new Date(`${day}T12:00:00Z`) }),
  };
}

/** Somebody says what an entry is for. */
function confirm(world: World, books: Books, wish: FieldsOf<typeof CONFIRMATION>): Call {
  const entry = pickedEntry(books, wish.pick);
  const other = otherCurrency(entry?.currency ?? '');
  const mayCount = books.invoices.some(({ currency }) => currency === other);
  const counts = entry && mayCount && wish.rate !== null ? countedAs(entry, wish.rate) : null;
  const into = counts?.currency ?? entry?.currency;
  const near = fitting(books.invoices, ({ currency }) => currency === into);
  const first = chosen(near, wish.to);
  const others = wish.others.flatMap((pick) => chosen(books.invoices, pick) ?? []);
  const named = wish.how === 'shares' ? [...new Set([first, ...others])] : [first];
  const known = named.filter((one) => one !== undefined);
  const isForeign = wish.how !== 'customer' && known.length === 0;
  const shares =
    wish.how === 'customer'
      ? []
      : sharesOf(known, (index) => wish.how === 'shares' && (index + wish.pick) % 3 === 0);
  const customer = shares.length > 0 ? known[0]!.customer : (books.customers[wish.to % 2] ?? '');
  const body =
    wish.how === 'customer'
      ? { customer_id: customer }
      : wish.how === 'document' || isForeign
        ? { document_id: first?.id ?? world.foreign.document }
        : { allocations: shares.map(asAllocation) };
  const request = world.request(`bank-entries/${entry?.id ?? NO_ENTRY}/confirm`, {
    ...body,
    ...(counts && { counts_as: counts.sent }),
  });
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = after.entries.find(({ id }) => id === entry.id)!;
      const { amount, currency } = counts ?? of;
      const received = counts?.from(after) ?? null;
      const whose = { customer, currency };
      const { parts, broken } = allocated(after, whose, amount, shares);
      const all = [
        ...brokenFor(of, true),
        isForeign && 'unknown_document',
        ...broken,
        counts !== null && received === null && 'exchange_rate_required',
        received !== null && received.worth < 1 && 'worth_out_of_range',
      ];
      if (refused(answer, all)) return;
      const { payment_id: id } = answer.body as { payment_id: string };
      of.status = 'booked';
      assertFields(answer.body, { status: 'booked', amount: of.amount });
      book(after, whose, amount, parts, { id, from: 'hand', entry: of, received });
    },
  };
}

/** It pays nothing here. */
function ignore(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Call {
  const entry = pickedEntry(books, wish.pick);
  const request = world.request(`bank-entries/${entry?.id ?? NO_ENTRY}/ignore`, {});
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = after.entries.find(({ id }) => id === entry.id)!;
      if (refused(answer, brokenFor(of, false))) return;
      of.status = 'ignored';
      assertFields(answer.body, { status: 'ignored', payment_id: null });
    },
  };
}

export const BANK_OPERATIONS = [
  operation('confirm', { weight: 3, fields: CONFIRMATION, needs: ANY_ENTRY, call: confirm }),
  operation('ignore', { weight: 1, fields: PICKED, needs: ANY_ENTRY, call: ignore }),
];
