import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import {
  CurrencyCode,
  DateText,
  InstantText,
  OneOf,
} from '../../platform/http/validation/fields.js';
import { BothOf } from '../../platform/http/validation/composed-bodies.js';
import { CountedEnds, CountedQuery, PageEnds, WHOLE } from '../../platform/http/paging.js';
import { IdParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { type BaseRates, inBaseOf, summed, withoutRate } from '../domain/base-currency.js';
import { LEDGER_ACCOUNTS, type LedgerAccount, type LedgerFact } from '../domain/ledger.js';
import {
  type BalanceFigures,
  type LedgerAccountBalance,
  type Transfer,
  PREFIX_OF_FACT,
} from '../domain/transfer.js';
import { LEDGER_SORTS, type LedgerSort } from '../infrastructure/ledger.query.js';
import { BaseRateBody, BaseSumsBody, IN_BASE, presentBaseRate } from './base-currency.dto.js';

nameWords({ LedgerAccount: LEDGER_ACCOUNTS, LedgerFact: Object.keys(PREFIX_OF_FACT) });

const ACCOUNT = { enum: LEDGER_ACCOUNTS };
const FACTS = Object.keys(PREFIX_OF_FACT);

export class ListLedgerQuery extends CountedQuery {
  @OneOf(['json', 'csv', 'jsonl'], {
    optional: true,
    description:
      '`csv` and `jsonl` are files with all transfers that match; `json` is a page of them. ' +
      'Amounts are in minor units.',
  })
  format?: 'json' | 'csv' | 'jsonl';

  @OneOf(LEDGER_ACCOUNTS, { optional: true, description: 'An account, on either side.' })
  account?: LedgerAccount;

  @CurrencyCode({ optional: true })
  currency?: string;

  @IdParameter('doc')
  document_id?: string;

  @IdParameter('cus')
  customer_id?: string;

  @OneOf(FACTS, { optional: true })
  fact?: LedgerFact;

  @DateText({ optional: true, description: 'The first day that a transfer counts for.' })
  effective_from?: string;

  @DateText({ optional: true, description: 'The last day that a transfer counts for.' })
  effective_to?: string;

  @InstantText({ optional: true })
  recorded_from?: string;

  @InstantText({ optional: true, description: 'Only transfers recorded before this instant.' })
  recorded_to?: string;

  @OneOf(LEDGER_SORTS, { optional: true, description: 'Default: `-recorded_at`, newest first.' })
  sort?: LedgerSort;
}

export class LedgerLineBody {
  @ApiProperty({ example: 'xfer_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ enum: FACTS }) fact!: string;
  @ApiProperty({
    description: 'The id of the document, payment, allocation, refund or receipt that was booked.',
    example: 'pay_01h455vb4pex5vsknk084sn02q',
  })
  fact_id!: string;
  @ApiProperty(ACCOUNT) debit!: string;
  @ApiProperty(ACCOUNT) credit!: string;
  @ApiProperty({ description: 'In minor units, above zero.', example: 11900 }) amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ type: String, nullable: true }) document_id!: string | null;
  @ApiProperty({ type: String, nullable: true }) customer_id!: string | null;
  @ApiProperty({ format: 'date', description: 'The day that it counts for, in your time zone.' })
  effective_on!: string;
  @ApiProperty({ format: 'date-time' }) recorded_at!: string;
}

/** The columns of a file. */
export const LEDGER_COLUMNS = [
  'id',
  'fact',
  'fact_id',
  'debit',
  'credit',
  'amount',
  'currency',
  'document_id',
  'customer_id',
  'effective_on',
  'recorded_at',
] as const satisfies readonly (keyof LedgerLineBody)[];

export class LedgerPage extends CountedEnds {
  @ApiProperty({ type: [LedgerLineBody] }) data!: LedgerLineBody[];
}

export function presentTransfer(line: Transfer): LedgerLineBody {
  return {
    id: publicId('xfer', line.id),
    fact: line.fact,
    fact_id: publicId(PREFIX_OF_FACT[line.fact], line.factId),
    debit: line.debit,
    credit: line.credit,
    amount: minorNumber(line.amount),
    currency: line.currency,
    document_id: line.documentId && publicId('doc', line.documentId),
    customer_id: line.customerId && publicId('cus', line.customerId),
    effective_on: line.effectiveOn,
    recorded_at: line.recordedAt.toISOString(),
  };
}

export class LedgerBalancesQuery {
  @DateText({ optional: true, description: 'The state at the end of this day. Default: today.' })
  date?: string;

  @CurrencyCode({ optional: true })
  currency?: string;
}

class BalanceFiguresBody {
  @ApiProperty({ description: 'The sum of all debits.' }) debit!: number;
  @ApiProperty() credit!: number;
  @ApiProperty({ description: 'Debit minus credit.' }) balance!: number;
}

class BalanceInBaseBody extends BothOf(BaseRateBody, BalanceFiguresBody) {}

class AccountBalanceBody extends BalanceFiguresBody {
  @ApiProperty(ACCOUNT) account!: string;
  @ApiProperty() currency!: string;
  @ApiProperty({ type: BalanceInBaseBody, nullable: true, description: IN_BASE })
  in_base!: BalanceInBaseBody | null;
}

class LedgerTotalBody {
  @ApiProperty() currency!: string;
  @ApiProperty() debit!: number;
  @ApiProperty({ description: 'It always equals the debit.' }) credit!: number;
  @ApiProperty({ description: 'It is always zero.' }) balance!: number;
}

class BaseAccountBody extends BalanceFiguresBody {
  @ApiProperty(ACCOUNT) account!: string;
}

class BaseBalancesBody extends BaseSumsBody {
  @ApiProperty({ type: [BaseAccountBody], description: 'The sums of all `in_base` by account.' })
  accounts!: BaseAccountBody[];
}

export class LedgerBalancesBody extends PageEnds {
  @ApiProperty({ format: 'date' }) date!: string;
  @ApiProperty({ type: [AccountBalanceBody] }) data!: AccountBalanceBody[];
  @ApiProperty({ type: [LedgerTotalBody] }) totals!: LedgerTotalBody[];
  @ApiProperty({ type: BaseBalancesBody }) base!: BaseBalancesBody;
}

export function presentBalances(
  date: string,
  balances: readonly LedgerAccountBalance[],
  rates: BaseRates,
): LedgerBalancesBody {
  const lines = balances.map((line) => ({
    ...line,
    inBase: inBaseOf(line.figures, { currency: line.currency, day: date }, rates),
  }));
  const currencies = [...new Set(lines.map(({ currency }) => currency))];
  const accounts = [...new Set(lines.map(({ account }) => account))];
  return {
    date,
    data: lines.map(({ account, currency, figures, inBase }) => ({
      account,
      currency,
      ...presentSums(figures),
      in_base: inBase && { ...presentBaseRate(inBase.rate), ...presentSums(inBase.figures) },
    })),
    ...WHOLE,
    totals: currencies.map((currency) => {
      const own = lines.filter((line) => line.currency === currency);
      return { currency, ...presentSums(summed(own.map(({ figures }) => figures))) };
    }),
    base: {
      currency: rates.currency,
      without_rate: withoutRate(lines),
      accounts: accounts.map((account) => {
        const known = lines.flatMap((line) => (line.account === account && line.inBase) || []);
        return { account, ...presentSums(summed([NOTHING, ...known.map((one) => one.figures)])) };
      }),
    },
  };
}

const NOTHING: BalanceFigures = { debit: 0n, credit: 0n, balance: 0n };

function presentSums({ debit, credit, balance }: BalanceFigures): BalanceFiguresBody {
  return {
    debit: minorNumber(debit),
    credit: minorNumber(credit),
    balance: minorNumber(balance),
  };
}
