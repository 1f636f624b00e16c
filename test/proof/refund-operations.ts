import {
  type Books,
  creditOf,
  dueAccount,
  giveCredit,
  type Payment,
  post,
  takesMoney,
} from './books.js';
import {
  chosen,
  foreignCall,
  invoiceOf,
  quartersOf,
  takeWaiverBack,
} from './document-operations.js';
import { assertFields, type Call, Disagreement, isSaid, refused } from './judge.js';
import { CREDIT, paymentOf, places } from './move-operations.js';
import { book, isOfGateway, take } from './payment-operations.js';
import type { WishOf } from './wishes.js';
import type { World } from './world.js';

interface RefundAnswer {
  refund: {
    status: string;
    amount: number;
    from_credit: number;
    documents: { id: string; amount: number }[];
  };
  payment: { amount_refunded: number };
}

/** Money goes back: of a place, or of wherever it is; without quarters all that can. */
export async function refund(world: World, books: Books, wish: WishOf<'refund'>): Promise<Call> {
  const payment = chosen(books.payments, wish.pick);
  const from =
    payment && wish.from !== null ? (chosen(places(payment), wish.from) ?? CREDIT) : null;
  const left = payment ? payment.amount - payment.returned : 100;
  const asked = wish.quarters === 0 ? null : quartersOf(left, wish.quarters);
  const id = payment ? await world.paymentId(payment.id) : world.foreign.payment;
  const request = world.request(`payments/${id}/refunds`, {
    ...(asked !== null && { amount: asked }),
    ...(from !== null && { from }),
    ...(wish.method !== 'default' && { method: wish.method === 'hand' ? 'cash' : 'gateway' }),
  });
  if (!payment) return foreignCall(request, 'payment_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = paymentOf(after, payment.id);
      const most = refundable(after, of, from);
      const amount = asked ?? most.all;
      const broken = [
        of.reversed && 'payment_reversed',
        of.from === 'credit' && 'payment_not_refundable',
        wish.method === 'gateway' && !isOfGateway(of.from) && 'payment_not_refundable',
        (amount <= 0 || amount > most.all) && 'amount_exceeds_refundable',
      ];
      if (refused(answer, broken)) return;
      const { refund: made, payment: shown } = answer.body as unknown as RefundAnswer;
      const fromCredit = Math.min(most.credit, amount);
      assertFields(made, { status: 'succeeded', amount, from_credit: fromCredit });
      const target = isOfGateway(of.from) && wish.method !== 'hand' ? 'gateway_clearing' : 'cash';
      giveBack(after, of, made, target);
      // Read after the refund: another one at the same time may show already.
      const isShown = shown.amount_refunded >= of.returned;
      assertFields({ isShown, ...shown }, { isShown: true });
    },
  };
}

/** What can go back of a payment: by hand over what it paid, and of which credit. */
function refundable(books: Books, payment: Payment, from: string | null) {
  const { customer, currency, on, inCredit, amount, returned } = payment;
  const spendable = creditOf(books, customer, currency);
  const own = Math.min(Math.max(0, inCredit), spendable);
  const credit = from === CREDIT ? spendable : from === null ? own : 0;
  const everywhere = Object.values(on).reduce((sum, part) => sum + part, 0);
  const paying = from === CREDIT ? 0 : from === null ? everywhere : (on[from] ?? 0);
  return { credit, all: Math.min(amount - returned, credit + paying) };
}

