import fc from 'fast-check';
import {
  add,
  type Books,
  creditOf,
  due,
  dueAccount,
  giveCredit,
  type Invoice,
  type Payment,
  post,
  takesMoney,
  takeWaiverBack,
} from '../books.js';
import { assertFields, type Call, refused } from '../judge.js';
import { type FieldsOf, operation, pick, quartersOrAll } from './operation.js';
import { ANY_PAYMENT, isOfGateway, sourceOf } from './payments.js';
import { exchange } from '../conversion.js';
import { chosen, foreignCall, invoiceOf, paymentOf, quartersOf } from '../picks.js';
import { freeOf } from '../taken-back.js';
import type { World } from '../world.js';

const MOVE = {
  pick,
  from: fc.nat({ max: 3 }),
  to: pick,
  toCredit: fc.integer({ min: 0, max: 3 }).map((number) => number === 0),
  quarters: quartersOrAll,
};
const PICKED = { pick };

export const CREDIT = 'credit';

/** The places of a payment's money: documents, then its part of the customer's credit. */
export function places({ on, inCredit }: Payment): string[] {
  return [...Object.keys(on).sort(), ...(inCredit > 0 ? [CREDIT] : [])];
}

/** The part that is there and not on its way back. */
export function free({ on, held, inCredit }: Payment, place: string): number {
  return place === CREDIT ? Math.max(0, inCredit) : (on[place] ?? 0) - (held[place] ?? 0);
}

/** To another document or to credit; without quarters all that can be moved. */
async function move(world: World, books: Books, wish: FieldsOf<typeof MOVE>): Promise<Call> {
  const payment = chosen(books.payments, wish.pick);
  const from = payment ? (chosen(places(payment), wish.from) ?? CREDIT) : CREDIT;
  const near = books.invoices.filter((one) => payment && isNear(one, payment));
  const targets = wish.to % 2 === 0 && near.length > 0 ? near : books.invoices;
  const document = chosen(targets, wish.to)?.id ?? world.foreign.document;
  const to = wish.toCredit && from !== CREDIT ? CREDIT : document;
  const there = payment ? free(payment, from) : 100;
  const amount = wish.quarters === 0 ? null : quartersOf(there, wish.quarters);
  const id = payment ? await world.paymentId(payment.id) : world.foreign.payment;
  const request = world.request(`payments/${id}/allocations`, {
    from,
    to,
    ...(amount !== null && { amount }),
  });
  if (!payment) return foreignCall(request, from === to ? 'same_place' : 'payment_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const moved = paymentOf(after, payment.id);
      const isForeign = to === world.foreign.document;
      const target = to === CREDIT || isForeign ? null : invoiceOf(after, to);
      const most = freeOf(after, moved, from);
      const sum = amount ?? (target ? Math.min(most, due(target)) : most);
      const { customer, currency } = moved;
      const broken = [
        from === to && 'same_place',
        isForeign && 'unknown_document',
        moved.reversed && 'payment_reversed',
        target !== null && target.customer !== customer && 'customer_mismatch',
        target !== null && target.currency !== currency && 'currency_mismatch',
        target !== null && !takesMoney(target) && 'document_not_payable',
        (sum > most || sum <= 0) &&
          (disputedOf(after, moved) > 0 ? 'payment_disputed' : 'amount_exceeds_allocated'),
        target !== null && sum > due(target) && 'amount_exceeds_due',
        from === CREDIT && sum > creditOf(after, customer, currency) && 'insufficient_credit',
      ];
      if (refused(answer, broken)) return;
      takeFrom(after, moved, from, sum, 'customer_credit');
      if (from !== CREDIT) giveCredit(after, customer, currency, sum);
      if (target) {
        post(after, currency, 'customer_credit', dueAccount(target), sum, to);
        giveCredit(after, customer, currency, -sum);
        target.paid += sum;
        moved.on[to] = (moved.on[to] ?? 0) + sum;
        moved.everOn.push(to);
      } else {
        moved.inCredit += sum;
      }
      assertFields(answer.body, shownPayment(after, moved));
    },
  };
}

/** An invoice that could take money of the payment. */
function isNear(invoice: Invoice, { customer, currency }: Payment): boolean {
  return invoice.customer === customer && invoice.currency === currency && due(invoice) > 0;
}

