import { z } from 'zod';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { minorNumber } from '../../kernel/money.js';
import { nested, nestedList, oneOf } from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { countedPage, CountedQuery } from '../../platform/http/paging.js';
import { AllocationRequest, CountsAsRequest, MOST_DOCUMENTS } from '../../payments/index.js';
import { idParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { BANK_ENTRY_STATUSES, POSTED_ACCOUNTS, POSTING_ACCOUNTS } from '../domain/bank-entry.js';
import { PAYMENT_REASONS, PAYMENT_RELATIONS } from '../domain/named-payment.js';
import { BANK_STATEMENT_FORMATS, DIRECTIONS } from '../domain/bank-statement.js';
import { PAYOUT_REASONS } from '../domain/payouts/payout-match.js';
import { REASONS } from '../domain/bank-entry-match.js';
import type { BankStatement } from '../infrastructure/bank-statements.query.js';

nameWords({
  BankEntryStatus: BANK_ENTRY_STATUSES,
  PostedAccount: POSTED_ACCOUNTS,
});
const BalanceBody = answerShape('BalanceBody', {
  amount: z.number().describe('An overdrawn account is below zero.'),
  currency: z.string(),
  date: z.string().meta({ format: 'date' }),
});
type BalanceBody = z.output<typeof BalanceBody>;

const SectionBody = answerShape('SectionBody', {
  reference: z.string().nullable().describe('The bank’s own.'),
  account: z.string().nullable().describe('An IBAN, if the account has one.'),
  currency: z.string().nullable(),
  opening_balance: BalanceBody.nullable(),
  closing_balance: BalanceBody.nullable(),
});
type SectionBody = z.output<typeof SectionBody>;

const CountsBody = answerShape('CountsBody', {
  entries: z.number().describe('All entries of the file that the bank has booked.'),
  booked: z.number(),
  recorded: z.number().describe('Those that are payments that were recorded by hand.'),
  returned: z.number().describe('Those that took a payment back.'),
  posted: z.number().describe('Those on an account of the chart.'),
  proposed: z.number(),
  unmatched: z.number(),
  ignored: z.number(),
  replaced: z.number().describe('Sums of batches whose parts came in another file.'),
  withdrawn: z.number().describe('Those that count no more, as the file was taken back.'),
  debits: z.number(),
  known_before: z.number().describe('Entries that an earlier file had already.'),
  pending: z.number().describe('Entries not yet booked; they are left out.'),
  rejected: z.number().describe('Entries that failed, were declined or cancelled; left out.'),
});
type CountsBody = z.output<typeof CountsBody>;

export const BankStatementBody = answerShape('BankStatementBody', {
  id: z.string().meta({ example: 'bstmt_01h455vb4pex5vsknk084sn02q' }),
  format: z.string().meta({ enum: BANK_STATEMENT_FORMATS }),
  sha256: z.string().describe('The SHA-256 of the file.'),
  imported_at: z.string().meta({ format: 'date-time' }),
  withdrawn_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'When it was taken back.' }),
  counts: CountsBody,
  unused_columns: z.array(z.string()).meta({
    description: 'Columns, fields and labels that no rule took, and rows that are a balance.',
    example: ['Category', 'Account Name'],
  }),
  mapping_id: z
    .string()
    .nullable()
    .describe('The kept mapping that it was read by; it may be deleted since.'),
  sections: z.array(SectionBody).describe('One for each account and statement.'),
});
export type BankStatementBody = z.output<typeof BankStatementBody>;

export const BankStatementPage = countedPage('BankStatementPage', BankStatementBody);
export type BankStatementPage = z.output<typeof BankStatementPage>;

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

export const ListBankEntriesQuery = queryShape({
  ...CountedQuery.shape,
  status: oneOf(BANK_ENTRY_STATUSES, { optional: true }),
  statement_id: idParameter('bstmt'),
});
export type ListBankEntriesQuery = z.output<typeof ListBankEntriesQuery>;

export const BankEntryBody = answerShape('BankEntryBody', {
  id: z.string().meta({ example: 'bentry_01h455vb4pex5vsknk084sn02q' }),
  statement_id: z.string().describe('The file that the entry came with.'),
  status: z.string().meta({ enum: BANK_ENTRY_STATUSES }),
  direction: z.string().meta({ enum: DIRECTIONS }),
  is_reversal: z.boolean().describe('True if it takes back an earlier entry.'),
  amount: z.number().describe('What the other side paid, or was paid.'),
  fee: z.number().describe('What the bank kept beside the amount; below zero: gave back.'),
  currency: z.string(),
  booked_on: z.string().meta({ format: 'date' }),
  value_on: z.string().nullable().meta({ format: 'date' }),
  account: z.string().nullable().describe('The bank account.'),
  counterparty_name: z.string().nullable().describe('Who paid, or who was paid.'),
  counterparty_iban: z.string().nullable(),
  remittance: z.string().nullable().describe('What the payer wrote.'),
  structured_reference: z.string().nullable(),
  end_to_end_id: z.string().nullable(),
  bank_reference: z.string().nullable(),
  transaction_type: z.string().nullable().describe('The bank’s word for what it is.'),
  return_reason: z.string().nullable().describe('Why it came back, as the bank says.'),
  payment_id: z.string().nullable().describe('The payment that it is, or that it took back.'),
  payout_id: z.string().nullable().describe('The payout of a provider that it is.'),
  ledger_account: z
    .string()
    .nullable()
    .meta({ enum: POSTED_ACCOUNTS, description: 'Of one that is posted.' }),
});
export type BankEntryBody = z.output<typeof BankEntryBody>;

