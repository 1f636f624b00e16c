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
