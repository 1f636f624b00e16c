import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
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
  /** Why it failed; else the outcome again. */
  reason: string;
  /** When, at the word of the provider. */
  at: Date;
}

/** A refund of a provider's payment that the books have. */
export interface KnownRefund {
  id: Uuid;
  amount: Money;
  /** The part of which the provider's ids are known. */
  named: Money;
  madeBy: 'client' | 'gateway' | 'hand';
  /** When it went back; null while it is on its way. */
  at: Date | null;
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
 * The refund in the books that a told one is, although nobody knew its id. Either it was booked by
 * the sum of its payment, or somebody recorded it by hand, with the same amount and days near.
 */
export function recordedAs(told: ToldRefund, known: readonly KnownRefund[]): Uuid | undefined {
  const unnamed = known.filter(
    ({ madeBy, amount, named }) =>
      madeBy === 'gateway' && amount.minus(named).compare(told.amount) >= 0,
  );
  const exact = unnamed.find(({ amount, named }) => amount.minus(named).compare(told.amount) === 0);
  const byHand = byHandNear(told, known).filter(({ amount }) => amount.compare(told.amount) === 0);
  const nearest = byHand.toSorted((a, b) => distance(told, a) - distance(told, b));
  return (exact ?? unnamed[0] ?? nearest[0])?.id;
}

/** The part of what went back of a payment in all that is not in the books. */
export function missingOf(told: ToldRefund, known: readonly KnownRefund[]): Money {
  const { currency } = told.amount;
  const sum = (refunds: readonly KnownRefund[]) =>
    Money.sum(
      refunds.map(({ amount }) => amount),
      currency,
    );
  const certain = known.filter(({ madeBy, named }) => madeBy !== 'hand' || named.isPositive());
  const missing = told.amount.minus(sum(certain));
  const byHand = byHandNear(told, known);
  const isByHand = [sum(byHand), ...byHand.map(({ amount }) => amount)].some(
    (amount) => amount.compare(missing) === 0,
  );
  return missing.isPositive() && !isByHand ? missing : Money.zero(currency);
}

function byHandNear(told: ToldRefund, known: readonly KnownRefund[]): KnownRefund[] {
  return known.filter(
    (one) =>
      one.madeBy === 'hand' && one.named.isZero() && distance(told, one) <= DAYS_NEAR * DAY_MS,
  );
}

function distance({ at }: ToldRefund, known: KnownRefund): number {
  return Math.abs((known.at ?? at).getTime() - at.getTime());
}

/** The amount that is known to have gone back of a payment, by all that was told of it. */
export function goneInAll(told: readonly ToldRefund[], currency: string): Money {
  const same = told.filter(({ amount }) => amount.currency === currency);
  const failed = new Set(
    same.flatMap(({ outcome, providerRefundId }) =>
      outcome === 'failed' ? [providerRefundId] : [],
    ),
  );
  const each = new Map(
    same
      .filter(({ providerRefundId: name }) => name !== null && !failed.has(name))
      .map(({ providerRefundId, amount }) => [providerRefundId, amount]),
  );
  const sums = same.filter(({ providerRefundId }) => providerRefundId === null);
  return [Money.sum([...each.values()], currency), ...sums.map(({ amount }) => amount)].reduce(
    (most, one) => (one.compare(most) > 0 ? one : most),
  );
}
