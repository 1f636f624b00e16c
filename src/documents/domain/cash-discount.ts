import { invalidFields } from '../../kernel/field-refusals.js';
import { addDays, type IsoDate, startOfDay } from '../../kernel/clock.js';
import { Decimal } from '../../kernel/decimal.js';
import { type FieldError } from '../../kernel/domain-error.js';
import { Money } from '../../kernel/money.js';
import { amountOwed, type DocumentSums } from './document-sums.js';
import { DocumentRefusal } from './refusals.js';

/** A reduction for those who pay early (in German: Skonto), as a request and a default say it. */
export interface CashDiscountTerm {
  /** Decimal string without trailing zeros. */
  percent: string;
  /** From the issue date on. */
  days: number;
}

/** The same on a document. */
export interface CashDiscount extends CashDiscountTerm {
  /** The first instant after its last day, in the account's time zone; null before the issue. */
  lapsesAt: Date | null;
}

/** A cash discount as everybody sees it. */
export interface CashDiscountView extends CashDiscountTerm {
  /** The last day; null before the issue. */
  until: IsoDate | null;
  /** Off the total of the document. */
  amount: Money;
  /** The total less it. */
  total: Money;
  /** The payment that settles the document with it now; null: it is late, or nothing is due. */
  amountDue: Money | null;
}

/** Of one document, or of the defaults. */
export const MOST_CASH_DISCOUNTS = 3;

export function agreedDiscounts(terms: readonly CashDiscountTerm[]): CashDiscount[] {
  return terms.map(({ percent, days }) => ({ percent, days, lapsesAt: null }));
}

/** From the day of issue on each has its end. */
export function datedDiscounts(
  agreed: readonly CashDiscount[],
  issueDate: IsoDate,
  timeZone: string,
): CashDiscount[] {
  return agreed.map((one) => ({
    ...one,
    lapsesAt: startOfDay(addDays(issueDate, one.days + 1), timeZone),
  }));
}

/** Later days take off less: otherwise nobody could tell which of two holds. */
export function orderErrors(
  terms: readonly CashDiscountTerm[],
  pointer = '/cash_discounts',
): FieldError[] {
  return terms.flatMap((term, index): FieldError[] => {
    const before = terms[index - 1];
    if (!before) return [];
    const isLess = Decimal.parse(term.percent).compare(Decimal.parse(before.percent)) < 0;
    if (term.days > before.days && isLess) return [];
    const message = 'Each cash discount has more days and a smaller percent than the one before.';
    return [DocumentRefusal.cash_discounts_out_of_order.field(`${pointer}/${index}`, message)];
  });
}

export function assertBeforeDue(
  { cashDiscounts, dueDate, issueDate, paymentTermsDays }: DiscountedTerms,
  issuedOn: IsoDate | null = issueDate,
): void {
  const errors = cashDiscounts.flatMap(({ days }, index): FieldError[] => {
    const isLate = dueDate
      ? issuedOn !== null && addDays(issuedOn, days) > dueDate
      : paymentTermsDays !== null && days > paymentTermsDays;
    if (!isLate) return [];
    const message = 'The last day of a cash discount must not be after the due date.';
    return [
      DocumentRefusal.cash_discount_after_due.field(`/cash_discounts/${index}/days`, message),
    ];
  });
  if (errors.length > 0) throw invalidFields(errors);
}

interface DiscountedTerms {
  cashDiscounts: readonly CashDiscount[];
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  paymentTermsDays: number | null;
}

/** The discounts that end before the document is due. */
export function inTime<Term extends CashDiscountTerm>(
  terms: readonly Term[],
  dueAfterDays: number,
): Term[] {
  return terms.filter(({ days }) => days <= dueAfterDays);
}

interface Discounted extends DocumentSums {
  cashDiscounts: readonly CashDiscount[];
  creditNotesTotal: Money;
}

/** The discount that holds at an instant: of the total that credit notes have left. */
function discountAt({ cashDiscounts, ...sums }: Discounted, at: Date): Money | null {
  const agreed = cashDiscounts.find(({ lapsesAt }) => lapsesAt !== null && at < lapsesAt);
  return agreed ? partOf(sums.total.minus(sums.creditNotesTotal), agreed) : null;
}

/** The discount that settles an invoice with this payment; null: it comes late, or leaves more. */
export function discountTakenBy(
  state: Readonly<Discounted>,
  payment: Money,
  paidAt: Date,
): Money | null {
  const shortfall = amountOwed(state).minus(payment);
  const discount = discountAt(state, paidAt);
  return discount && shortfall.isPositive() && shortfall.compare(discount) <= 0 ? discount : null;
}

/** @param due what is asked for */
export function cashDiscountViews(
  state: Readonly<Discounted & { issueDate: IsoDate | null }>,
  due: Money,
  now: Date,
): CashDiscountView[] {
  const left = state.total.minus(state.creditNotesTotal);
  return state.cashDiscounts.map((agreed) => {
    const amount = partOf(state.total, agreed);
    const settling = due.minus(partOf(left, agreed));
    const isInTime = agreed.lapsesAt !== null && now < agreed.lapsesAt;
    return {
      percent: agreed.percent,
      days: agreed.days,
      until: state.issueDate && agreed.lapsesAt ? addDays(state.issueDate, agreed.days) : null,
      amount,
      total: state.total.minus(amount),
      amountDue: isInTime && settling.isPositive() ? settling : null,
    };
  });
}

function partOf(total: Money, { percent }: CashDiscountTerm): Money {
  const part = Decimal.parse(percent).percent().times(Decimal.of(total.minor));
  return Money.of(part.roundHalfUp(), total.currency);
}
