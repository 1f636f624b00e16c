import type { Currency } from '../../kernel/currency.js';
import { LEDGER_ACCOUNTS, type LedgerAccount } from './ledger.js';
import type { TransferSum } from './transfer.js';

/** Debits count up. */
export interface TrialBalanceFigures {
  opening: bigint;
  debit: bigint;
  credit: bigint;
  closing: bigint;
}

export interface TrialBalanceLine extends TrialBalanceFigures {
  account: LedgerAccount;
  currency: Currency;
}

/** The sum between two accounts, before the first day and from it on. */
export type TrialSum = Omit<TransferSum, 'amount'> & { before: bigint; within: bigint };

/** Each account that was used by the last day, by currency and in the order of the chart. */
export function trialBalance(sums: readonly TrialSum[]): TrialBalanceLine[] {
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) => {
    const own = sums.filter((sum) => sum.currency === currency);
    return LEDGER_ACCOUNTS.flatMap((account) => {
      const [debits, credits] = [
        own.filter((sum) => sum.debit === account),
        own.filter((sum) => sum.credit === account),
      ];
      if (debits.length + credits.length === 0) return [];
      const opening = total(debits, 'before') - total(credits, 'before');
      const debit = total(debits, 'within');
      const credit = total(credits, 'within');
      return { account, currency, opening, debit, credit, closing: opening + debit - credit };
    });
  });
}

function total(sums: readonly TrialSum[], of: 'before' | 'within'): bigint {
  return sums.reduce((sum, one) => sum + one[of], 0n);
}
