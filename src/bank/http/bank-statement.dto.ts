import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { Nested, NestedList, OneOf, Text } from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { AllocationRequest, CountsAsRequest, MOST_DOCUMENTS } from '../../payments/index.js';
import { IdParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import {
  BANK_ENTRY_STATUSES,
  type BankEntryStatus,
  POSTED_ACCOUNTS,
  POSTING_ACCOUNTS,
  type PostingAccount,
} from '../domain/bank-entry.js';
import { PAYMENT_REASONS, PAYMENT_RELATIONS } from '../domain/named-payment.js';
import { BANK_STATEMENT_FORMATS, DIRECTIONS } from '../domain/bank-statement.js';
import { PAYOUT_REASONS } from '../domain/payouts/payout-match.js';
import { REASONS } from '../domain/bank-entry-match.js';
import type { BankStatement } from '../infrastructure/bank-statements.query.js';

const NULLABLE_TEXT = { type: String, nullable: true } as const;
const NULLABLE_DATE = { ...NULLABLE_TEXT, format: 'date' } as const;

nameWords({
  BankEntryStatus: BANK_ENTRY_STATUSES,
  PostedAccount: POSTED_ACCOUNTS,
});
class BalanceBody {
  @ApiProperty({ description: 'An overdrawn account is below zero.' }) amount!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date' }) date!: string;
}

class SectionBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank’s own.' }) reference!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'An IBAN, if the account has one.' })
  account!: string | null;
  @ApiProperty(NULLABLE_TEXT) currency!: string | null;
  @ApiProperty({ type: BalanceBody, nullable: true }) opening_balance!: BalanceBody | null;
  @ApiProperty({ type: BalanceBody, nullable: true }) closing_balance!: BalanceBody | null;
}

class CountsBody {
  @ApiProperty({ description: 'All entries of the file that the bank has booked.' })
  entries!: number;
  @ApiProperty() booked!: number;
  @ApiProperty({ description: 'Those that are payments that were recorded by hand.' })
  recorded!: number;
  @ApiProperty({ description: 'Those that took a payment back.' }) returned!: number;
  @ApiProperty({ description: 'Those on an account of the chart.' }) posted!: number;
  @ApiProperty() proposed!: number;
  @ApiProperty() unmatched!: number;
  @ApiProperty() ignored!: number;
  @ApiProperty({ description: 'Sums of batches whose parts came in another file.' })
  replaced!: number;
  @ApiProperty({ description: 'Those that count no more, as the file was taken back.' })
  withdrawn!: number;
  @ApiProperty() debits!: number;
  @ApiProperty({ description: 'Entries that an earlier file had already.' }) known_before!: number;
  @ApiProperty({ description: 'Entries not yet booked; they are left out.' }) pending!: number;
  @ApiProperty({ description: 'Entries that failed, were declined or cancelled; left out.' })
  rejected!: number;
}

export class BankStatementBody {
  @ApiProperty({ example: 'bstmt_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ enum: BANK_STATEMENT_FORMATS }) format!: string;
  @ApiProperty({ description: 'The SHA-256 of the file.' }) sha256!: string;
  @ApiProperty({ format: 'date-time' }) imported_at!: string;
  @ApiProperty({ ...NULLABLE_TEXT, format: 'date-time', description: 'When it was taken back.' })
  withdrawn_at!: string | null;
  @ApiProperty({ type: CountsBody }) counts!: CountsBody;
  @ApiProperty({
    type: [String],
    description: 'Columns, fields and labels that no rule took, and rows that are a balance.',
    example: ['Category', 'Account Name'],
  })
  unused_columns!: string[];
  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The kept mapping that it was read by; it may be deleted since.',
  })
  mapping_id!: string | null;
  @ApiProperty({ type: [SectionBody], description: 'One for each account and statement.' })
  sections!: SectionBody[];
}

export class BankStatementPage extends CountedEnds {
  @ApiProperty({ type: [BankStatementBody] }) data!: BankStatementBody[];
}

export function presentBankStatement(statement: BankStatement): BankStatementBody {
  const { debit: debits, ...counts } = statement.counts;
  return {
    id: publicId('bstmt', statement.id),
    format: statement.format,
    sha256: statement.sha256,
    imported_at: statement.importedAt.toISOString(),
    withdrawn_at: statement.withdrawnAt?.toISOString() ?? null,
    counts: {
      entries: statement.entries,
      ...counts,
      debits,
      known_before: statement.knownBefore,
      pending: statement.pending,
      rejected: statement.rejected,
    },
    unused_columns: [...statement.unused],
    mapping_id: statement.mappingId && publicId('bmap', statement.mappingId),
    sections: statement.sections.map(({ reference, account, currency, opening, closing }) => ({
      reference,
      account,
      currency,
      opening_balance: presentBalance(opening),
      closing_balance: presentBalance(closing),
    })),
  };
}

function presentBalance(stored: BankStatement['sections'][number]['opening']) {
  return stored && { ...stored, amount: minorNumber(BigInt(stored.amount)) };
}

export class ListBankEntriesQuery extends CountedQuery {
  @OneOf(BANK_ENTRY_STATUSES, { optional: true })
  status?: BankEntryStatus;

  @IdParameter('bstmt')
  statement_id?: string;
}

