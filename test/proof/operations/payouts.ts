import fc from 'fast-check';
import { type BankEntry, type Books, dayIn, type Payout, post } from '../books.js';
import { isSettled } from '../entry-judgement.js';
import { assertFields, Disagreement, type Call, refused } from '../judge.js';
import { chosen, fitting, foreignCall } from '../picks.js';
import type { World } from '../world.js';
import { NO_ENTRY } from './bank-entries.js';
import { currency, type FieldsOf, type Need, operation, pick, wishOf } from './operation.js';
import { ANY_ENTRY } from './statements.js';

const PAYOUT = {
  amount: fc.integer({ min: 1, max: 9999 }),
  currency,
  /** The provider takes it from the bank. */
  isBelowZero: fc.constantFrom(false, false, false, true),
  fee: fc.constantFrom(0, 0, 25),
  /** The payment or receipt that it tells a fee of; none has no lines. */
  of: fc.option(pick, { freq: 3 }),
  /** With one of few ids, so that some come again, also at once. */
  again: fc.option(fc.nat({ max: 15 }), { freq: 3 }),
};
const UNDOING = { pick, how: fc.constantFrom('fail' as const, 'reverse' as const) };
const NAMED = { pick, of: pick };

/** Well formed, and nobody's. */
const NO_PAYOUT = 'pout_01h455vb4pex5vsknk084sn02q';
/** A fee that neither the payment nor its provider has told of before. */
export const FEE_OF_LINE = 7;

/** The provider's ids of payments of ours that it took, with and without a home. */
export function taken({ payments, receipts }: Books): string[] {
  const own = payments.flatMap(({ provider }) => provider ?? []);
  return [...new Set([...own, ...receipts.map(({ id }) => id)])];
}

/** The provider sends money to the bank, or takes some from there. */
function recordPayout(world: World, books: Books, wish: FieldsOf<typeof PAYOUT>): Call {
  const provider = wish.again === null ? world.nextLabel() : `po-${wish.again}`;
  const told = wish.of === null ? null : (chosen(taken(books), wish.of) ?? 'unknown');
  const gateway = world.gatewayOf(told);
  const amount = wish.isBelowZero ? -wish.amount : wish.amount;
  const gross = amount + wish.fee + FEE_OF_LINE;
  const sentOn = dayIn(books);
  const lines = [{ kind: 'payment', amount: gross, fee: FEE_OF_LINE, provider_id: told }];
  const request = world.request('payouts', {
    gateway,
    provider_payout_id: provider,
    amount,
    fee: wish.fee,
    currency: wish.currency,
    sent_on: sentOn,
    ...(told !== null && { lines }),
  });
  return {
    ...request,
    judge: (after, answer) => {
      const living = after.payouts.filter(({ status }) => status !== 'reversed');
      if (refused(answer, [living.some(isOf(gateway, provider)) && 'payout_exists'])) return;
      const feesOf = told === null ? [] : unbookedFees(world, after, [told]);
      const bookedFee = wish.fee + feesOf.length * FEE_OF_LINE;
      const fields = { amount, currency: wish.currency, booked_fee: bookedFee, status: 'sent' };
      assertFields(answer.body, fields);
      const id = String(answer.body['id']);
      if (after.payouts.some((one) => one.id === id)) return;
      const { currency, fee } = wish;
      const waits = told === null || taken(after).includes(told) ? [] : [told];
      const fees = { fee, bookedFee, feesOf, waits };
      send(after, { id, gateway, provider, amount, currency, sentOn, ...fees });
    },
  };
}

/** The payments of ours whose fee neither they nor another payout has booked. */
export function unbookedFees(world: World, books: Books, payments: readonly string[]): string[] {
  const living = books.payouts.filter(({ status }) => status !== 'reversed');
  const ours = taken(books);
  return payments.filter(
    (id) =>
      ours.includes(id) &&
      !living.some(({ feesOf }) => feesOf.includes(id)) &&
      !world.deliveries.some(({ paid }) => paid.id === id && paid.fee > 0),
  );
}

export function send(books: Books, payout: Omit<Payout, 'status'>): Payout {
  const { currency, amount, bookedFee } = payout;
  const sent: Payout = { ...payout, status: 'sent' };
  books.payouts.push(sent);
  closeItem(books, payout);
  post(books, currency, 'payouts_in_transit', 'gateway_clearing', amount);
  post(books, currency, 'gateway_fees', 'gateway_clearing', bookedFee);
  return sent;
}

