import { Money } from '../../kernel/money.js';
import { type CalculationStep, ifAny, sumText, termsText } from './calculation/calculation-step.js';
import { taxesLess } from './calculation/tax-part.js';
import type { CashDiscountView } from './cash-discount.js';
import { amountOwed } from './document-sums.js';
import { type DocumentFigures, type DocumentView, dueAtIssue } from './document-view.js';
import type { LossView } from './tax-relief.js';

/** The amounts of a view beside its figures: payments, credit notes and steps change them. */
export type SettledAmount = Exclude<
  {
    [Name in keyof DocumentView]: DocumentView[Name] extends Money ? Name : never;
  }[keyof DocumentView],
  keyof DocumentFigures
>;

type Explained = Pick<CalculationStep, 'formula' | 'rule'>;

interface ShownAmount {
  /** Its name in JSON. */
  field: string;
  explained: (view: DocumentView) => Explained;
}

/**
 * Each of these amounts, and how it came to be. JSON shows the fields of this list, and the
 * calculation explains them: so none is shown that is not explained.
 */
export const SETTLED_AMOUNTS = {
  amountCredited: {
    field: 'amount_credited',
    explained: ({ amountCredited }) =>
      recorded(amountCredited, 'the amount that its credit notes took off'),
  },
  amountCreditable: { field: 'amount_creditable', explained: creditable },
  amountPaid: {
    field: 'amount_paid',
    explained: ({ amountPaid }) => recorded(amountPaid, 'the amount of its payments'),
  },
  amountPrepaid: {
    field: 'amount_prepaid',
    explained: prepaid,
  },
  amountRefunded: {
    field: 'amount_refunded',
    explained: ({ amountRefunded }) =>
      recorded(amountRefunded, 'the part of its payments that went back to the payer'),
  },
  amountUndecided: {
    field: 'amount_undecided',
    explained: ({ amountUndecided }) =>
      recorded(amountUndecided, 'the part of what is due that went back, and nobody is asked for'),
  },
  amountDisputed: {
    field: 'amount_disputed',
    explained: ({ amountDisputed }) =>
      recorded(amountDisputed, 'the part of its payments that payers dispute'),
  },
  amountProcessing: {
    field: 'amount_processing',
    explained: ({ amountProcessing }) =>
      recorded(amountProcessing, 'the amount that providers have on its way; it is not paid yet'),
  },
  amountWaived: {
    field: 'amount_waived',
    explained: ({ amountWaived }) =>
      recorded(amountWaived, 'a shortfall let pass: within the tolerance, or a cash discount'),
  },
  amountDue: {
    field: 'amount_due',
    explained: (view) =>
      owed(view, view.amountDue, {
        asked: 'total less credits and payments, plus refunds (BR-CO-16)',
        otherwise: 'nobody is asked for it now',
      }),
  },
  amountWrittenOff: {
    field: 'amount_written_off',
    explained: (view) =>
      owed(view, view.amountWrittenOff, {
        asked: 'total less credits and payments, plus refunds: given up, and still payable',
        otherwise: 'nothing is written off',
      }),
  },
  amountApplied: {
    field: 'amount_applied',
    explained: ({ amountApplied }) =>
      recorded(amountApplied, 'the amount by which this credit note lowered what was due'),
  },
  amountGivenBack: {
    field: 'amount_given_back',
    explained: ({ amountGivenBack }) =>
      recorded(amountGivenBack, 'the part of amount_applied for money that went back to the payer'),
  },
  amountToCredit: {
    field: 'amount_to_credit',
    explained: ({ total, amountApplied, amountToCredit }) =>
      amountToCredit.isZero()
        ? recorded(amountToCredit, 'nothing of it became credit of the customer')
        : {
            formula: sumText(total, [amountApplied], [], amountToCredit),
            rule: 'total less amount_applied: it became credit of the customer',
          },
  },
} as const satisfies Record<SettledAmount, ShownAmount>;

export const SETTLED_NAMES = Object.keys(SETTLED_AMOUNTS) as SettledAmount[];

/** Every amount that came after the total, in the order in which it is found. */
export function explainSettled(view: DocumentView): CalculationStep[] {
  return [
    ...SETTLED_NAMES.map((name) => {
      const { field, explained } = SETTLED_AMOUNTS[name];
      return { figure: `/${field}`, amount: view[name], ...explained(view) };
    }),
    ...(view.loss ? lossSteps(view, view.loss) : []),
    ...view.cashDiscounts.flatMap((discount, index) => discountSteps(view, discount, index)),
  ];
}

function recorded(amount: Money, rule: string): Explained {
  return { formula: amount.toDecimalString(), rule };
}

