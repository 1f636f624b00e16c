import { addDays } from '../../src/kernel/clock.js';
import { type Books, creditOf, due, type Invoice, onItsWay } from './books.js';
import { Disagreement } from './judge.js';

/*
 * Letters and what they ask for beside the debts, day by day, made from docs/dunning.md alone. Rates
 * are hundredths of a percent.
 */

export interface Charge {
  kind: 'fee' | 'interest' | 'lump_sum';
  amount: number;
  status: 'proposed' | 'claimed' | 'waived';
  billedBy: string | null;
}

export interface Letter {
  id: string;
  invoice: string;
  customer: string;
  currency: string;
  madeOn: string;
  payBy: string;
  /** Nobody has an address: each fails, and somebody sends it by post. */
  status: 'failed' | 'sent';
  sentOn: string | null;
  charges: Charge[];
  /** An invoice of its own will have them. */
  billsAlone: boolean;
}

export interface DunnedBooks {
  chargesOn: 'own_document' | 'next_document';
  letters: Letter[];
}

interface Step {
  days: number;
  interest?: true;
  lump_sum?: true;
  fees?: { currency: string; amount: number }[];
}

const FEES = [
  { currency: 'EUR', amount: 250 },
  { currency: 'KWD', amount: 1125 },
];
const BUSINESS: Step[] = [
  { days: 3, interest: true, lump_sum: true },
  { days: 8, interest: true },
  { days: 13, interest: true },
];
const CONSUMER: Step[] = [
  { days: 2 },
  { days: 6, interest: true, fees: FEES },
  { days: 11, interest: true, fees: FEES },
];
const LUMP_SUM = 4000;
const PAY_WITHIN_DAYS = 6;

/** Half a year has one rate, and the next one another. */
const baseRateOf = (half: number) => (half % 2 === 0 ? 127 : 152);
const halfOf = (day: string) => Number(day.slice(0, 4)) * 2 + (day.slice(5) < '07-01' ? 0 : 1);
const firstDayOf = (half: number) => `${Math.floor(half / 2)}-${half % 2 === 0 ? '01' : '07'}-01`;

const withTime = (step: Step) => ({ ...step, pay_within_days: PAY_WITHIN_DAYS });

/** The plan of each account. */
export function planOf(today: string): object {
  const halves = [-2, -1, 0, 1].map((distance) => halfOf(today) + distance);
  return {
    law: 'DE',
    business_steps: BUSINESS.map(withTime),
    consumer_steps: CONSUMER.map(withTime),
    base_rates: halves.map((half) => ({
      from: firstDayOf(half),
      percent: (baseRateOf(half) / 100).toFixed(2),
    })),
    due_from: addDays(today, -300),
    charges_on: 'own_document',
  };
}

export const isWaiting = ({ status, billedBy }: Charge) =>
  status === 'claimed' && billedBy === null;

/** The first customer of each account is a business. */
const isBusiness = ({ customers }: Books, customer: string) => customers[0] === customer;

const lettersTo = ({ letters }: Books, { id }: Invoice) =>
  letters.filter(({ invoice }) => invoice === id);

/** The step to come of an invoice, if its day has come. */
function stepOn(books: Books, invoice: Invoice, day: string) {
  const steps = isBusiness(books, invoice.customer) ? BUSINESS : CONSUMER;
  const before = lettersTo(books, invoice);
  const last = before.at(-1);
  const step = steps[before.length];
  // One that failed waits for somebody to send it.
  if (!step || last?.status === 'failed') return undefined;
  const planned = addDays(invoice.dueDate, step.days);
  const apart = step.days - (steps[before.length - 1]?.days ?? 0);
  const behind = last ? addDays(last.sentOn ?? last.madeOn, apart) : planned;
  return day >= planned && day >= behind ? step : undefined;
}

/** The invoices of a day that a letter is due for; `isSure`: nothing can hold it back. */
export function lettersDue(books: Books, day: string) {
  const found: { invoice: Invoice; step: Step; asked: number; isSure: boolean }[] = [];
  const left: Record<string, number> = {};
  const owed = books.invoices.filter((one) => one.lifecycle === 'open' && due(one) > 0);
  for (const invoice of owed.toSorted(byAge)) {
    const { customer, currency, id } = invoice;
    const key = `${customer}/${currency}`;
    const credit = left[key] ?? creditOf(books, customer, currency);
    const rest = due(invoice) - undecided(books, id) - onItsWay(books, id);
    const asked = Math.max(0, rest);
    left[key] = credit - Math.min(credit, asked);
    const step = stepOn(books, invoice, day);
    if (!step || asked === 0 || credit >= asked) continue;
    found.push({ invoice, step, asked, isSure: !mayBeHeld(books, id) });
  }
  return found;
}

