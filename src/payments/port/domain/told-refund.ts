import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { RefundOutcome } from './refund-request.js';
import type { ProviderReport } from './provider-report.js';

export type ReturnedReport = Extract<ProviderReport, { kind: 'refund' | 'refunded_in_all' }>;

/** A provider's word on a refund that was not asked for here, as far as it says. */
export interface ToldRefund {
  providerPaymentId: string;
  /** Null: the amount is what went back of the payment in all. */
  providerRefundId: string | null;
  amount: Money;
  outcome: RefundOutcome['status'];
  /** The reason of a failure; else the outcome once more. */
  reason: string;
  /** When, at the word of the provider. */
  at: Date;
}

/** One that has a name: an event of its own tells of it. */
export type NamedRefund = ToldRefund & { providerRefundId: string };

/** A refund of a provider's payment that the books have, in whatever state. */
export interface KnownRefund {
  id: Uuid;
  amount: Money;
  /** The provider's ids of it, as far as they are known. */
  names: readonly string[];
  madeBy: 'client' | 'gateway' | 'hand';
  /** When it went back; null while it is on its way. */
  at: Date | null;
  /** Whether its money went, or is on its way, and did not come back. */
  stands: boolean;
}

/** A person records a dashboard's refund within days of it. */
const DAYS_NEAR = 7;
const DAY_MS = 86_400_000;

export function toldRefundOf(report: ReturnedReport): ToldRefund {
  const { providerPaymentId, amount, at } = report;
  const told = { providerPaymentId, amount, at };
  if (report.kind === 'refunded_in_all') {
    return { ...told, providerRefundId: null, outcome: 'succeeded', reason: 'succeeded' };
  }
  const { providerRefundId, outcome } = report;
  const reason = outcome.status === 'failed' ? outcome.reason : outcome.status;
  return { ...told, providerRefundId, outcome: outcome.status, reason };
}

/**
 * The refund in the books that a told one is, although nobody knew its id: somebody recorded it by
 * hand, with the same amount and days near.
 */
export function recordedAs(told: ToldRefund, known: readonly KnownRefund[]): Uuid | undefined {
  const same = byHandNear(told, known).filter(({ amount }) => amount.compare(told.amount) === 0);
  return same.toSorted((a, b) => distance(told, a) - distance(told, b))[0]?.id;
}

/** Whether more would have gone back than came: some refund of before failed, which is told later. */
export function isMoreThanCame(
  { amount }: ToldRefund,
  known: readonly KnownRefund[],
  came: Money,
): boolean {
  const standing = known.filter(({ stands }) => stands).map((one) => one.amount);
  return Money.sum([amount, ...standing], came.currency).compare(came) > 0;
}

/** The refunds that were told, by the provider's names, and are in no books: the last word of each. */
export function unbooked(
  told: readonly ToldRefund[],
  known: readonly KnownRefund[],
): readonly NamedRefund[] {
  const named = new Set(known.flatMap(({ names }) => names));
  const last = new Map<string, NamedRefund>();
  for (const one of told) {
    const { providerRefundId: name } = one;
    if (name === null || named.has(name)) continue;
    const before = last.get(name);
    if (!before || before.at <= one.at) last.set(name, { ...one, providerRefundId: name });
  }
  return [...last.values()];
}

/**
 * Money that went back and is in no books: refunds that wait, and the part of a sum that no name explains.
 * A sum only confirms. It is of its moment: what failed before it is not in it, what failed later is.
 */
export function waitingOf(
  told: readonly ToldRefund[],
  known: readonly KnownRefund[],
  currency: string,
): Money {
  const same = told.filter(({ amount }) => amount.currency === currency);
  const waiting = unbooked(same, known);
  const standing = waiting.filter(({ outcome }) => outcome !== 'failed');
  const missing = same
    .filter(({ providerRefundId }) => providerRefundId === null)
    .map((sum) => sum.amount.minus(explained(sum, same, known, waiting)));
  const most = missing.reduce((a, b) => (a.compare(b) >= 0 ? a : b), Money.zero(currency));
  return Money.sum([most, ...standing.map(({ amount }) => amount)], currency);
}

function explained(
  sum: ToldRefund,
  told: readonly ToldRefund[],
  known: readonly KnownRefund[],
  waiting: readonly ToldRefund[],
): Money {
  const failedBefore = new Set(
    told
      .filter(({ outcome, at }) => outcome === 'failed' && at < sum.at)
      .map(({ providerRefundId }) => providerRefundId),
  );
  const isIn = (names: readonly (string | null)[]) => !names.some((name) => failedBefore.has(name));
  const near = new Set(byHandNear(sum, known));
  const booked = known.filter(
    (one) => isIn(one.names) && (one.madeBy !== 'hand' || one.names.length > 0 || near.has(one)),
  );
  const named = waiting.filter(({ providerRefundId }) => isIn([providerRefundId]));
  return Money.sum(
    [...booked, ...named].map(({ amount }) => amount),
    sum.amount.currency,
  );
}

function byHandNear(told: ToldRefund, known: readonly KnownRefund[]): KnownRefund[] {
  return known.filter(
    (one) =>
      one.madeBy === 'hand' &&
      one.stands &&
      one.names.length === 0 &&
      distance(told, one) <= DAYS_NEAR * DAY_MS,
  );
}

function distance({ at }: ToldRefund, known: KnownRefund): number {
  return Math.abs((known.at ?? at).getTime() - at.getTime());
}

/** Whether it is known already that the provider gave it up. */
export function hasFailed(told: ToldRefund, early: readonly ToldRefund[]): boolean {
  return early.some(
    ({ providerRefundId, outcome, at }) =>
      outcome === 'failed' && providerRefundId === told.providerRefundId && at >= told.at,
  );
}
