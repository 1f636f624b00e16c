import fc from 'fast-check';
import { type Books, creditOf, isUnderWay, nowIn, type Payment, type Refund } from '../books.js';
import { ANY_RECEIPT, paidByProvider } from './gateway.js';
import { disputedReceipt, isOpen } from './homes.js';
import { assertFields, type Call, refused } from '../judge.js';
import { CREDIT, disputedOf, leftToRefund, places, shownPayment } from './moves.js';
import { type FieldsOf, type Need, operation, pick, quartersOrAll, wishOf } from './operation.js';
import { ANY_PAYMENT, isOfGateway } from './payments.js';
import { type Foreign, foreignOf, RATE } from '../conversion.js';
import {
  chosen,
  fitting,
  foreignCall,
  invoiceOf,
  paymentOf,
  quartersOf,
  receiptOf,
} from '../picks.js';
import type { Mood } from '../provider.js';
import { goBack, judgeAnswer, setAside } from '../refund-steps.js';
import { creditOfNotes } from '../note-credit.js';
import { freeOf, newestFirst } from '../taken-back.js';
import type { World } from '../world.js';

/** Of a provider that is asked to give money back; mostly it does. */
const MOOD = fc.constantFrom<Mood>('done', 'done', 'done', 'no', 'pending', 'lost', 'deaf');
const REFUND = {
  pick,
  from: fc.option(fc.nat({ max: 3 }), { freq: 2 }),
  quarters: quartersOrAll,
  method: fc.constantFrom(
    'default' as const,
    'default' as const,
    'hand' as const,
    'dashboard' as const,
    'gateway' as const,
  ),
  mood: MOOD,
  /** Of money that leaves in another currency. */
  rate: RATE,
};
const RECEIPT_REFUND = { pick, quarters: quartersOrAll, byHand: fc.boolean(), mood: MOOD };
/** The method that is sent; notes leave the till, and a card is paid back by the provider. */
const METHODS = { hand: 'cash', dashboard: 'card', gateway: 'gateway' } as const;

export interface RefundAnswer {
  refund: Pick<Refund, 'id' | 'amount' | 'documents'> & { status: string; from_credit: number };
  payment?: object;
  receipt?: object;
}

function canRefund(world: World, payment: string | null): boolean {
  return world.voiceOf(world.gatewayOf(payment)).refunds !== false;
}

/** A provider can give something of it back. */
function isOfProvider({ provider, returned, amount }: Payment): boolean {
  return provider !== null && returned < amount;
}

/** Money goes back: of a place, or of wherever it is; without quarters all that can. */
async function refund(world: World, books: Books, wish: FieldsOf<typeof REFUND>): Promise<Call> {
  const { mood, quarters } = wish;
  const payments = mood === 'done' ? books.payments : fitting(books.payments, isOfProvider);
  const payment = chosen(payments, wish.pick);
  const from =
    payment && wish.from !== null ? (chosen(places(payment), wish.from) ?? CREDIT) : null;
  const left = payment ? payment.amount - payment.returned : 100;
  const asked = quarters === 0 ? null : quartersOf(left, quarters);
  const id = payment ? await world.paymentId(payment.id) : world.foreign.payment;
  const isForeign = wish.rate !== null && wish.method === 'hand';
  const now = nowIn(books);
  const told = isForeign && payment ? foreignOf(asked ?? left, payment.currency, wish.rate!) : null;
  const request = world.request(`payments/${id}/refunds`, {
    ...(told && { paid_out: told.sent }),
    ...(asked !== null && { amount: asked }),
    ...(from !== null && { from }),
    ...(wish.method !== 'default' && { method: METHODS[wish.method] }),
  });
  if (!payment) return foreignCall(request, 'payment_not_found');
  const isByHand = wish.method === 'hand' || wish.method === 'dashboard';
  const isAsked = !isByHand && isOfGateway(payment.from);
  const byGateway = isAsked && canRefund(world, payment.provider);
  return {
    ...(byGateway ? world.inMood(request, payment.provider ?? '', mood) : request),
    judge: (after, answer) => {
      const of = paymentOf(after, payment.id);
      const paidOut = told?.from(after, now) ?? null;
      const most = refundable(after, of, from);
      const amount = asked ?? most.all;
      const broken = [
        of.reversed && 'payment_reversed',
        of.from === 'credit' && 'payment_not_refundable',
        wish.method === 'gateway' && !isOfGateway(of.from) && 'payment_not_refundable',
        isAsked && !byGateway && 'payment_not_refundable',
        (amount <= 0 || amount > most.all) && exceeds(after, of, amount),
        told !== null && paidOut === null && 'exchange_rate_required',
      ];
      if (refused(answer, broken)) return;
      const { refund: made } = answer.body as unknown as RefundAnswer;
      const { fromCredit, kept } = most.taking(amount);
      assertFields(made, { amount, from_credit: fromCredit });
      const begun = begin(after, of.id, made, { byGateway, paidOut, kept });
      const isAtProvider = wish.method === 'dashboard' && isOfGateway(of.from);
      if (!byGateway) goBack(after, begun, isAtProvider ? 'gateway_clearing' : 'cash');
    },
    later: [whatBecameOf(world)],
  };
}