function closeItem({ payoutItems }: Books, { provider }: Pick<Payout, 'provider'>): void {
  if (payoutItems[provider]) payoutItems[provider] = 'closed';
}

/** The provider has the money again, and keeps its fees. */
export function failed(books: Books, payout: Payout): void {
  bringBack(books, payout);
  payout.status = 'failed';
  closeItem(books, payout);
}

function bringBack(books: Books, { currency, amount }: Payout): void {
  post(books, currency, 'gateway_clearing', 'payouts_in_transit', amount);
}

export const isOf = (gateway: string, provider: string) => (payout: Payout) =>
  payout.gateway === gateway && payout.provider === provider;

function payoutOf(books: Books, id: string): Payout {
  const found = books.payouts.find((one) => one.id === id);
  if (!found) throw new Disagreement(`there is no payout ${id}`);
  return found;
}

/** It came back to the provider, or was recorded wrongly. */
function undoPayout(world: World, books: Books, wish: FieldsOf<typeof UNDOING>): Call {
  const payout = chosen(books.payouts, wish.pick);
  const request = world.request(`payouts/${payout?.id ?? NO_PAYOUT}/${wish.how}`, {});
  if (!payout) return foreignCall(request, 'payout_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const its = payoutOf(after, payout.id);
      const isFree = its.status === 'sent' || (its.status === 'failed' && wish.how === 'reverse');
      const isPaid = its.status === 'paid';
      if (refused(answer, [isPaid && 'payout_paid', !isPaid && !isFree && 'payout_undone'])) return;
      if (wish.how === 'fail') failed(after, its);
      else {
        if (its.status === 'sent') bringBack(after, its);
        post(after, its.currency, 'gateway_clearing', 'gateway_fees', its.bookedFee);
        its.status = 'reversed';
      }
      assertFields(answer.body, { status: its.status });
    },
  };
}

/** An entry of the bank is a payout. */
function namePayout(world: World, books: Books, wish: FieldsOf<typeof NAMED>): Call {
  const entry = chosen(
    wish.pick % 4 > 0 ? fitting(books.entries, (one) => !isSettled(one)) : books.entries,
    wish.pick,
  );
  const near = fitting(books.payouts, (one) => entry !== undefined && isEntryOf(entry, one));
  const payout = chosen(near, wish.of);
  const id = payout?.id ?? NO_PAYOUT;
  const request = world.request(`bank-entries/${entry?.id ?? NO_ENTRY}/confirm`, { payout_id: id });
  if (!entry) return foreignCall(request, 'bank_entry_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const its = after.entries.find((one) => one.id === entry.id)!;
      const named = payout && payoutOf(after, payout.id);
      const broken = [
        isSettled(its) && 'bank_entry_booked',
        !named && 'payout_not_found',
        named !== undefined && !isEntryOf(its, named) && 'bank_entry_payout_differs',
      ];
      if (refused(answer, broken) || !named) return;
      named.status = 'paid';
      its.status = 'posted';
      its.account = 'payouts_in_transit';
      its.payout = named.id;
      post(after, its.currency, 'cash', 'payouts_in_transit', named.amount);
      assertFields(answer.body, { status: 'posted', payout_id: id, ledger_account: its.account });
    },
  };
}

/** One on its way, over exactly what the bank's balance moved by. */
export function isEntryOf(
  { amount, currency, direction, isReversal }: Omit<BankEntry, 'id' | 'status' | 'account'>,
  payout: Payout,
): boolean {
  const moved = direction === 'credit' ? amount : -amount;
  const isSame = payout.amount === moved && payout.currency === currency;
  return isSame && !isReversal && payout.status === 'sent';
}

const recording = operation('payout', { weight: 2, fields: PAYOUT, call: recordPayout });
const ANY_PAYOUT: Need = {
  of: (_world, { payouts }) => payouts,
  first: wishOf(recording, {
    amount: 2500,
    currency: 'EUR',
    isBelowZero: false,
    fee: 0,
    of: null,
    again: null,
  }),
};

export const PAYOUT_OPERATIONS = [
  recording,
  operation('undoPayout', { weight: 1, fields: UNDOING, needs: ANY_PAYOUT, call: undoPayout }),
  operation('namePayout', { weight: 2, fields: NAMED, needs: ANY_ENTRY, call: namePayout }),
];
