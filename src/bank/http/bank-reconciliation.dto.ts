import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { DateText } from '../../platform/http/validation/fields.js';
import type { ReconciledAccount, ReconciledCash } from '../domain/bank-reconciliation.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class BankReconciliationRequest {
  @DateText({
    optional: true,
    description: 'A day on which a statement ends. Default: all that there is.',
  })
  date?: string;
}

class DatedBalanceBody {
  @ApiProperty() amount!: number;
  @ApiProperty({ format: 'date' }) date!: string;
}

class StatementGapBody {
  @ApiProperty({ description: 'The statement that ends otherwise than the next one begins.' })
  after_statement_id!: string;
  @ApiProperty() before_statement_id!: string;
  @ApiProperty({ format: 'date' }) after!: string;
  @ApiProperty({ format: 'date' }) before!: string;
  @ApiProperty({ description: 'The opening balance less the closing one before it.' })
  amount!: number;
}

class ReconciledAccountBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank account.' }) account!: string | null;
  @ApiProperty() currency!: string;
  @ApiProperty({ type: DatedBalanceBody, nullable: true }) opening!: DatedBalanceBody | null;
  @ApiProperty({ description: 'Entries that are booked, recorded, returned or posted.' })
  booked!: number;
  @ApiProperty({ description: 'Entries that nobody has booked yet.' }) not_booked!: number;
  @ApiProperty() ignored!: number;
  @ApiProperty({ type: DatedBalanceBody, nullable: true }) closing!: DatedBalanceBody | null;
  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'The closing balance less the opening one and all entries; null without balances.',
  })
  difference!: number | null;
  @ApiProperty({ type: [StatementGapBody] }) gaps!: StatementGapBody[];
}

class ReconciledCashBody {
  @ApiProperty() currency!: string;
  @ApiProperty({ description: 'Booked entries of all bank accounts.' }) booked!: number;
  @ApiProperty({ description: 'Recorded by hand, without an entry of a bank.' }) by_hand!: number;
  @ApiProperty({ description: 'The account `cash` of the ledger.' }) cash!: number;
  @ApiProperty({ description: 'What the ledger has for the entries, less the entries.' })
  difference!: number;
  @ApiProperty({ description: 'Payouts that left a provider and are no entry of a bank yet.' })
  in_transit!: number;
}

export class BankReconciliationBody {
  @ApiProperty({ type: [ReconciledAccountBody] }) accounts!: ReconciledAccountBody[];
  @ApiProperty({ type: [ReconciledCashBody], description: 'booked + by_hand + difference = cash' })
  cash!: ReconciledCashBody[];
}

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
