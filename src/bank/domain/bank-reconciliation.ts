import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';

/** The balances of one statement, in minor units. */
export interface StatedPeriod {
  statementId: Uuid;
  /** Files of this kind may have days in common, and begin in the middle of one. */
  mayOverlap: boolean;
  account: string | null;
  currency: string;
  opening: bigint;
  openingOn: IsoDate;
  closing: bigint;
  closingOn: IsoDate;
}

/** The sums of a bank account's entries: by them its balance moved. */
export interface EntrySums {
  account: string | null;
  currency: string;
  booked: bigint;
  notBooked: bigint;
  ignored: bigint;
}

/** The movements of `cash` in a currency. */
export interface CashSums {
  currency: string;
  /** Of facts that an entry stands for. */
  ofEntries: bigint;
  /** Of all other facts: people recorded them. */
  byHand: bigint;
}

/** The place where a statement does not begin as the one before it ends. */
interface Gap {
  after: StatedPeriod;
  before: StatedPeriod;
  amount: bigint;
}

export interface ReconciledAccount extends EntrySums {
  opening: { amount: bigint; date: IsoDate } | null;
  closing: { amount: bigint; date: IsoDate } | null;
  /** The part of the closing balance that neither the opening one nor an entry explains. */
  difference: bigint | null;
  gaps: Gap[];
}

export interface ReconciledCash {
  currency: string;
  booked: bigint;
  byHand: bigint;
  cash: bigint;
  /** The part of `cash` that says of its entries otherwise than the entries do. */
  difference: bigint;
  /** Left a provider, and is no entry of a bank yet. */
  inTransit: bigint;
}

/** One line for each bank account and currency that has statements or entries. */
export function reconciledAccounts(
  periods: readonly StatedPeriod[],
  sums: readonly EntrySums[],
): ReconciledAccount[] {
  const keyOf = ({ account, currency }: Pick<EntrySums, 'account' | 'currency'>) =>
    `${currency} ${account ?? ''}`;
  const none = { booked: 0n, notBooked: 0n, ignored: 0n };
  const all = new Map<string, EntrySums>(
    periods.map((one) => [keyOf(one), { account: one.account, currency: one.currency, ...none }]),
  );
  for (const one of sums) all.set(keyOf(one), one);
  return [...all]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, own]) =>
      reconciled(
        own,
        periods.filter((one) => keyOf(one) === key),
      ),
    );
}

function reconciled(sums: EntrySums, periods: readonly StatedPeriod[]): ReconciledAccount {
  const inOrder = withoutCopies(periods).toSorted(
    (one, other) =>
      compare(one.closingOn, other.closingOn) || compare(one.openingOn, other.openingOn),
  );
  const [first] = inOrder.toSorted((one, other) => compare(one.openingOn, other.openingOn));
  const last = inOrder.at(-1);
  const gaps = inOrder.slice(1).flatMap((before, index) => {
    const after = inOrder[index];
    const isApart = !before.mayOverlap || (after && after.closingOn < before.openingOn);
    const isGap = after && isApart && after.closing !== before.opening;
    return isGap ? [{ after, before, amount: before.opening - after.closing }] : [];
  });
  const { booked, notBooked, ignored } = sums;
  return {
    ...sums,
    opening: first ? { amount: first.opening, date: first.openingOn } : null,
    closing: last ? { amount: last.closing, date: last.closingOn } : null,
    difference: first && last ? last.closing - first.opening - booked - notBooked - ignored : null,
    gaps,
  };
}

/** A bank sends one statement in several formats. */
function withoutCopies(periods: readonly StatedPeriod[]): StatedPeriod[] {
  const seen = new Set<string>();
  return periods.filter(({ opening, openingOn, closing, closingOn }) => {
    const said = [opening, openingOn, closing, closingOn].join(' ');
    return !seen.has(said) && seen.add(said);
  });
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** One line for each currency: `cash` is what the entries booked, and what people recorded. */
export function reconciledCash(
  cash: readonly CashSums[],
  sums: readonly EntrySums[],
  transit: ReadonlyMap<string, bigint>,
): ReconciledCash[] {
  const named = [...cash, ...sums].map(({ currency }) => currency);
  const currencies = [...new Set([...named, ...transit.keys()])].sort();
  return currencies.map((currency) => {
    const own = cash.find((one) => one.currency === currency);
    const { ofEntries = 0n, byHand = 0n } = own ?? {};
    const booked = sums
      .filter((one) => one.currency === currency)
      .reduce((sum, one) => sum + one.booked, 0n);
    return {
      currency,
      booked,
      byHand,
      cash: ofEntries + byHand,
      difference: ofEntries - booked,
      inTransit: transit.get(currency) ?? 0n,
    };
  });
}