/** Takes money off where it is; from a document it leaves for another ledger account. */
function takeFrom(
  books: Books,
  payment: Payment,
  place: string,
  amount: number,
  target: string,
): void {
  if (place === CREDIT) {
    payment.inCredit -= amount;
    return;
  }
  const invoice = invoiceOf(books, place);
  post(books, payment.currency, dueAccount(invoice), target, amount, place);
  invoice.paid -= amount;
  takeWaiverBack(books, invoice);
  add(payment.on, place, -amount);
}

/** The part of a payment that its payer disputes. */
export function disputedOf({ disputes }: Books, { provider }: Payment): number {
  return disputes
    .filter(({ payment }) => payment === provider)
    .reduce((sum, { disputed }) => sum + disputed, 0);
}

/** The part that did not go back, is not lost, and is not disputed. */
export function leftToRefund(books: Books, payment: Payment): number {
  const { amount, returned, lost } = payment;
  return Math.max(0, amount - returned - lost - disputedOf(books, payment));
}

/** The answer that a payment must give. */
export function shownPayment(books: Books, payment: Payment): Record<string, unknown> {
  const { amount, returned, reversed, takenBack } = payment;
  const part = returned === amount ? 'refunded' : 'partially_refunded';
  const refunded = returned - (takenBack ?? 0);
  return {
    status: reversed ? 'reversed' : refunded === 0 ? 'recorded' : part,
    amount_refunded: refunded,
    amount_disputed: disputedOf(books, payment),
    amount_refundable: reversed || payment.from === 'credit' ? 0 : leftToRefund(books, payment),
  };
}

/** It was wrong: as if it had never been. */
async function reverse(world: World, books: Books, wish: FieldsOf<typeof PICKED>): Promise<Call> {
  const payment = chosen(books.payments, wish.pick);
  const id = payment ? await world.paymentId(payment.id) : world.foreign.payment;
  const request = world.request(`payments/${id}/reverse`, { reason: 'wrong' });
  if (!payment) return foreignCall(request, 'payment_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const wrong = paymentOf(after, payment.id);
      if (refused(answer, notReversible(after, wrong))) return;
      takeBack(after, wrong);
      assertFields(answer.body, shownPayment(after, wrong));
    },
  };
}

/** The codes of all that forbids to reverse a payment. */
export function notReversible(
  books: Books,
  payment: Payment,
  isByBank = false,
): (string | false)[] {
  const { customer, currency, from, inCredit } = payment;
  const isSpent = from !== 'credit' && creditOf(books, customer, currency) < inCredit;
  return [
    payment.reversed && 'payment_reversed',
    isByBank && isOfGateway(from) && 'payment_not_reversible',
    payment.returned > 0 && 'payment_refunded',
    disputedOf(books, payment) > 0 && 'payment_disputed',
    isSpent && 'customer_credit_spent',
  ];
}

/** Reverses a payment: its documents are due again, and its credit is gone. */
export function takeBack(books: Books, payment: Payment): void {
  const { customer, currency, from, inCredit } = payment;
  for (const [place, amount] of Object.entries(payment.on)) {
    takeFrom(books, payment, place, amount, sourceOf(payment));
    if (from === 'credit') giveCredit(books, customer, currency, amount);
  }
  if (from !== 'credit') {
    post(books, currency, 'customer_credit', sourceOf(payment), inCredit);
    giveCredit(books, customer, currency, -inCredit);
  }
  if (payment.received) exchange(books, payment.received, payment, { gain: 1, sign: -1 });
  payment.inCredit = 0;
  payment.reversed = true;
  // The provider still has its money, which waits for another home.
  if (from === 'gateway') keep(books, payment);
  const receipt = books.receipts.find(({ id }) => id === payment.provider);
  if (receipt && from === 'receipt') receipt.settled -= payment.amount;
}

/** Money of a provider, without a home. */
export function keep(books: Books, { id, amount, currency }: Books['nobodys'][number]): void {
  books.receipts.push({ id, currency, amount, settled: 0, gone: 0, lost: 0 });
  post(books, currency, 'gateway_clearing', 'unmatched_receipts', amount);
}

export const MOVE_OPERATIONS = [
  operation('move', { weight: 5, fields: MOVE, needs: ANY_PAYMENT, call: move }),
  operation('reverse', { weight: 3, fields: PICKED, needs: ANY_PAYMENT, call: reverse }),
];
