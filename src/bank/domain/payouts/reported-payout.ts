import type { IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { ProviderPayout } from '../../../payments/index.js';
import { isTooLarge, type KnownThing, type Payout, type StatedPayout } from './payout.js';

/** In the words of a person who has to look. */
export const UNBOOKED = {
  lines:
    'The provider does not tell its lines. Import its report, or record it with ' +
    'POST /v1/finance/payouts.',
  accounts:
    'Several accounts share this gateway, and not all in it is surely of one of them. Record the ' +
    'part of each with POST /v1/finance/payouts.',
  waits:
    'Several accounts share this gateway, and not all in it is told yet. It is booked once it is; if it ' +
    'never is, record the part of each with POST /v1/finance/payouts.',
  reversed: 'It was recorded here and reversed. Record it anew, if that was wrong.',
  again: 'It failed and was sent again. Reverse the one that failed, and record it anew.',
  odd: 'Its lines are in another currency, or their amounts are larger than these books take.',
} as const;

/**
 * A payout of a provider as somebody would record it. Money that a provider sent is never of a day to
 * come, so such a day is today.
 */
export function statedFrom(gateway: string, told: ProviderPayout, today: IsoDate): StatedPayout {
  const { payoutId: providerPayoutId, amount, fee, arrivesOn, descriptor, lines } = told;
  const sentOn = earliest(told.sentOn, today);
  return {
    gateway,
    providerPayoutId,
    amount,
    fee,
    sentOn,
    arrivesOn: arrivesOn !== null && arrivesOn >= sentOn ? arrivesOn : null,
    descriptor,
    lines: lines ?? [],
  };
}

/** The day on which a failed payout came back: not before it was sent, and not after today. */
export function failureDay(told: IsoDate, { sentOn }: Payout, today: IsoDate): IsoDate {
  const day = earliest(told, today);
  return day < sentOn ? sentOn : day;
}

/** Why it cannot be recorded whoever's it is; null: it can. */
export function oddityOf({ amount, fee, lines }: ProviderPayout): string | null {
  const amounts = [amount, fee, ...(lines ?? []).flatMap((line) => [line.amount, line.fee])];
  const isOfOne = amounts.every(({ currency }) => currency === amount.currency);
  const isBookable = isOfOne && !isTooLarge(amounts) && !amount.isZero() && !fee.isNegative();
  return isBookable ? null : UNBOOKED.odd;
}

/**
 * Whether all in a payout is surely of the account that knows these things. A fee goes with the
 * payments that it was taken from; a dispute or an adjustment may be of anybody.
 */
export function isAllOf(told: ProviderPayout, known: readonly KnownThing[]): boolean {
  const names = new Set(known.map(({ kind, providerId }) => `${kind} ${providerId}`));
  return (told.lines ?? []).every(
    ({ kind, providerId }) => kind === 'fee' || names.has(`${kind} ${providerId}`),
  );
}

/**
 * Whether all in it can be of one account, once all of it is told. Nobody tells of whom a dispute or an
 * adjustment is.
 */
export function mayBeOfOne({ lines }: ProviderPayout): boolean {
  const named = (lines ?? []).filter(({ kind }) => kind !== 'fee');
  return (
    named.length > 0 &&
    named.every(({ kind, providerId }) => /^(?:payment|refund)$/.test(kind) && providerId !== null)
  );
}

/** Why a person has to look at one that is refused. @throws whatever is no refusal */
export function refusalIn(error: unknown): string {
  // It is to be sent again: nothing is wrong with this payout.
  if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
  return error.detail;
}

function earliest(one: IsoDate, other: IsoDate): IsoDate {
  return one < other ? one : other;
}
