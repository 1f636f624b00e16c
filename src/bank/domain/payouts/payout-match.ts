import type { Money } from '../../../kernel/money.js';
import type { BankEntry } from '../bank-entry.js';
import { daysBetween } from '../../../kernel/clock.js';
import type { Payout } from './payout.js';
import { BankRefusal } from '../refusals.js';

export const PAYOUT_REASONS = ['named', 'days_near'] as const;
type PayoutReason = (typeof PAYOUT_REASONS)[number];

/** A payout that an entry may be, and why. Amount and currency are the same. */
export interface ProposedPayout {
  payout: Payout;
  reasons: PayoutReason[];
}

/** Weekends and holidays, on either side of the day that the provider names. */
const NEAR_DAYS = 7;
const MOST_PROPOSED = 10;
/** A shorter text could be anything. */
const SHORTEST_NAME = 5;

/** The amount of an entry as a payout has it: below zero if money left. The bank's fee is apart. */
export function payoutAmountOf({ direction, amount }: BankEntry): Money {
  return direction === 'credit' ? amount : amount.negated();
}

export function assertIsPayout(entry: BankEntry, { status, amount }: Payout): void {
  const told = payoutAmountOf(entry);
  const isSame = amount.currency === told.currency && amount.compare(told) === 0;
  if (status === 'sent' && isSame && !entry.isReversal) return;
  throw BankRefusal.bank_entry_payout_differs.of(
    status === 'sent'
      ? `The entry is not this payout, which is over ${amount}; record what the provider says.`
      : `The payout is ${status}: only one that is on its way becomes a bank entry.`,
  );
}

/** Named ones first; the others as they came, nearest first. */
export function proposedPayouts(entry: BankEntry, payouts: readonly Payout[]): ProposedPayout[] {
  const proposed = payouts.flatMap((payout) => {
    const reasons = reasonsFor(entry, payout);
    return reasons.length > 0 ? [{ payout, reasons }] : [];
  });
  const isNamed = ({ reasons }: ProposedPayout) => reasons.includes('named');
  return [...proposed.filter(isNamed), ...proposed.filter((one) => !isNamed(one))].slice(
    0,
    MOST_PROPOSED,
  );
}

function reasonsFor(entry: BankEntry, payout: Payout): PayoutReason[] {
  const day = payout.arrivesOn ?? payout.sentOn;
  return [
    ...(isNamedIn(entry, payout) ? (['named'] as const) : []),
    ...(daysBetween(day, entry.bookedOn) <= NEAR_DAYS ? (['days_near'] as const) : []),
  ];
}

function isNamedIn(entry: BankEntry, { providerPayoutId, descriptor }: Payout): boolean {
  const { remittance, structuredReference, endToEndId } = entry;
  const said = [remittance, structuredReference, endToEndId].join(' ').toLowerCase();
  return [providerPayoutId, descriptor ?? ''].some(
    (name) => name.length >= SHORTEST_NAME && said.includes(name.toLowerCase()),
  );
}
