import type { Money } from '../../../kernel/money.js';

export const PAYOUT_LINE_KINDS = ['payment', 'refund', 'dispute', 'fee', 'adjustment'] as const;
export type PayoutLineKind = (typeof PAYOUT_LINE_KINDS)[number];

/** The things in payouts that we know by the provider's ids, and that may be told later. */
export const AWAITED_KINDS = ['payment', 'refund'] as const;

/** A payment or refund in a payout, by the provider's id. */
export interface NamedInPayout {
  kind: (typeof AWAITED_KINDS)[number];
  providerId: string;
}

/** One thing that a payout is made of, as the provider tells it. */
export interface StatedPayoutLine {
  kind: PayoutLineKind;
  /** Below zero: it makes the payout smaller. */
  amount: Money;
  /** The part that the provider kept; below zero: it gave some back. */
  fee: Money;
  /** The provider's id of the payment, refund or entry. */
  providerId: string | null;
}

/** The payments and refunds that lines name. */
export function namedInLines(lines: readonly StatedPayoutLine[]): NamedInPayout[] {
  return lines.flatMap(({ kind, providerId }) =>
    (kind === 'payment' || kind === 'refund') && providerId !== null ? [{ kind, providerId }] : [],
  );
}
