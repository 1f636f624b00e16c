import type { ToldDispute, DisputeStatus } from '../../port/domain/told-dispute.js';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';

/** The disputed money: a payment, or a receipt that found no document. */
export type DisputedMoney = { paymentId: Uuid } | { receiptId: Uuid };

/** A dispute as all its steps together tell it. */
export interface Dispute {
  id: Uuid;
  accountId: Uuid;
  gateway: string;
  providerDisputeId: string;
  providerPaymentId: string;
  of: DisputedMoney;
  steps: number;
  status: DisputeStatus;
  amount: Money;
  reason: string;
  evidenceDueBy: Date | null;
  saidAt: Date;
  /** The part of the payment that may not be refunded or moved. */
  disputed: Money;
  /** The amount that the provider has taken out of its balance. */
  withdrawn: Money;
  /** The part of that which was taken off documents, credit or a receipt: it is lost. */
  taken: Money;
  /** The part of that which a reversal had taken before the dispute was told of. */
  adopted: Money;
  /** The part of that whose reversal has no name. */
  adoptedUnnamed: Money;
  /** The part of it that nobody can be asked for. */
  lost: Money;
  fee: Money;
  /** The provider's ids of reversals that are this dispute's money. */
  references: string[];
  /** The first open day for the newest step that came too late for its month; else null. */
  bookedOn: IsoDate | null;
  openedAt: Date;
  recordedAt: Date;
}

/** The dispute itself, beside what its steps tell. */
export type NamedDispute = Pick<
  Dispute,
  'id' | 'accountId' | 'gateway' | 'providerDisputeId' | 'providerPaymentId' | 'of'
>;

/** A change of a dispute. Amounts are changes, and below zero where something is given back. */
export interface DisputeStep {
  status: DisputeStatus;
  amount: Money;
  reason: string;
  evidenceDueBy: Date | null;
  at: Date;
  disputed: Money;
  withdrawn: Money;
  /** The part that a reversal had taken before the dispute was told of. */
  adopted: Money;
  /** The part of that which nobody can be asked for. */
  adoptedLost: Money;
  /** The part that goes off documents, credit or a receipt, or comes back to them. */
  taken: Money;
  fee: Money;
  reference: string | null;
}

/**
 * The next step of a dispute, by the provider's last word; null where that changes nothing. Words
 * come late, twice and in any order, so each tells the state, and an older one is of no account. All that
 * the provider took is booked, also where it is more than came.
 * @param reversed the part that a reversal took which no dispute is known for
 * @param lost the part of that which nobody can be asked for
 */
export function nextStep(
  before: Dispute | null,
  told: ToldDispute,
  { reversed, lost }: { reversed: Money; lost: Money },
): DisputeStep | null {
  if (before && told.at < before.saidAt) return null;
  const zero = Money.zero(told.amount.currency);
  const was = before ?? { disputed: zero, withdrawn: zero, taken: zero, adopted: zero, fee: zero };
  const status = statusAfter(before, told);
  // Of two words of one instant, the one that is passed over says nothing of the money either.
  const said = status === told.status ? told.withdrawn : null;
  const withdrawn = said ?? expected(before, status, told.amount);
  const adopted = reversed.min(withdrawn.minus(was.withdrawn)).atLeastZero();
  // A reversal's part is decided; all else is only held until the dispute is.
  const decided = status === 'lost' ? withdrawn : withdrawn.min(was.adopted.plus(adopted));
  const taken = decided.minus(was.taken).minus(adopted);
  const holds = withdrawn.minus(decided);
  const open = told.amount.minus(decided).atLeastZero();
  const disputed = status === 'open' && holds.compare(open) < 0 ? open : holds;
  const step: DisputeStep = {
    status,
    amount: told.amount,
    reason: told.reason,
    evidenceDueBy: told.evidenceDueBy,
    at: told.at,
    disputed: disputed.minus(was.disputed),
    withdrawn: withdrawn.minus(was.withdrawn).minus(adopted),
    adopted,
    adoptedLost: lost.min(adopted),
    taken,
    fee: (told.fee ?? was.fee).minus(was.fee),
    reference: null,
  };
  // A later word that says the same is kept: no word from before it counts any more.
  const isKnown = before && isNothingNew(before, step) && told.at <= before.saidAt;
  return isKnown ? null : step;
}