function giveBack(
  books: Books,
  payment: Payment,
  { amount, from_credit: fromCredit, documents }: RefundAnswer['refund'],
  target: string,
): void {
  const { customer, currency } = payment;
  let sum = fromCredit;
  for (const { id, amount: part } of documents) {
    const invoice = invoiceOf(books, id);
    const there = payment.on[id] ?? 0;
    if (part <= 0 || part > there) {
      throw new Disagreement(`${part} of ${id} go back, where ${there} were`);
    }
    post(books, currency, dueAccount(invoice), target, part, id);
    invoice.refunded += part;
    takeWaiverBack(books, invoice);
    if (part === there) delete payment.on[id];
    else payment.on[id] = there - part;
    sum += part;
  }
  assertFields({ sum }, { sum: amount });
  post(books, currency, 'customer_credit', target, fromCredit);
  giveCredit(books, customer, currency, -fromCredit);
  payment.inCredit -= fromCredit;
  payment.returned += amount;
}

function receiptOf(books: Books, id: string) {
  const receipt = books.receipts.find((one) => one.id === id);
  if (!receipt) throw new Disagreement(`there is no receipt ${id}`);
  return receipt;
}

/** A home for money that had none. */
export async function assign(world: World, books: Books, wish: WishOf<'assign'>): Promise<Call> {
  const receipt = chosen(books.receipts, wish.pick);
  const customer = books.customers[wish.to % 2] ?? '';
  const document = chosen(books.invoices, wish.to)?.id ?? world.foreign.document;
  const id = receipt ? await world.receiptId(receipt.id) : world.foreign.receipt;
  const body = wish.toCustomer ? { customer_id: customer } : { document_id: document };
  const request = world.request(`unmatched-receipts/${id}/assign`, body);
  if (!receipt) {
    return {
      ...request,
      judge: (_after, answer) => void refused(answer, ['receipt_not_found', 'unknown_document']),
    };
  }
  return {
    ...request,
    judge: (after, answer) => {
      const of = receiptOf(after, receipt.id);
      const open = of.amount - of.settled;
      const { currency } = of;
      const isForeign = !wish.toCustomer && document === world.foreign.document;
      const invoice = wish.toCustomer || isForeign ? null : invoiceOf(after, document);
      const broken = [
        open === 0 && 'receipt_settled',
        // A gateway gives back in two transactions: who asks between them is told so.
        isSaid(answer, 'refund_under_way') && after.givenBack.includes(of.id) && 'refund_under_way',
        isForeign && 'unknown_document',
        invoice !== null && invoice.currency !== currency && 'currency_mismatch',
        invoice !== null && !takesMoney(invoice) && 'document_not_payable',
      ];
      if (refused(answer, broken)) return;
      const { payment } = answer.body as { payment: { id: string } };
      const given = { id: payment.id, from: 'receipt' as const };
      const made = invoice
        ? take(after, invoice, open, given)
        : book(after, { customer, currency }, open, [], given);
      of.settled = of.amount;
      assertFields(payment, { amount: open, credited: made.inCredit, currency });
    },
  };
}

export async function refundReceipt(
  world: World,
  books: Books,
  wish: WishOf<'refundReceipt'>,
): Promise<Call> {
  const receipt = chosen(books.receipts, wish.pick);
  const asked = wish.quarters === 0 ? null : quartersOf(receipt?.amount ?? 100, wish.quarters);
  const id = receipt ? await world.receiptId(receipt.id) : world.foreign.receipt;
  const request = world.request(`unmatched-receipts/${id}/refunds`, {
    ...(asked !== null && { amount: asked }),
    ...(wish.byHand && { method: 'bank_transfer' }),
  });
  if (!receipt) return foreignCall(request, 'receipt_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = receiptOf(after, receipt.id);
      const open = of.amount - of.settled;
      const amount = asked ?? open;
      const broken = [
        open === 0 && 'receipt_settled',
        amount > open && 'amount_exceeds_refundable',
      ];
      if (refused(answer, broken)) return;
      const target = wish.byHand ? 'cash' : 'gateway_clearing';
      post(after, of.currency, 'unmatched_receipts', target, amount);
      of.settled += amount;
      if (!wish.byHand) after.givenBack.push(of.id);
      assertFields((answer.body as unknown as RefundAnswer).refund, {
        status: 'succeeded',
        amount,
      });
    },
  };
}
