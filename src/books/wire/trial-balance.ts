import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { minorNumber } from '../../kernel/money.js';
import { PageEnds, WHOLE } from '../../platform/http/paging.js';
import { currencyCode } from '../../platform/http/validation/text-fields.js';
import { summed } from '../domain/base-currency.js';
import { type ChartOfAccounts, onlyNumberOf } from '../domain/chart-of-accounts.js';
import { LEDGER_ACCOUNTS } from '../domain/ledger.js';
import type { TrialBalanceFigures, TrialBalanceLine } from '../domain/trial-balance.js';
import { type PrintedColumn, DaysQuery } from './report-query.js';

export const TrialBalanceQuery = queryShape({
  ...DaysQuery.shape,
  currency: currencyCode({ optional: true }),
});
export type TrialBalanceQuery = z.output<typeof TrialBalanceQuery>;

const TrialBalanceFiguresBody = answerShape('TrialBalanceFiguresBody', {
  opening_balance: z.number().describe('Debits less credits before the first day.'),
  debit: z.number().describe('The sum of all debits of these days.'),
  credit: z.number(),
  closing_balance: z.number().describe('Opening balance plus debit, less credit.'),
});
type TrialBalanceFiguresBody = z.output<typeof TrialBalanceFiguresBody>;

const TrialBalanceLineBody = answerShape('TrialBalanceLineBody', {
  ...TrialBalanceFiguresBody.shape,
  account: z.string().meta({ enum: LEDGER_ACCOUNTS }),
  number: z.string().nullable().meta({
    example: '1410',
    description: 'That of your chart on the last day; null: it has several for this account.',
  }),
  currency: z.string(),
});
type TrialBalanceLineBody = z.output<typeof TrialBalanceLineBody>;

const TrialBalanceTotalBody = answerShape('TrialBalanceTotalBody', {
  ...TrialBalanceFiguresBody.shape,
  currency: z.string(),
});
type TrialBalanceTotalBody = z.output<typeof TrialBalanceTotalBody>;

export const TrialBalanceBody = answerShape('TrialBalanceBody', {
  ...PageEnds.shape,
  from: z.string().meta({ format: 'date' }),
  to: z.string().meta({ format: 'date' }),
  data: z.array(TrialBalanceLineBody),
  totals: z
    .array(TrialBalanceTotalBody)
    .describe('By currency: balances of zero, and debit equal to credit.'),
});
export type TrialBalanceBody = z.output<typeof TrialBalanceBody>;

export const TRIAL_BALANCE_COLUMNS = [
  'account',
  'number',
  'currency',
  'opening_balance',
  'debit',
  'credit',
  'closing_balance',
] as const satisfies readonly (keyof TrialBalanceLineBody)[];

export const TRIAL_BALANCE_PRINTED: PrintedColumn<keyof TrialBalanceLineBody>[] = [
  { name: 'number', heading: 'Number', is: 'text' },
  { name: 'account', heading: 'Account', is: 'word' },
  { name: 'opening_balance', heading: 'Opening', is: 'summed' },
  { name: 'debit', heading: 'Debit', is: 'summed' },
  { name: 'credit', heading: 'Credit', is: 'summed' },
  { name: 'closing_balance', heading: 'Closing', is: 'summed' },
];

export function presentTrialBalance(
  days: { from: string; to: string },
  lines: readonly TrialBalanceLine[],
  chart: ChartOfAccounts,
): TrialBalanceBody {
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  return {
    ...days,
    data: lines.map(({ account, currency, figures }) => ({
      account,
      number: onlyNumberOf(chart, account),
      currency,
      ...presentFigures(figures),
    })),
    ...WHOLE,
    totals: currencies.map((currency) => {
      const own = lines.filter((line) => line.currency === currency);
      return { currency, ...presentFigures(summed(own.map(({ figures }) => figures))) };
    }),
  };
}

const presentFigures = (figures: TrialBalanceFigures): TrialBalanceFiguresBody => ({
  opening_balance: minorNumber(figures.opening),
  debit: minorNumber(figures.debit),
  credit: minorNumber(figures.credit),
  closing_balance: minorNumber(figures.closing),
});
