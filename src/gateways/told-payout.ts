import { z } from 'zod';
import { isCurrency, minorDigits } from '../kernel/currency.js';
import type { Money } from '../kernel/money.js';
import {
  PAYOUT_LINE_KINDS,
  type ProviderPayout,
  type ProviderReport,
  type StatedPayoutLine,
} from '../payments/index.js';
import { moneyMoved } from './provider-amount.js';
import { Ascii } from './signed-body.js';

const Minor = z.int();
/** A text that may stand on a bank statement. */
export const Descriptor = z.string().regex(/^[^\p{C}]{1,140}$/u);

/** A payout with its lines in the shape of ours, as the sandbox and Standard Webhooks tell it. */
export const TOLD_PAYOUT = {
  payout_id: Ascii,
  amount: Minor,
  currency: z.string().regex(/^[A-Z]{3}$/),
  fee: z.int().min(0).default(0),
  sent_on: z.iso.date(),
  arrives_on: z.iso.date().nullish(),
  descriptor: Descriptor.nullish(),
  reason: Ascii.nullish(),
  lines: z
    .array(
      z.strictObject({
        kind: z.enum(PAYOUT_LINE_KINDS),
        amount: Minor,
        fee: Minor.default(0),
        provider_id: Ascii.nullish(),
      }),
    )
    .nullish(),
};
const Told = z.object(TOLD_PAYOUT);

/** A report of its kind, or one for a person. Without `lines`, nobody says which these are. */
export function payoutTold(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  { status, at }: Pick<ProviderPayout, 'status' | 'at'>,
  told: z.infer<typeof Told>,
): ProviderReport {
  const { currency, lines, payout_id: payoutId } = told;
  if (told.amount === 0) return { ...reported, kind: 'irrelevant' };
  const digits = isCurrency(currency) ? minorDigits(currency) : 0;
  const money = (minor: number) => moneyMoved({ units: BigInt(minor), digits }, currency);
  const amounts = { amount: money(told.amount), fee: money(told.fee) };
  const stated = lines?.map(({ kind, amount, fee, provider_id: providerId = null }) => ({
    kind,
    providerId,
    amount: money(amount),
    fee: money(fee),
  }));
  return payoutReport(
    reported,
    {
      payoutId,
      status,
      at,
      sentOn: told.sent_on,
      arrivesOn: told.arrives_on ?? null,
      descriptor: told.descriptor ?? null,
      reason: status === 'failed' ? (told.reason ?? 'failed') : null,
    },
    { ...amounts, lines: stated ?? null },
  );
}

/** A line before it is known whether its amounts can be said exactly. */
export type ReadPayoutLine = Omit<StatedPayoutLine, 'amount' | 'fee'> & {
  amount: Money | undefined;
  fee: Money | undefined;
};

/**
 * A payout whose amounts can all be said exactly, or an item for a person with what can be said. One
 * over nothing moves no money.
 */
export function payoutReport(
  reported: Pick<ProviderReport, 'eventId' | 'eventType' | 'fingerprint'>,
  of: Omit<ProviderPayout, keyof typeof reported | 'kind' | 'amount' | 'fee' | 'lines' | 'review'>,
  read: {
    amount: Money | undefined;
    fee: Money | undefined;
    lines: readonly ReadPayoutLine[] | null;
  },
): ProviderReport {
  const { amount, fee } = read;
  const lines = read.lines?.map(exactly) ?? null;
  const exact = lines?.flatMap((line) => line ?? []) ?? null;
  if (amount && fee && exact?.length === lines?.length) {
    if (amount.isZero()) return { ...reported, kind: 'irrelevant' };
    return { ...reported, kind: 'payout', ...of, amount, fee, lines: exact };
  }
  const isIn = amount?.isNegative() === true;
  const moved = {
    direction: isIn ? ('in' as const) : ('out' as const),
    reference: of.payoutId,
    providerPaymentId: null,
    amount: (isIn ? amount?.negated() : amount) ?? null,
  };
  const review = `payout ${of.payoutId} has an amount that cannot be said exactly`;
  return { ...reported, kind: 'irrelevant', review, moved };
}

/**
 * Fees that are told in parts of a unit, and rounded once for the whole payout. They are as much as is
 * missing from the other lines, if that is their sum but for less than a unit.
 * @param parts of a unit, in which the others are counted
 * @param sums of the fees; the first counts where none explains what is missing, so that this shows
 * @returns in units
 */
export function roundedFees(missing: bigint, sums: readonly bigint[], parts: bigint): bigint {
  const isNear = (sum: bigint) => sum - missing < parts && missing - sum < parts;
  return (sums.some(isNear) ? missing : (sums[0] ?? 0n)) / parts;
}

function exactly({ amount, fee, ...line }: ReadPayoutLine): StatedPayoutLine | undefined {
  return amount && fee && { ...line, amount, fee };
}
