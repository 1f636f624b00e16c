import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { currencyCode } from '../../platform/http/validation/text-fields.js';
import { dateText, instantText } from '../../platform/http/validation/date-fields.js';
import { countedPage, CountedQuery, PageEnds, WHOLE } from '../../platform/http/paging.js';
import { idParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { type BaseRates, inBaseOf, summed, withoutRate } from '../domain/base-currency.js';
import { LEDGER_ACCOUNTS, type LedgerFact } from '../domain/ledger.js';
import {
  type BalanceFigures,
  type LedgerAccountBalance,
  type Transfer,
  PREFIX_OF_FACT,
} from '../domain/transfer.js';
import { LEDGER_SORTS } from '../infrastructure/ledger.query.js';
import { BaseRateBody, BaseSumsBody, IN_BASE, presentBaseRate } from './base-currency.js';

nameWords({ LedgerAccount: LEDGER_ACCOUNTS, LedgerFact: Object.keys(PREFIX_OF_FACT) });

const ACCOUNT = { enum: LEDGER_ACCOUNTS };
const FACTS = Object.keys(PREFIX_OF_FACT) as LedgerFact[];

export const ListLedgerQuery = queryShape({
  ...CountedQuery.shape,
  format: oneOf(['json', 'csv', 'jsonl'], {
    optional: true,
    description:
      '`csv` and `jsonl` are files with all transfers that match; `json` is a page of them. ' +
      'Amounts are in minor units.',
  }),
  account: oneOf(LEDGER_ACCOUNTS, { optional: true, description: 'An account, on either side.' }),
  currency: currencyCode({ optional: true }),
  document_id: idParameter('doc'),
  customer_id: idParameter('cus'),
  fact: oneOf(FACTS, { optional: true }),
  effective_from: dateText({
    optional: true,
    description: 'The first day that a transfer counts for.',
  }),
  effective_to: dateText({
    optional: true,
    description: 'The last day that a transfer counts for.',
  }),
  recorded_from: instantText({ optional: true }),
  recorded_to: instantText({
    optional: true,
    description: 'Only transfers recorded before this instant.',
  }),
  sort: oneOf(LEDGER_SORTS, {
    optional: true,
    description: 'Default: `-recorded_at`, newest first.',
  }),
});
export type ListLedgerQuery = z.output<typeof ListLedgerQuery>;

export const LedgerLineBody = answerShape('LedgerLineBody', {
  id: z.string().meta({ example: 'xfer_01h455vb4pex5vsknk084sn02q' }),
  fact: z.string().meta({ enum: FACTS }),
  fact_id: z.string().meta({
    description: 'The id of the document, payment, allocation, refund or receipt that was booked.',
    example: 'pay_01h455vb4pex5vsknk084sn02q',
  }),
  debit: z.string().meta({ ...ACCOUNT }),
  credit: z.string().meta({ ...ACCOUNT }),
  amount: z.number().meta({ description: 'In minor units, above zero.', example: 11900 }),
  currency: z.string(),
  document_id: z.string().nullable(),
  customer_id: z.string().nullable(),
  effective_on: z
    .string()
    .meta({ format: 'date', description: 'The day that it counts for, in your time zone.' }),
  recorded_at: z.string().meta({ format: 'date-time' }),
});
export type LedgerLineBody = z.output<typeof LedgerLineBody>;

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

export const LedgerPage = countedPage('LedgerPage', LedgerLineBody);
export type LedgerPage = z.output<typeof LedgerPage>;

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

export const LedgerBalancesQuery = queryShape({
  date: dateText({
    optional: true,
    description: 'The state at the end of this day. Default: today.',
  }),
  currency: currencyCode({ optional: true }),
});
export type LedgerBalancesQuery = z.output<typeof LedgerBalancesQuery>;

const BalanceFiguresBody = answerShape('BalanceFiguresBody', {
  debit: z.number().describe('The sum of all debits.'),
  credit: z.number(),
  balance: z.number().describe('Debit minus credit.'),
});
type BalanceFiguresBody = z.output<typeof BalanceFiguresBody>;

const BalanceInBaseBody = answerShape('BalanceInBaseBody', {
  ...BaseRateBody.shape,
  ...BalanceFiguresBody.shape,
});
type BalanceInBaseBody = z.output<typeof BalanceInBaseBody>;

const AccountBalanceBody = answerShape('AccountBalanceBody', {
  ...BalanceFiguresBody.shape,
  account: z.string().meta({ ...ACCOUNT }),
  currency: z.string(),
  in_base: BalanceInBaseBody.nullable().describe(IN_BASE),
});
type AccountBalanceBody = z.output<typeof AccountBalanceBody>;

const LedgerTotalBody = answerShape('LedgerTotalBody', {
  currency: z.string(),
  debit: z.number(),
  credit: z.number().describe('It always equals the debit.'),
  balance: z.number().describe('It is always zero.'),
});
type LedgerTotalBody = z.output<typeof LedgerTotalBody>;

const BaseAccountBody = answerShape('BaseAccountBody', {
  ...BalanceFiguresBody.shape,
  account: z.string().meta({ ...ACCOUNT }),
});
type BaseAccountBody = z.output<typeof BaseAccountBody>;

const BaseBalancesBody = answerShape('BaseBalancesBody', {
  ...BaseSumsBody.shape,
  accounts: z.array(BaseAccountBody).describe('The sums of all `in_base` by account.'),
});
type BaseBalancesBody = z.output<typeof BaseBalancesBody>;

export const LedgerBalancesBody = answerShape('LedgerBalancesBody', {
  ...PageEnds.shape,
  date: z.string().meta({ format: 'date' }),
  data: z.array(AccountBalanceBody),
  totals: z.array(LedgerTotalBody),
  base: BaseBalancesBody,
});
export type LedgerBalancesBody = z.output<typeof LedgerBalancesBody>;

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