export class BankEntryBody {
  @ApiProperty({ example: 'bentry_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({ description: 'The file that the entry came with.' }) statement_id!: string;
  @ApiProperty({ enum: BANK_ENTRY_STATUSES }) status!: string;
  @ApiProperty({ enum: DIRECTIONS }) direction!: string;
  @ApiProperty({ description: 'True if it takes back an earlier entry.' }) is_reversal!: boolean;
  @ApiProperty({ description: 'What the other side paid, or was paid.' }) amount!: number;
  @ApiProperty({ description: 'What the bank kept beside the amount; below zero: gave back.' })
  fee!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ format: 'date' }) booked_on!: string;
  @ApiProperty(NULLABLE_DATE) value_on!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank account.' }) account!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Who paid, or who was paid.' })
  counterparty_name!: string | null;
  @ApiProperty(NULLABLE_TEXT) counterparty_iban!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'What the payer wrote.' })
  remittance!: string | null;
  @ApiProperty(NULLABLE_TEXT) structured_reference!: string | null;
  @ApiProperty(NULLABLE_TEXT) end_to_end_id!: string | null;
  @ApiProperty(NULLABLE_TEXT) bank_reference!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The bank’s word for what it is.' })
  transaction_type!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it came back, as the bank says.' })
  return_reason!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The payment that it is, or that it took back.' })
  payment_id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The payout of a provider that it is.' })
  payout_id!: string | null;
  @ApiProperty({ enum: POSTED_ACCOUNTS, nullable: true, description: 'Of one that is posted.' })
  ledger_account!: string | null;
}

class NamedPaymentBody {
  @ApiProperty() payment_id!: string;
  @ApiProperty({ enum: PAYMENT_RELATIONS, description: 'What confirming it would say.' })
  relation!: string;
  @ApiProperty() amount!: number;
  @ApiProperty({ format: 'date' }) paid_on!: string;
  @ApiProperty(NULLABLE_TEXT) reference!: string | null;
  @ApiProperty({ isArray: true, enum: PAYMENT_REASONS }) reasons!: string[];
}

class ProposedPayoutBody {
  @ApiProperty() payout_id!: string;
  @ApiProperty() gateway!: string;
  @ApiProperty() provider_payout_id!: string;
  @ApiProperty() amount!: number;
  @ApiProperty({ format: 'date' }) sent_on!: string;
  @ApiProperty(NULLABLE_DATE) arrives_on!: string | null;
  @ApiProperty({ isArray: true, enum: PAYOUT_REASONS }) reasons!: string[];
}

class TwinBody {
  @ApiProperty() bank_entry_id!: string;
  @ApiProperty({ enum: BANK_ENTRY_STATUSES }) status!: string;
  @ApiProperty({ format: 'date' }) booked_on!: string;
  @ApiProperty(NULLABLE_TEXT) counterparty_name!: string | null;
  @ApiProperty(NULLABLE_TEXT) remittance!: string | null;
}

class ProposalBody {
  @ApiProperty() document_id!: string;
  @ApiProperty() number!: string;
  @ApiProperty() customer_id!: string;
  @ApiProperty() customer_name!: string;
  @ApiProperty() amount_due!: number;
  @ApiProperty(NULLABLE_DATE) due_date!: string | null;
  @ApiProperty({ minimum: 0, maximum: 100 }) score!: number;
  @ApiProperty({ isArray: true, enum: REASONS }) reasons!: string[];
}

export class BankEntryDetailBody extends BankEntryBody {
  @ApiProperty({ type: [ProposalBody], description: 'What it may pay, the likeliest first.' })
  proposals!: ProposalBody[];
  @ApiProperty({ type: [NamedPaymentBody], description: 'What it may be, or may take back.' })
  payments!: NamedPaymentBody[];
  @ApiProperty({ type: [ProposedPayoutBody], description: 'Payouts on their way that it may be.' })
  payouts!: ProposedPayoutBody[];
  @ApiProperty({
    type: [TwinBody],
    description: 'Entries of other files over the same amount that may be this one.',
  })
  perhaps_same!: TwinBody[];
}

export class BankEntryPage extends CountedEnds {
  @ApiProperty({ type: [BankEntryBody] }) data!: BankEntryBody[];
}

/** One of the five is sent. Money above what is due becomes the customer’s credit. */
export class ConfirmEntryRequest {
  @Text({ max: 40, optional: true, example: 'doc_01h455vb4pex5vsknk084sn02q' })
  document_id?: string;

  @NestedList(() => AllocationRequest, { max: MOST_DOCUMENTS, optional: true })
  allocations?: AllocationRequest[];

  @Text({ max: 40, optional: true, description: 'All of it becomes this customer’s credit.' })
  customer_id?: string;

  @Nested(() => CountsAsRequest, {
    optional: true,
    description: 'What the entry counts for, if that is in another currency than the entry.',
  })
  counts_as?: CountsAsRequest;

  @Text({
    max: 40,
    optional: true,
    description:
      'The payment that was recorded by hand and that the entry is; or, of a returned debit, the ' +
      'payment that it takes back: that is reversed, and the rest of the entry is a fee.',
  })
  payment_id?: string;

  @Text({ max: 40, optional: true, description: 'The payout of a provider that the entry is.' })
  payout_id?: string;
}

export class BookEntryRequest {
  @OneOf(POSTING_ACCOUNTS, { description: 'The other side is `cash`.' })
  ledger_account!: PostingAccount;
}