/** More than the total leaves less than nothing (BT-115), and the customer has the rest. */
function prepaid(view: DocumentView): Explained {
  const { total, amountPrepaid } = view;
  const due = dueAtIssue(view);
  if (!due.isNegative()) {
    return recorded(amountPrepaid, 'the payments that came before its issue (BT-113)');
  }
  return {
    formula: sumText(total, [], [due.negated()], amountPrepaid),
    rule: 'the payments that came before its issue (BT-113): the total, and what became credit',
  };
}

/** The total that credit notes left. */
function totalLeft({ total, creditNotes }: DocumentView): Money {
  return total.minus(creditNotes.total);
}

/** Of what takes no credit notes, nothing is creditable, and no false sum says so. */
function creditable(view: DocumentView): Explained {
  const { total, amountCreditable, creditNotes } = view;
  return amountCreditable.compare(totalLeft(view)) === 0
    ? {
        formula: sumText(total, [creditNotes.total], [], amountCreditable),
        rule: 'total less all credit notes, also those that became customer credit',
      }
    : recorded(amountCreditable, 'it takes no credit notes');
}

/** Of what is not asked for, such as a credit note or a quote, nothing is due. */
function owed(
  view: DocumentView,
  shown: Money,
  { asked, otherwise }: { asked: string; otherwise: string },
): Explained {
  const { total, amountCredited, amountPaid, amountWaived, amountRefunded } = view;
  if (amountOwed(view).compare(shown) !== 0) return recorded(shown, otherwise);
  const less = [amountCredited, amountPaid, ...ifAny(amountWaived)];
  return { formula: sumText(total, less, ifAny(amountRefunded), shown), rule: asked };
}

/** By the same running total as `taxParts`. */
function lossSteps(view: DocumentView, loss: LossView): CalculationStep[] {
  const { amount, taxes, untaxed, taxRelief } = loss;
  const whole = totalLeft(view);
  const lost = amount.min(whole);
  const claim = taxRelief ? 'it is claimed back' : 'it is not claimed back';
  const partText = (of: Money) =>
    `${of.toDecimalString()} × ${lost.toDecimalString()} / ${whole.toDecimalString()}`;
  let gross = Money.zero(amount.currency);
  let before = gross;
  const steps = taxesLess(view.taxGroups, view.creditNotes.taxes).flatMap((left, index) => {
    const { base, tax } = taxes[index] ?? { base: before, tax: before };
    gross = gross.plus(left.base).plus(left.tax);
    const less = termsText([...ifAny(before), tax].map((part) => part.negated()));
    before = before.plus(base).plus(tax);
    const isPart = !whole.isZero();
    return [
      {
        figure: `/loss/taxes/${index}/tax_amount`,
        amount: tax,
        formula: `${isPart ? `${partText(left.tax)} = ` : ''}${tax.toDecimalString()}`,
        rule: `the lost part of the tax that credit notes left, rounded half up; ${claim}`,
      },
      {
        figure: `/loss/taxes/${index}/taxable_amount`,
        amount: base,
        formula: `${isPart ? `${partText(gross)}${less} = ` : ''}${base.toDecimalString()}`,
        rule: 'the lost part of the gross down to here, rounded half up, less the taxes before and this tax',
      },
    ];
  });
  const { amountWrittenOff, amountWaived } = view;
  const parts = taxes.flatMap(({ base, tax }) => [base, tax]);
  return [
    {
      figure: '/loss/amount',
      amount,
      formula: sumText(amountWrittenOff, [], [amountWaived], amount),
      rule: 'the amounts that were written off and let pass',
    },
    ...steps,
    {
      figure: '/loss/untaxed_amount',
      amount: untaxed,
      formula: sumText(amount, parts, [], untaxed),
      rule: 'the loss less its taxes and their bases',
    },
  ];
}

function discountSteps(
  view: DocumentView,
  { percent, amount, total, amountDue, until }: CashDiscountView,
  index: number,
): CalculationStep[] {
  const at = `/cash_discounts/${index}`;
  const left = totalLeft(view).toDecimalString();
  return [
    {
      figure: `${at}/amount`,
      amount,
      formula: `${view.total.toDecimalString()} × ${percent} % = ${amount.toDecimalString()}`,
      rule: 'percent of the total, halves are rounded away from zero',
    },
    {
      figure: `${at}/total`,
      amount: total,
      formula: sumText(view.total, [amount], [], total),
      rule: 'total less the cash discount',
    },
    ...(amountDue
      ? [
          {
            figure: `${at}/amount_due`,
            amount: amountDue,
            formula: `${view.amountDue.toDecimalString()} − ${left} × ${percent} % = ${amountDue.toDecimalString()}`,
            rule: `what is due less the percent of the total that credit notes left, until ${until}`,
          },
        ]
      : []),
  ];
}
