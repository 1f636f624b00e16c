import { balancesOf, type LedgerAccountBalance, type TransferSum } from './transfer.js';

/** Debits count up. */
export interface TrialBalanceFigures {
  opening: bigint;
  debit: bigint;
  credit: bigint;
  closing: bigint;
}

export type TrialBalanceLine = Pick<LedgerAccountBalance, 'account' | 'currency'> & {
  figures: TrialBalanceFigures;
};

/** The sum between two accounts, before the first day and from it on. */
export type TrialSum = Omit<TransferSum, 'amount'> & { before: bigint; within: bigint };

/** Each account that was used by the last day, by currency and in the order of the chart. */
export function trialBalance(sums: readonly TrialSum[]): TrialBalanceLine[] {
  const balances = (amountOf: (sum: TrialSum) => bigint) =>
    balancesOf(sums.map((sum) => ({ ...sum, amount: amountOf(sum) })));
  const moved = new Map(balances(({ within }) => within).map((line) => [keyOf(line), line]));
  return balances(({ before, within }) => before + within).map((line) => {
    const { account, currency } = line;
    const { debit = 0n, credit = 0n } = moved.get(keyOf(line))?.figures ?? {};
    const closing = line.figures.balance;
    const opening = closing - debit + credit;
    return { account, currency, figures: { opening, debit, credit, closing } };
  });
}

const keyOf = ({ account, currency }: LedgerAccountBalance) => `${account}/${currency}`;