/**
 * The amount of a payment that can go back. Its own credit goes first; then money of documents whose
 * notes gave credit, as far as that is there; then what no note settled.
 */
function refundable(books: Books, payment: Payment, from: string | null) {
  const { customer, currency } = payment;
  const spendable = creditOf(books, customer, currency);
  const isNamed = from !== null && from !== CREDIT;
  const own = isNamed ? 0 : Math.min(freeOf(books, payment, CREDIT), spendable);
  let credit = spendable - own;
  let keeping = 0;
  let others = 0;
  for (const id of isNamed ? [from] : newestFirst(payment)) {
    const free = freeOf(books, payment, id);
    const noted = isNamed ? 0 : creditOfNotes(invoiceOf(books, id));
    const kept = Math.max(0, Math.min(free, noted, credit));
    credit -= kept;
    keeping += kept;
    // No more than notes did not settle, whichever payment gives it.
    const onIt = books.payments.reduce((sum, one) => sum + freeOf(books, one, id), 0);
    const most = noted > 0 ? Math.max(0, onIt - noted) : Infinity;
    if (from !== CREDIT) others += Math.min(free - kept, most);
  }
  const last = from === CREDIT ? credit : 0;
  const taking = (amount: number) => {
    const left = amount - Math.min(own, amount);
    const kept = Math.min(keeping, left);
    return { kept, fromCredit: amount - left + Math.max(0, left - keeping - others) };
  };
  const all = Math.min(leftToRefund(books, payment), own + keeping + others + last);
  return { all, taking };
}

/** The part that is not disputed may go back. */
function exceeds(books: Books, payment: Payment, amount: number): string {
  const disputed = disputedOf(books, payment);
  const isWithin = amount <= leftToRefund(books, payment) + disputed;
  return disputed > 0 && isWithin ? 'payment_disputed' : 'amount_exceeds_refundable';
}

export function begin(
  books: Books,
  of: string,
  { id, amount, from_credit: fromCredit, documents }: RefundAnswer['refund'],
  how: { byGateway: boolean; paidOut?: Foreign | null; kept?: number },
): Refund {
  const begun: Refund = {
    id,
    of,
    amount,
    fromCredit,
    documents,
    kept: how.kept ?? 0,
    byGateway: how.byGateway,
    paidOut: how.paidOut ?? null,
    status: 'asked',
    paidFrom: '',
    waived: {},
  };
  setAside(books, begun);
  return begun;
}