const NamedPaymentBody = answerShape('NamedPaymentBody', {
  payment_id: z.string(),
  relation: z
    .string()
    .meta({ enum: PAYMENT_RELATIONS, description: 'What confirming it would say.' }),
  amount: z.number(),
  paid_on: z.string().meta({ format: 'date' }),
  reference: z.string().nullable(),
  reasons: z.array(z.string().meta({ enum: PAYMENT_REASONS })),
});
type NamedPaymentBody = z.output<typeof NamedPaymentBody>;

const ProposedPayoutBody = answerShape('ProposedPayoutBody', {
  payout_id: z.string(),
  gateway: z.string(),
  provider_payout_id: z.string(),
  amount: z.number(),
  sent_on: z.string().meta({ format: 'date' }),
  arrives_on: z.string().nullable().meta({ format: 'date' }),
  reasons: z.array(z.string().meta({ enum: PAYOUT_REASONS })),
});
type ProposedPayoutBody = z.output<typeof ProposedPayoutBody>;

const TwinBody = answerShape('TwinBody', {
  bank_entry_id: z.string(),
  status: z.string().meta({ enum: BANK_ENTRY_STATUSES }),
  booked_on: z.string().meta({ format: 'date' }),
  counterparty_name: z.string().nullable(),
  remittance: z.string().nullable(),
});
type TwinBody = z.output<typeof TwinBody>;

const ProposalBody = answerShape('ProposalBody', {
  document_id: z.string(),
  number: z.string(),
  customer_id: z.string(),
  customer_name: z.string(),
  amount_due: z.number(),
  due_date: z.string().nullable().meta({ format: 'date' }),
  score: z.number().meta({ minimum: 0, maximum: 100 }),
  reasons: z.array(z.string().meta({ enum: REASONS })),
});
type ProposalBody = z.output<typeof ProposalBody>;

export const BankEntryDetailBody = answerShape('BankEntryDetailBody', {
  ...BankEntryBody.shape,
  proposals: z.array(ProposalBody).describe('What it may pay, the likeliest first.'),
  payments: z.array(NamedPaymentBody).describe('What it may be, or may take back.'),
  payouts: z.array(ProposedPayoutBody).describe('Payouts on their way that it may be.'),
  perhaps_same: z
    .array(TwinBody)
    .describe('Entries of other files over the same amount that may be this one.'),
});
export type BankEntryDetailBody = z.output<typeof BankEntryDetailBody>;

export const BankEntryPage = countedPage('BankEntryPage', BankEntryBody);
export type BankEntryPage = z.output<typeof BankEntryPage>;

/** One of the five is sent. Money above what is due becomes the customer’s credit. */
export const ConfirmEntryRequest = requestShape('ConfirmEntryRequest', {
  document_id: shortText({ max: 40, optional: true, example: 'doc_01h455vb4pex5vsknk084sn02q' }),
  allocations: nestedList(() => AllocationRequest, { max: MOST_DOCUMENTS, optional: true }),
  customer_id: shortText({
    max: 40,
    optional: true,
    description: 'All of it becomes this customer’s credit.',
  }),
  counts_as: nested(() => CountsAsRequest, {
    optional: true,
    description: 'What the entry counts for, if that is in another currency than the entry.',
  }),
  payment_id: shortText({
    max: 40,
    optional: true,
    description:
      'The payment that was recorded by hand and that the entry is; or, of a returned debit, the ' +
      'payment that it takes back: that is reversed, and the rest of the entry is a fee.',
  }),
  payout_id: shortText({
    max: 40,
    optional: true,
    description: 'The payout of a provider that the entry is.',
  }),
});
export type ConfirmEntryRequest = z.output<typeof ConfirmEntryRequest>;

export const BookEntryRequest = requestShape('BookEntryRequest', {
  ledger_account: oneOf(POSTING_ACCOUNTS, { description: 'The other side is `cash`.' }),
});
export type BookEntryRequest = z.output<typeof BookEntryRequest>;
