import type { Money } from '../../kernel/money.js';
import { type BankStatementSection, movedBy, type StatedBankEntry } from './bank-statement.js';

/** An entry, and the balance after it where the file has one that can be read. */
export interface BalancedEntry {
  entry: StatedBankEntry;
  after: Money | null;
}

type Balances = Pick<BankStatementSection, 'opening' | 'closing'>;

/**
 * The balances before and after the entries of one account, oldest or newest first. Unknown where
 * the running balances do not explain each other: a file of two currencies, or with rows left out.
 */
export function runningBalances(rows: readonly BalancedEntry[]): Balances {
  const oldestFirst = [rows, rows.toReversed()].find(isChain);
  const [first, last] = [oldestFirst?.[0], oldestFirst?.at(-1)];
  if (!first?.after || !last?.after) return { opening: null, closing: null };
  return {
    opening: { amount: first.after.minus(movedBy(first.entry)), date: first.entry.bookedOn },
    closing: { amount: last.after, date: last.entry.bookedOn },
  };
}

function isChain(rows: readonly BalancedEntry[]): boolean {
  return rows.every(({ entry, after }, index) => {
    const moved = movedBy(entry);
    if (after?.currency !== moved.currency) return false;
    const before = rows[index - 1];
    if (!before) return true;
    const isSame = before.after?.currency === moved.currency;
    const isLater = before.entry.bookedOn <= entry.bookedOn;
    return isSame && isLater && before.after?.plus(moved).compare(after) === 0;
  });
}

/** The testimony of running balances about the directions of the entries between them. */
export interface BalanceEvidence<Row> {
  /** Steps from one balance to the next that an entry explains as it was read. */
  confirmed: readonly Row[];
  /** Steps that only the other direction explains. */
  against: readonly Row[];
  unexplained: number;
}

/** Of one account; each currency has balances of its own. */
export function balanceEvidence<Row extends BalancedEntry>(
  rows: readonly Row[],
): BalanceEvidence<Row> {
  const byCurrency = new Map<string, Row[]>();
  for (const row of rows) {
    const { currency } = row.entry.amount;
    if (row.after?.currency !== currency) continue;
    const own = byCurrency.get(currency) ?? [];
    byCurrency.set(currency, own);
    own.push(row);
  }
  const all = [...byCurrency.values()].map(inLikelyOrder);
  return {
    confirmed: all.flatMap(({ confirmed }) => confirmed),
    against: all.flatMap(({ against }) => against),
    unexplained: all.reduce((sum, { unexplained }) => sum + unexplained, 0),
  };
}

/** Days say the order; where they do not, the one that explains the most does. */
function inLikelyOrder<Row extends BalancedEntry>(rows: readonly Row[]): BalanceEvidence<Row> {
  const rises = rows.some(({ entry }, index) => dayBefore(rows, index) < entry.bookedOn);
  const falls = rows.some(({ entry }, index) => dayBefore(rows, index) > entry.bookedOn);
  const orders = [
    ...(rises || !falls ? [rows] : []),
    ...(falls || !rises ? [rows.toReversed()] : []),
  ].map(testimony);
  const explained = (one: BalanceEvidence<Row>) => one.confirmed.length + one.against.length;
  const [best] = orders.toSorted(
    (one, other) =>
      (isProof(one) ? -1 : 0) + (isProof(other) ? 1 : 0) ||
      explained(other) - explained(one) ||
      other.confirmed.length - one.confirmed.length,
  );
  return best ?? { confirmed: [], against: [], unexplained: 0 };
}

/** Of the first row, its own. */
const dayBefore = (rows: readonly BalancedEntry[], index: number) =>
  rows[Math.max(0, index - 1)]?.entry.bookedOn ?? '';

/** Each step is explained, and as it was read. */
const isProof = (one: BalanceEvidence<unknown>): boolean =>
  one.confirmed.length > 0 && one.against.length === 0 && one.unexplained === 0;

function testimony<Row extends BalancedEntry>(rows: readonly Row[]): BalanceEvidence<Row> {
  const [confirmed, against]: [Row[], Row[]] = [[], []];
  let unexplained = 0;
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1]?.after;
    const { entry, after } = row;
    if (!before || !after || entry.amount.isZero()) continue;
    const step = after.minus(before);
    const other = entry.direction === 'credit' ? 'debit' : 'credit';
    if (step.compare(movedBy(entry)) === 0) confirmed.push(row);
    else if (step.compare(movedBy({ ...entry, direction: other })) === 0) against.push(row);
    else unexplained += 1;
  }
  return { confirmed, against, unexplained };
}

/** Most steps are explained, and some by the other direction only. */
export function contradicts({
  confirmed,
  against,
  unexplained,
}: BalanceEvidence<unknown>): boolean {
  return against.length > 0 && confirmed.length + against.length > unexplained;
}