async function refundReceipt(
  world: World,
  books: Books,
  wish: FieldsOf<typeof RECEIPT_REFUND>,
): Promise<Call> {
  const { mood, quarters, byHand } = wish;
  const receipts = mood === 'done' ? books.receipts : fitting(books.receipts, isOpen);
  const receipt = chosen(receipts, wish.pick);
  const asked = quarters === 0 ? null : quartersOf(receipt?.amount ?? 100, quarters);
  const id = receipt ? await world.receiptId(receipt.id) : world.foreign.receipt;
  const request = world.request(`unmatched-receipts/${id}/refunds`, {
    ...(asked !== null && { amount: asked }),
    ...(byHand && { method: 'bank_transfer' }),
  });
  if (!receipt) return foreignCall(request, 'receipt_not_found');
  const isAsked = byHand || canRefund(world, receipt.id);
  return {
    ...(byHand ? request : world.inMood(request, receipt.id, mood)),
    judge: (after, answer) => {
      const of = receiptOf(after, receipt.id);
      const open = of.amount - of.settled;
      const disputed = Math.min(open, disputedReceipt(after, of));
      const amount = asked ?? open - disputed;
      const broken = [
        !isAsked && 'payment_not_refundable',
        open === 0 && 'receipt_settled',
        open > 0 && open === disputed && 'payment_disputed',
        amount > open - disputed && amount <= open - disputed + disputedReceipt(after, of)
          ? 'payment_disputed'
          : amount > open - disputed && 'amount_exceeds_refundable',
      ];
      if (refused(answer, broken)) return;
      const { refund: made } = answer.body as unknown as RefundAnswer;
      assertFields(made, { amount, from_credit: 0, documents: [] });
      const begun = begin(after, of.id, made, { byGateway: !byHand });
      if (byHand) goBack(after, begun, 'gateway_clearing');
    },
    later: [whatBecameOf(world)],
  };
}

/**
 * The second transaction of a refund: what the provider said, if it was asked, and what is left by
 * then. Or the one of a look-up.
 */
export function whatBecameOf({ provider }: World): Call['judge'] {
  return (after, answer) => {
    if (answer.status >= 400) return;
    const { refund: made, payment, receipt } = answer.body as unknown as RefundAnswer;
    const { of } = judgeAnswer(after, made, provider);
    const receiptNow = after.receipts.find(({ id }) => id === of);
    if (payment) assertFields(payment, shownPayment(after, paymentOf(after, of)));
    if (receipt && receiptNow) {
      assertFields(receipt, { amount_open: receiptNow.amount - receiptNow.settled });
    }
  };
}

const refunding = operation('refund', {
  weight: 6,
  fields: REFUND,
  needs: (wish) => (wish.mood === 'done' ? ANY_PAYMENT : anyOfProvider(wish)),
  transactions: 2,
  call: refund,
});
const refundingReceipts = operation('refundReceipt', {
  weight: 2,
  fields: RECEIPT_REFUND,
  needs: ANY_RECEIPT,
  transactions: 2,
  call: refundReceipt,
});

function anyOfProvider(wish: { pick: number }): Need {
  return {
    of: (_world, { payments }) => payments.filter(isOfProvider),
    first: paidByProvider(wish),
  };
}

export const ANY_REFUND: Need = {
  of: (_world, { refunds }) => refunds,
  first: wishOf(refunding, {
    pick: 0,
    from: null,
    quarters: 4,
    method: 'hand',
    mood: 'done',
    rate: null,
  }),
};
const UNSETTLED: readonly Mood[] = ['lost', 'pending', 'deaf'];
/** A refund that is under way; of a payment or of a receipt. */
export function anyUnderWay({ pick: number }: { pick: number }): Need {
  const ofAll = { pick: 0, quarters: 1, mood: UNSETTLED[number % UNSETTLED.length]! };
  return {
    of: (_world, { refunds }) => refunds.filter(isUnderWay),
    first:
      number % 2 === 0
        ? wishOf(refundingReceipts, { ...ofAll, byHand: false })
        : wishOf(refunding, { ...ofAll, from: null, method: 'gateway', rate: null }),
  };
}

export const REFUND_OPERATIONS = [refunding, refundingReceipts];
