import fc from 'fast-check';
import {
  asked,
  type Books,
  creditOf,
  dayIn,
  due,
  dueAccount,
  giveCredit,
  type Invoice,
  nowIn,
  type Payment,
  post,
  statusOf,
  takesMoney,
} from '../books.js';
import { ANY_INVOICE } from './invoices.js';
import { assertFields, type Call, refused } from '../judge.js';
import { takeNoteCreditOff } from '../note-credit.js';
import { type FieldsOf, type Need, operation, pick, quarters, wishOf } from './operation.js';
import { exchange, type Foreign, foreignOf, otherCurrency, RATE } from '../conversion.js';
import { chosen, foreignCall, invoiceOf, quartersOf } from '../picks.js';
import { ANY_RATE } from './rates.js';
import type { World } from '../world.js';

const PAYMENT = {
  pick,
  quarters,
  from: fc.constantFrom('hand' as const, 'hand' as const, 'credit' as const),
  over: fc.constantFrom('reject' as const, 'credit' as const),
  currency: fc.constantFrom('own' as const, 'own' as const, 'own' as const, 'other' as const),
  /** Days ago: in months that may be closed. */
  daysAgo: fc.constantFrom(0, 0, 40, 70),
  keyed: fc.integer({ min: 0, max: 3 }).map((number) => number > 0),
  /** An amount that leaves just the cash discount, or a unit more. */
  short: fc.constantFrom(null, null, null, 0, 0, 1),
  /** Of money in another currency. */
  rate: RATE,
};

/** The ledger account that money comes from. */
const SOURCE = {
  hand: 'cash',
  credit: 'customer_credit',
  gateway: 'gateway_clearing',
  receipt: 'unmatched_receipts',
} as const;

/** The account that pays documents. */
export function sourceOf({ from, received }: Pick<Payment, 'from' | 'received'>): string {
  return received ? 'currency_exchange' : SOURCE[from];
}

/** The money as it came in. */
export function moneyOf({ received, amount, currency }: Payment) {
  return received ?? { amount, currency };
}

/** The agreed reduction for a payment of that day: of what credit notes left, half a unit up. */
function discountOn({ issued, discounts, total, creditNotes }: Invoice, day: string): number {
  const age = (Date.parse(day) - Date.parse(issued)) / 86_400_000;
  const agreed = discounts.find(({ days }) => age <= days);
  return agreed ? Math.floor((2 * agreed.percent * (total - creditNotes) + 100) / 200) : 0;
}

/** From credit that there is. */
function isPayable(books: Books, invoice: Invoice): boolean {
  const { customer, currency } = invoice;
  return takesMoney(invoice) && due(invoice) > 0 && creditOf(books, customer, currency) > 0;
}

/** The clock of the service is not far from ours. */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function ago(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 86_400_000);
}

function pay(world: World, books: Books, wish: FieldsOf<typeof PAYMENT>): Call {
  const rich = wish.from === 'credit' ? books.invoices.filter((one) => isPayable(books, one)) : [];
  const invoice = chosen(rich.length > 0 ? rich : books.invoices, wish.pick);
  const id = invoice?.id ?? world.foreign.document;
  const owed = invoice ? due(invoice) : 100;
  const spendable = invoice ? creditOf(books, invoice.customer, invoice.currency) : 0;
  const isSpent = wish.from === 'credit' && spendable > 0;
  const now = nowIn(books);
  const day = ago(now, wish.daysAgo).toISOString().slice(0, 10);
  const discount = invoice ? discountOn(invoice, day) : 0;
  const isShort = discount > 0 && owed > discount + 1 && !isSpent;
  const amount =
    isShort && wish.short !== null
      ? owed - discount - wish.short
      : quartersOf(isSpent ? Math.min(owed, spendable) : owed, wish.quarters);
  const own = invoice?.currency ?? 'EUR';
  const isForeign = wish.rate !== null && wish.from === 'hand';
  const told = isForeign ? foreignOf(amount, own, wish.rate!) : null;
  const request = world.request(
    `documents/${id}/payments`,
    {
      amount,
      method: wish.from === 'credit' ? 'credit_balance' : 'bank_transfer',
      on_overpayment: wish.over,
      ...(told && { received: told.sent }),
      ...(wish.daysAgo > 0 && { paid_at: ago(now, wish.daysAgo).toISOString() }),
      ...(wish.currency === 'other' && { currency: otherCurrency(own) }),
    },
    { keyed: wish.keyed },
  );
  if (!invoice) return foreignCall(request, 'document_not_found');
  return {
    ...request,
    judge: (after, answer) => {
      const of = invoiceOf(after, id);
      const { customer, currency } = of;
      const received = told?.from(after, ago(now, wish.daysAgo)) ?? null;
      const mustFit = wish.over === 'reject' || wish.from === 'credit';
      const broken = [
        !takesMoney(of) && 'document_not_payable',
        wish.currency === 'other' && 'currency_mismatch',
        told !== null && received === null && 'exchange_rate_required',
        mustFit && amount > due(of) && 'amount_exceeds_due',
        wish.from === 'credit' &&
          amount > creditOf(after, customer, currency) &&
          'insufficient_credit',
      ];
      if (refused(answer, broken)) return;
      const { payment } = answer.body as { payment: { id: string } };
      const made = take(after, of, amount, {
        id: payment.id,
        from: wish.from,
        received,
        day,
      });
      if (received) assertFields((payment as { received?: object }).received, { ...received });
      assertFields(payment, {
        amount,
        applied: made.on[id] ?? 0,
        credited: made.inCredit,
        currency,
      });
      assertFields(answer.body, {
        amount_paid: of.paid,
        amount_due: asked(of),
        status: statusOf(of),
      });
    },
  };
}

