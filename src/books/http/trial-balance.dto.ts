import { ApiProperty } from '@nestjs/swagger';
import { minorNumber } from '../../kernel/money.js';
import { PageEnds, WHOLE } from '../../platform/http/paging.js';
import { CurrencyCode } from '../../platform/http/validation/fields.js';
import { summed } from '../domain/base-currency.js';
import { type ChartOfAccounts, onlyNumberOf } from '../domain/chart-of-accounts.js';
import { LEDGER_ACCOUNTS } from '../domain/ledger.js';
import type { TrialBalanceFigures, TrialBalanceLine } from '../domain/trial-balance.js';
import type { PrintedColumn } from './report-page.js';
import { DaysQuery } from './report-query.js';

export class TrialBalanceQuery extends DaysQuery {
  @CurrencyCode({ optional: true })
  currency?: string;
}

class TrialBalanceFiguresBody {
  @ApiProperty({ description: 'Debits less credits before the first day.' })
  opening_balance!: number;
  @ApiProperty({ description: 'The sum of all debits of these days.' }) debit!: number;
  @ApiProperty() credit!: number;
  @ApiProperty({ description: 'Opening balance plus debit, less credit.' })
  closing_balance!: number;
}

class TrialBalanceLineBody extends TrialBalanceFiguresBody {
  @ApiProperty({ enum: LEDGER_ACCOUNTS }) account!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    example: '1410',
    description: 'That of your chart on the last day; null: it has several for this account.',
  })
  number!: string | null;
  @ApiProperty() currency!: string;
}

class TrialBalanceTotalBody extends TrialBalanceFiguresBody {
  @ApiProperty() currency!: string;
}

export class TrialBalanceBody extends PageEnds {
  @ApiProperty({ format: 'date' }) from!: string;
  @ApiProperty({ format: 'date' }) to!: string;
  @ApiProperty({ type: [TrialBalanceLineBody] }) data!: TrialBalanceLineBody[];
  @ApiProperty({
    type: [TrialBalanceTotalBody],
    description: 'By currency: balances of zero, and debit equal to credit.',
  })
  totals!: TrialBalanceTotalBody[];
}

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
