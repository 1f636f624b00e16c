import type { CustomerKind } from '../../documents/index.js';
import { addDays, type IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { DunningStep, DunningTerms } from './dunning-plan.js';
import { lateInterest, type OwedFrom } from './late-interest.js';
import { LUMP_SUM, statutoryRates } from './late-payment-law.js';
import type { Charge } from './reminder.js';

type NewCharge = Pick<Charge, 'kind' | 'documentId' | 'amount' | 'parts'>;

/** A document that is paid late, and what was asked for beside it before. */
export interface ChargedDocument {
  documentId: Charge['documentId'];
  dueDate: IsoDate;
  step: DunningStep;
  owed: readonly OwedFrom[];
  /** The day of the first reminder that it had after its due date. */
  remindedOn: IsoDate | null;
  interestAsked: bigint;
  hasLumpSum: boolean;
  /** It bills charges itself: nobody owes interest on interest. */
  isOfCharges: boolean;
}

interface LetterCharges {
  terms: Pick<DunningTerms, 'base_rates'>;
  country: string | null;
  kind: CustomerKind;
  currency: Currency;
  today: IsoDate;
  /** Of the letter: that of the furthest document. */
  step: DunningStep;
}

/** Fee, interest and lump sums of a letter, the oldest document first. */
export function chargesOf(
  documents: readonly ChargedDocument[],
  letter: LetterCharges,
): NewCharge[] {
  const late = documents.filter(({ isOfCharges }) => !isOfCharges);
  const [oldest] = late;
  if (!oldest) return [];
  const fee = letter.step.fees.find(({ currency }) => currency === letter.currency);
  const isRich = ({ amount }: NewCharge) => amount > 0n;
  return [
    ...(fee ? [newCharge('fee', oldest.documentId, BigInt(fee.amount))] : []),
    ...late.map((one) => interestOn(one, letter)),
    ...late.flatMap(({ step, hasLumpSum, documentId }) =>
      step.lump_sum && !hasLumpSum && letter.currency === LUMP_SUM.currency
        ? [newCharge('lump_sum', documentId, LUMP_SUM.amount)]
        : [],
    ),
  ].filter(isRich);
}

/** Of all days until now, less what was asked for before: a payment that was told late is made up for. */
function interestOn(
  { step, documentId, owed, dueDate, remindedOn, interestAsked }: ChargedDocument,
  { terms, country, kind, today }: LetterCharges,
): NewCharge {
  const begun = kind === 'business' ? dueDate : remindedOn;
  if (!step.interest || country === null || begun === null) {
    return newCharge('interest', documentId, 0n);
  }
  const rates = statutoryRates(country, kind, terms.base_rates);
  const { amount, parts } = lateInterest(owed, rates, addDays(begun, 1), today);
  return { ...newCharge('interest', documentId, amount - interestAsked), parts };
}

const newCharge = (
  kind: Charge['kind'],
  documentId: Charge['documentId'],
  amount: bigint,
): NewCharge => ({ kind, documentId, amount, parts: [] });
