import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import type { ReconciledAccount, ReconciledCash } from '../domain/bank-reconciliation.js';

export const BankReconciliationRequest = queryShape({
  date: dateText({
    optional: true,
    description: 'A day on which a statement ends. Default: all that there is.',
  }),
});
export type BankReconciliationRequest = z.output<typeof BankReconciliationRequest>;

const DatedBalanceBody = answerShape('DatedBalanceBody', {
  amount: z.number(),
  date: z.string().meta({ format: 'date' }),
});
type DatedBalanceBody = z.output<typeof DatedBalanceBody>;

const StatementGapBody = answerShape('StatementGapBody', {
  after_statement_id: z
    .string()
    .describe('The statement that ends otherwise than the next one begins.'),
  before_statement_id: z.string(),
  after: z.string().meta({ format: 'date' }),
  before: z.string().meta({ format: 'date' }),
  amount: z.number().describe('The opening balance less the closing one before it.'),
});
type StatementGapBody = z.output<typeof StatementGapBody>;

const ReconciledAccountBody = answerShape('ReconciledAccountBody', {
  account: z.string().nullable().describe('The bank account.'),
  currency: z.string(),
  opening: DatedBalanceBody.nullable(),
  booked: z.number().describe('Entries that are booked, recorded, returned or posted.'),
  not_booked: z.number().describe('Entries that nobody has booked yet.'),
  ignored: z.number(),
  closing: DatedBalanceBody.nullable(),
  difference: z
    .number()
    .nullable()
    .describe('The closing balance less the opening one and all entries; null without balances.'),
  gaps: z.array(StatementGapBody),
});
type ReconciledAccountBody = z.output<typeof ReconciledAccountBody>;

const ReconciledCashBody = answerShape('ReconciledCashBody', {
  currency: z.string(),
  booked: z.number().describe('Booked entries of all bank accounts.'),
  by_hand: z.number().describe('Recorded by hand, without an entry of a bank.'),
  cash: z.number().describe('The account `cash` of the ledger.'),
  difference: z.number().describe('What the ledger has for the entries, less the entries.'),
  in_transit: z.number().describe('Payouts that left a provider and are no entry of a bank yet.'),
});
type ReconciledCashBody = z.output<typeof ReconciledCashBody>;

export const BankReconciliationBody = answerShape('BankReconciliationBody', {
  accounts: z.array(ReconciledAccountBody),
  cash: z.array(ReconciledCashBody).describe('booked + by_hand + difference = cash'),
});
export type BankReconciliationBody = z.output<typeof BankReconciliationBody>;

export function presentReconciledAccount(one: ReconciledAccount): ReconciledAccountBody {
  return {
    account: one.account,
    currency: one.currency,
    opening: presentBalance(one.opening),
    booked: minorNumber(one.booked),
    not_booked: minorNumber(one.notBooked),
    ignored: minorNumber(one.ignored),
    closing: presentBalance(one.closing),
    difference: one.difference === null ? null : minorNumber(one.difference),
    gaps: one.gaps.map(({ after, before, amount }) => ({
      after_statement_id: publicId('bstmt', after.statementId),
      before_statement_id: publicId('bstmt', before.statementId),
      after: after.closingOn,
      before: before.openingOn,
      amount: minorNumber(amount),
    })),
  };
}

function presentBalance(of: ReconciledAccount['opening']) {
  return of && { amount: minorNumber(of.amount), date: of.date };
}

export function presentReconciledCash(one: ReconciledCash): ReconciledCashBody {
  return {
    currency: one.currency,
    booked: minorNumber(one.booked),
    by_hand: minorNumber(one.byHand),
    cash: minorNumber(one.cash),
    difference: minorNumber(one.difference),
    in_transit: minorNumber(one.inTransit),
  };
}
