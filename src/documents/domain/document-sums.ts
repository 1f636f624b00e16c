import { assert } from '../../kernel/assert.js';
import type { Currency } from '../../kernel/currency.js';
import { Money } from '../../kernel/money.js';
import type { TaxShare } from './calculation/tax-part.js';

/** The amounts that changed an invoice's total. */
export interface DocumentSums {
  total: Money;
  amountPaid: Money;
  amountRefunded: Money;
  amountCredited: Money;
  amountWaived: Money;
}

/** The effect of one payment on a document. */
export interface PaymentApplied {
  applied: Money;
  /** The part above what was due; it becomes the customer's credit. */
  excess: Money;
  /** The shortfall that is let pass. */
  waived: Money;
}

/** The shortfall that may be let pass with a payment. */
export interface ShortfallAllowance {
  most: Money;
  /** Of a cash discount: the taxes that are left, as its part of them is claimed back. */
  taxes: readonly TaxShare[] | null;
}

/** The amount paid and not given back. */
export function amountKept(sums: Pick<DocumentSums, 'amountPaid' | 'amountRefunded'>): Money {
  return sums.amountPaid.minus(sums.amountRefunded);
}

/** The part of an invoice's total that is still owed. Never below zero. */
export function amountOwed(sums: DocumentSums): Money {
  return sums.total.minus(amountKept(sums)).minus(sums.amountCredited).minus(sums.amountWaived);
}

/** The amount that credit notes may still take. */
export function amountCreditable(sums: CreditedSums, isPayable: boolean): Money {
  const { total, creditNotesTotal } = sums;
  return isPayable ? total.minus(creditNotesTotal) : Money.zero(total.currency);
}

/** A tenth of the total is no small difference, whatever the tolerance is (decision 24). */
export function canBeWaived(shortfall: Money, { total }: Pick<DocumentSums, 'total'>): boolean {
  return shortfall.isPositive() && shortfall.minor * 10n <= total.minor;
}

/** The shortfall that is let pass: all that is left, or nothing. */
export function waivable(sums: DocumentSums, allowance: ShortfallAllowance | null): Money {
  const shortfall = amountOwed(sums);
  const isLetPass =
    allowance !== null &&
    shortfall.compare(allowance.most) <= 0 &&
    (allowance.taxes !== null || canBeWaived(shortfall, sums));
  return isLetPass ? shortfall : Money.zero(shortfall.currency);
}

/** An agreed reduction lowers what is taxed, so nobody has to decide to claim its tax back. */
export function waivedWith(
  { amountWaived, taxRelief }: { amountWaived: Money; taxRelief: readonly TaxShare[] | null },
  waived: Money,
  allowance: ShortfallAllowance | null,
) {
  const taxes = waived.isPositive() ? (allowance?.taxes ?? null) : null;
  return { amountWaived: amountWaived.plus(waived), taxRelief: taxRelief ?? taxes };
}

/** The part of money that came back which a document did not need, and what is let pass again. */
export interface TakenBack {
  excess: Money;
  waived: Money;
}

/** Money that went back and is here again. */
export interface GivenAgain {
  amount: Money;
  /** The shortfall that was due again with it: let pass again, if nothing else is due. */
  waived: Money;
  /** It had gone by a reversal, and not by a refund. */
  wasUnpaid: boolean;
  /** It makes room for a refund, which takes it at once: nobody is told that it is paid. */
  isForRefund?: boolean;
}

/**
 * The sums when money that went back is here again. It pays what is due, and no more of it is kept.
 */
export function takenBack(
  sums: DocumentSums,
  back: GivenAgain,
  isPayable: boolean,
): TakenBack & { sums: Partial<DocumentSums>; taken: Money } {
  const { amount } = back;
  const zero = Money.zero(amount.currency);
  const due = isPayable ? amountOwed(sums) : zero;
  const taken = amount.min(due);
  const excess = amount.minus(taken);
  const was = back.wasUnpaid ? amount : zero;
  const amountRefunded = sums.amountRefunded.plus(was).minus(amount);
  assert(!amountRefunded.isNegative(), 'no more comes back than went');
  const isLetPass = back.waived.isPositive() && due.minus(taken).compare(back.waived) === 0;
  const waived = isLetPass ? back.waived : zero;
  const amountPaid = sums.amountPaid.plus(was).minus(excess);
  const amountWaived = sums.amountWaived.plus(waived);
  return { sums: { amountPaid, amountRefunded, amountWaived }, taken, excess, waived };
}

type CreditedSums = DocumentSums & { creditNotesTotal: Money };

/** A credit note takes off what was waived first, and then what is owed. */
export function creditedBy(sums: CreditedSums, total: Money) {
  const waived = total.min(sums.amountWaived);
  const amountWaived = sums.amountWaived.minus(waived);
  const applied = total.min(amountOwed({ ...sums, amountWaived }));
  return {
    waived,
    applied,
    amountWaived,
    amountCredited: sums.amountCredited.plus(applied),
    creditNotesTotal: sums.creditNotesTotal.plus(total),
  };
}

/** The same taken back. */
export function uncreditedBy(sums: CreditedSums, total: Money, applied: Money) {
  const amountCredited = sums.amountCredited.minus(applied);
  const creditNotesTotal = sums.creditNotesTotal.minus(total);
  assert(!amountCredited.isNegative(), 'no more is taken back than was credited');
  assert(creditNotesTotal.compare(amountCredited) >= 0, 'no more is taken back than there was');
  return { amountCredited, creditNotesTotal };
}

/**
 * Of what a credit note took off its invoice, the part for money that had gone back to the payer. It
 * follows from the sums alone, so that the order of both makes no difference.
 * @param before the amount that older notes took off
 */
export function givenBackPart(
  { total, amountPaid, amountRefunded }: DocumentSums,
  before: Money,
  applied: Money,
): Money {
  const zero = Money.zero(total.currency);
  if (amountRefunded.isZero()) return zero;
  const unpaid = total.minus(amountPaid).minus(before);
  return applied.minus(unpaid.isNegative() ? zero : unpaid.min(applied));
}

/** The sums of a draft: money has a currency even where there is none. */
export function noMoney(currency: Currency) {
  const zero = Money.zero(currency);
  return {
    amountPaid: zero,
    amountPrepaid: zero,
    amountRefunded: zero,
    amountUndecided: zero,
    amountWaived: zero,
    amountDisputed: zero,
    amountProcessing: zero,
    amountCredited: zero,
    creditNotesTotal: zero,
    amountApplied: zero,
    amountMoved: zero,
  };
}