/**
 * Money for one invoice: as much as is due, and the rest is the customer's. A note that came before
 * does what it would have done after it.
 */
export function take(books: Books, invoice: Invoice, amount: number, given: Given): Payment {
  takeNoteCreditOff(books, invoice, amount);
  return book(books, invoice, amount, [{ invoice, share: Math.min(amount, due(invoice)) }], given);
}

interface Given {
  id: string;
  from: Payment['from'];
  received?: Foreign | null;
  /** The provider's id of it. */
  provider?: string;
  /** The link that it came through. */
  link?: string;
  /** Of a bank's: the entry that it is. */
  entry?: { label: string; day: string };
  /** The day on which it was paid: that of a bank's entry, else the day of now. */
  day?: string;
  /** It came before the issue: the invoice itself asks for the rest. */
  isPrepaid?: boolean;
}

/** Money for any number of invoices of one customer. */
export function book(
  books: Books,
  { customer, currency }: { customer: string; currency: string },
  amount: number,
  parts: readonly { invoice: Invoice; share: number }[],
  { id, from, received = null, provider, link, entry, day, isPrepaid }: Given,
): Payment {
  const source = sourceOf({ from, received });
  // Providers know nothing of an account's own clock.
  const told = isOfGateway(from) ? today() : dayIn(books);
  const paidOn = entry?.day ?? day ?? told;
  const applied = parts.reduce((sum, { share }) => sum + share, 0);
  for (const { invoice, share } of parts) {
    post(books, currency, source, dueAccount(invoice), share, invoice.id);
    invoice.paid += share;
    if (share > 0 && !isPrepaid) waive(books, invoice, from, paidOn);
  }
  const rest = amount - applied;
  if (from === 'credit') giveCredit(books, customer, currency, -amount);
  else post(books, currency, source, 'customer_credit', rest);
  giveCredit(books, customer, currency, rest);
  if (received) exchange(books, received, { amount, currency }, { gain: 1, sign: 1 });
  const paying = parts.filter(({ share }) => share > 0);
  const payment: Payment = {
    id,
    customer,
    currency,
    amount,
    from,
    received,
    provider: provider ?? null,
    entry: entry?.label ?? null,
    day: entry?.day ?? null,
    paidOn,
    isDated: isOfGateway(from) || paidOn !== told,
    // Of one fact: their ids tell which of those is newer that were made at once.
    everOn: parts.map(({ invoice }) => invoice.id).sort(),
    on: Object.fromEntries(paying.map(({ invoice, share }) => [invoice.id, share])),
    held: {},
    inCredit: rest,
    returned: 0,
    reversed: false,
    link: link ?? null,
    isReturned: false,
    takenBack: null,
    gone: 0,
    lost: 0,
  };
  books.payments.push(payment);
  return payment;
}

export function isOfGateway(from: Payment['from']): boolean {
  return from === 'gateway' || from === 'receipt';
}

/**
 * A shortfall is let pass within an agreed reduction, whose tax is claimed back, or else within the
 * tolerance and a tenth. A provider takes what its link asked for: of that only the reduction.
 */
function waive(books: Books, invoice: Invoice, from: Payment['from'], day: string): void {
  const { currency, total, id } = invoice;
  const shortfall = due(invoice);
  if (shortfall === 0) return;
  const isAgreed = shortfall <= discountOn(invoice, day);
  const isSmall = shortfall <= (books.tolerance[currency] ?? 0) && shortfall * 10 <= total;
  if (!isAgreed && (isOfGateway(from) || !isSmall)) return;
  if (isAgreed) invoice.isRelieved = true;
  post(books, currency, 'payment_differences', dueAccount(invoice), shortfall, id);
  invoice.waived += shortfall;
}

const paying = operation('pay', {
  weight: 10,
  fields: PAYMENT,
  needs: ({ from, rate }) => (from === 'hand' && rate === 'table' ? ANY_RATE : ANY_INVOICE),
  hasKey: ({ keyed }) => keyed,
  call: pay,
});
const OVERPAYMENT: FieldsOf<typeof PAYMENT> = {
  pick: 0,
  quarters: 5,
  from: 'hand',
  over: 'credit',
  currency: 'own',
  daysAgo: 0,
  keyed: true,
  short: null,
  rate: null,
};

export const ANY_PAYMENT: Need = {
  of: (_world, { payments }) => payments,
  first: wishOf(paying, OVERPAYMENT),
};
export const FROM_CREDIT = wishOf(paying, {
  ...OVERPAYMENT,
  quarters: 4,
  from: 'credit',
  over: 'reject',
});

export const PAYMENT_OPERATIONS = [paying];