/** In one second several events are said, and the one that decides is the last. */
function statusAfter(before: Dispute | null, { status, at }: ToldDispute): DisputeStatus {
  const isDecided = before !== null && !['inquiry', 'open'].includes(before.status);
  const isUndecided = status === 'inquiry' || status === 'open';
  return isDecided && isUndecided && at.getTime() === before.saidAt.getTime()
    ? before.status
    : status;
}

function expected(before: Dispute | null, status: DisputeStatus, amount: Money): Money {
  const isStill = before?.status === status && before.amount.compare(amount) === 0;
  if (isStill) return before.withdrawn;
  return status === 'open' || status === 'lost' ? amount : Money.zero(amount.currency);
}

/** Whether a step only says once more what is known. */
export function isNothingNew(before: Dispute, step: DisputeStep): boolean {
  return (
    before.status === step.status &&
    before.amount.compare(step.amount) === 0 &&
    before.reason === step.reason &&
    before.evidenceDueBy?.getTime() === step.evidenceDueBy?.getTime() &&
    [step.disputed, step.withdrawn, step.adopted, step.taken, step.fee].every((one) => one.isZero())
  );
}

/**
 * A reversal that the provider reports for itself while it decides a dispute, or after it: it is the
 * dispute's money, and taken once. Null where it is not this dispute's, as one over more than was lost.
 */
export function stepByReversal(
  before: Dispute,
  reversal: { amount: Money; reference: string | null; at: Date },
): DisputeStep | null {
  if (before.references.length > 0 || ['won', 'closed'].includes(before.status)) return null;
  if (before.status === 'lost' && reversal.amount.compare(before.withdrawn) > 0) return null;
  const { amount, reason, evidenceDueBy } = before;
  const zero = Money.zero(amount.currency);
  const at = reversal.at > before.saidAt ? reversal.at : before.saidAt;
  const withdrawn = before.status === 'lost' ? before.withdrawn : reversal.amount;
  const next = nextStep(
    before,
    {
      disputeId: before.providerDisputeId,
      providerPaymentId: before.providerPaymentId,
      status: 'lost',
      amount,
      withdrawn,
      fee: null,
      reason,
      evidenceDueBy,
      at,
    },
    { reversed: zero, lost: zero },
  ) ?? {
    status: before.status,
    amount,
    reason,
    evidenceDueBy,
    at,
    disputed: zero,
    withdrawn: zero,
    adopted: zero,
    adoptedLost: zero,
    taken: zero,
    fee: zero,
  };
  return { ...next, reference: reversal.reference };
}

export type DisputeEvent = `dispute.${'opened' | 'updated' | 'won' | 'lost'}`;

export function eventOf(before: Dispute | null, { status }: DisputeStep): DisputeEvent {
  const isNew = before?.status !== status;
  if (isNew && (status === 'won' || status === 'lost')) return `dispute.${status}`;
  const isOpened = before === null || (status === 'open' && isNew);
  return isOpened ? 'dispute.opened' : 'dispute.updated';
}

/** The dispute with the step. @param lost the part of what was taken that nobody owes */
export function afterStep(
  dispute: NamedDispute & Pick<Dispute, 'openedAt' | 'recordedAt' | 'bookedOn'>,
  before: Dispute | null,
  step: DisputeStep,
  lost: Money,
): Dispute {
  const zero = Money.zero(step.amount.currency);
  const none = {
    disputed: zero,
    withdrawn: zero,
    taken: zero,
    adopted: zero,
    adoptedUnnamed: zero,
    lost: zero,
    fee: zero,
  };
  const was = before ?? none;
  const { status, amount, reason, evidenceDueBy, reference } = step;
  return {
    ...dispute,
    status,
    amount,
    reason,
    evidenceDueBy,
    saidAt: step.at,
    steps: (before?.steps ?? 0) + 1,
    disputed: was.disputed.plus(step.disputed),
    withdrawn: was.withdrawn.plus(step.withdrawn).plus(step.adopted),
    taken: was.taken.plus(step.taken).plus(step.adopted),
    adopted: was.adopted.plus(step.adopted),
    adoptedUnnamed: reference === null ? was.adoptedUnnamed.plus(step.adopted) : was.adoptedUnnamed,
    lost: was.lost.plus(step.adoptedLost).plus(lost),
    fee: was.fee.plus(step.fee),
    references: [...(before?.references ?? []), ...(reference === null ? [] : [reference])],
  };
}
