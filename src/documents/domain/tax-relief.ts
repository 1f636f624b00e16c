import { Money } from '../../kernel/money.js';
import { negatedTaxes, taxesLess, taxParts, type TaxShare } from './calculation/tax-part.js';
import type { DocumentState } from './document-state.js';
import { amountOwed } from './document-sums.js';

/** How the claim on a client was let go. */
type LossKind = 'write_off' | 'waiver';

/** A tax that is claimed back of a loss; below zero it is owed again. */
export interface ReliefChange extends TaxShare {
  of: LossKind;
}

/** The part of an invoice that was let go, and may still be paid. */
export function amountLost(state: Readonly<DocumentState>): Money {
  return state.lifecycle === 'uncollectible'
    ? amountOwed(state).plus(state.amountWaived)
    : state.amountWaived;
}

/** The total that is left of an invoice after its credit notes. */
function totalLeft({ total, creditNotesTotal }: Readonly<DocumentState>): Money {
  return total.minus(creditNotesTotal);
}

/** How what is due is given up. */
export interface WriteOffTerms {
  /** Left to claim; null: not now. */
  taxes?: readonly TaxShare[] | null;
  /** Also where a provider has money on its way. */
  despiteProcessing?: boolean;
}

const NOTHING: readonly ReliefChange[] = [];

/**
 * The taxes that are claimed back now; nothing of a document whose relief nobody claims (decision
 * 97).
 */
function reliefOf(state: Readonly<DocumentState>): readonly ReliefChange[] {
  const { taxRelief } = state;
  if (!taxRelief) return NOTHING;
  const parts = (of: LossKind, lost: Money) =>
    taxParts(taxRelief, lost, totalLeft(state)).map((share) => ({ of, ...share }));
  const { amountWaived } = state;
  return [
    ...parts('write_off', amountLost(state).minus(amountWaived)),
    ...parts('waiver', amountWaived),
  ];
}

/** Each tax that is claimed back now and was not before, or the other way round. */
function reliefChanges(
  before: readonly ReliefChange[],
  now: readonly ReliefChange[],
): ReliefChange[] {
  const kinds = [...new Set([...before, ...now].map(({ of }) => of))];
  return kinds
    .flatMap((of) => {
      const ofKind = (all: readonly ReliefChange[]) => all.filter((one) => one.of === of);
      const after = ofKind(now);
      const taxes =
        after.length > 0 ? taxesLess(after, ofKind(before)) : negatedTaxes(ofKind(before));
      return taxes.map((tax) => ({ of, ...tax }));
    })
    .filter(({ base, tax }) => !base.isZero() || !tax.isZero());
}

/** The tax that is claimed back of a document's losses: it follows the document's sums. */
export class TaxRelief {
  private told: readonly ReliefChange[];

  constructor(private readonly state: DocumentState) {
    this.told = reliefOf(state);
  }

  /** The taxes that are claimed back, or owed again, since the last call. */
  takeChanges(): ReliefChange[] {
    const before = this.told;
    this.told = reliefOf(this.state);
    return reliefChanges(before, this.told);
  }

  /** A credit note takes these taxes back; below zero it gives them. */
  credit(taxes: readonly TaxShare[]): void {
    const { taxRelief } = this.state;
    if (taxRelief) this.state.taxRelief = taxesLess(taxRelief, taxes);
  }
}

/** The amount that was let go of an invoice, with the taxes in it. */
export interface LossView {
  amount: Money;
  /** Whether its tax is claimed back. */
  taxRelief: boolean;
  taxes: TaxShare[];
  /** The rest: its part of the cash rounding, and what credit notes made credit of. */
  untaxed: Money;
}

/** @param credited the taxes that credit notes took back */
export function lossView(
  state: Readonly<DocumentState>,
  taxes: readonly TaxShare[],
  credited: readonly TaxShare[],
): LossView | null {
  const amount = amountLost(state);
  if (amount.isZero()) return null;
  const parts = taxParts(taxesLess(taxes, credited), amount, totalLeft(state));
  const shares = parts.flatMap(({ base, tax }) => [base, tax]);
  return {
    amount,
    taxRelief: state.taxRelief !== null,
    taxes: parts,
    untaxed: amount.minus(Money.sum(shares, amount.currency)),
  };
}