/** The oldest first; ids tell it of those of one day. */
export function byAge(one: Invoice, other: Invoice): number {
  return `${one.dueDate} ${one.id}` < `${other.dueDate} ${other.id}` ? -1 : 1;
}

/** A dispute or a debit is about it: whether that goes on is proved elsewhere. */
function mayBeHeld({ disputes, payments, links }: Books, id: string): boolean {
  const disputed = new Set(disputes.map(({ payment }) => payment));
  return (
    Object.values(links).some((one) => one.isCollection && one.invoice === id) ||
    payments.some((one) => disputed.has(one.provider ?? '') && one.everOn.includes(id))
  );
}

/** Fee, interest and lump sum of a letter, in their order. @param told the interest of the answer */
export function chargesOf(
  books: Books,
  invoice: Invoice,
  step: Step,
  day: string,
  told: number,
): Charge[] {
  if (invoice.charged > 0) return [];
  const before = lettersTo(books, invoice).flatMap(({ charges }) => charges);
  const fee = step.fees?.find(({ currency }) => currency === invoice.currency)?.amount ?? 0;
  const hasLumpSum = before.some(({ kind }) => kind === 'lump_sum');
  const isLump = step.lump_sum && invoice.currency === 'EUR' && !hasLumpSum;
  const interest = step.interest ? interestOf(books, invoice, day, told) : 0;
  const all: [Charge['kind'], number][] = [
    ['fee', fee],
    ['interest', interest],
    ['lump_sum', isLump ? LUMP_SUM : 0],
  ];
  return all
    .filter(([, amount]) => amount > 0)
    .map(([kind, amount]) => ({ kind, amount, status: 'proposed', billedBy: null }));
}

/** Of each day for itself, added before it is rounded, less what was asked for before. */
function interestOf(books: Books, invoice: Invoice, last: string, told: number): number {
  const letters = lettersTo(books, invoice);
  const isOfBusiness = isBusiness(books, invoice.customer);
  const begun = isOfBusiness ? invoice.dueDate : letters[0]?.madeOn;
  if (begun === undefined) return 0;
  const held = undecided(books, invoice.id);
  const isDated = books.payments.some((one) => one.isDated && one.everOn.includes(invoice.id));
  let [sum, most] = [0, 0];
  for (let day = addDays(begun, 1); day <= last; day = addDays(day, 1)) {
    const rate = baseRateOf(halfOf(day)) + (isOfBusiness ? 900 : 500);
    const owed = invoice.owed.findLast(([from]) => from <= day)?.[1] ?? 0;
    sum += Math.max(0, owed - held) * rate;
    most += invoice.total * rate;
  }
  const asked = letters
    .flatMap(({ charges }) => charges)
    .reduce((all, { kind, amount }) => all + (kind === 'interest' ? amount : 0), 0);
  const exact = Math.max(0, yearly(sum) - asked);
  if (!isDated) return exact;
  // Money that counts for other days than those on which it was told of is proved elsewhere.
  if (told < 0 || told > yearly(most)) throw new Disagreement(`${told} is not interest at all`);
  return told;
}

/** Half a unit up. */
function yearly(sum: number): number {
  const year = 365 * 100 * 100;
  return Math.floor((2 * sum + year) / (2 * year));
}

/** After each step: what is asked for of each invoice, from that day on. */
export function settleOwed(books: Books, day: string): void {
  for (const invoice of books.invoices) {
    const owed = invoice.lifecycle === 'open' ? due(invoice) : 0;
    const last = invoice.owed.at(-1);
    if (last?.[1] === owed) continue;
    if (last?.[0] === day) last[1] = owed;
    else invoice.owed.push([last ? day : invoice.issued, owed]);
  }
}

/** The part of what refunds gave back of which nobody has said that it is owed again. */
export function undecided({ refunds, invoices }: Books, invoice: string): number {
  const gave = refunds
    .filter(({ status }) => status === 'succeeded')
    .flatMap(({ documents }) => documents)
    .filter(({ id }) => id === invoice)
    .reduce((sum, { amount }) => sum + amount, 0);
  const of = invoices.find(({ id }) => id === invoice);
  return of ? Math.min(gave, due(of)) : 0;
}
