import { z } from 'zod';
import { nameWords } from '../../platform/http/openapi/words.js';
import { type ProposedPayout, PAYOUT_REASONS } from '../domain/payouts/payout-match.js';
import { type Proposal, REASONS } from '../domain/bank-entry-match.js';
import {
  type PaymentRelation,
  type NamedPayment,
  PAYMENT_REASONS,
  PAYMENT_RELATIONS,
} from '../domain/named-payment.js';
import { publicId } from '../../kernel/ids.js';
import {
  type BankEntry,
  POSTING_ACCOUNTS,
  POSTED_ACCOUNTS,
  BANK_ENTRY_STATUSES,
} from '../domain/bank-entry.js';
import { CountsAsRequest, MOST_DOCUMENTS, AllocationRequest } from '../../payments/index.js';
import { nested, nestedList, oneOf } from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { requestShape, answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { DIRECTIONS } from '../domain/bank-statement.js';
import { idParameter } from '../../platform/http/validation/standard-fields.js';

nameWords({ BankEntryStatus: BANK_ENTRY_STATUSES, PostedAccount: POSTED_ACCOUNTS });

export const ListBankEntriesQuery = queryShape({
  ...listQuery(() => BankEntryBody).shape,
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

/** The public form of a bank entry. Amounts in minor units. */
export function presentBankEntry(entry: BankEntry): BankEntryBody {
  return {
    id: publicId('bentry', entry.id),
    statement_id: publicId('bstmt', entry.statementId),
    status: entry.status,
    direction: entry.direction,
    is_reversal: entry.isReversal,
    amount: entry.amount.toMinorNumber(),
    fee: entry.fee.toMinorNumber(),
    currency: entry.amount.currency,
    booked_on: entry.bookedOn,
    value_on: entry.valueOn,
    account: entry.bankAccount,
    counterparty_name: entry.counterpartyName,
    counterparty_iban: entry.counterpartyIban,
    remittance: entry.remittance,
    structured_reference: entry.structuredReference,
    end_to_end_id: entry.endToEndId,
    bank_reference: entry.bankReference,
    transaction_type: entry.transactionType,
    return_reason: entry.returnReason,
    payment_id: entry.paymentId && publicId('pay', entry.paymentId),
    payout_id: entry.payoutId && publicId('pout', entry.payoutId),
    ledger_account: entry.ledgerAccount,
  };
}

export function presentNamedPayment(
  payment: NamedPayment,
  relation: PaymentRelation,
): NamedPaymentBody {
  return {
    payment_id: publicId('pay', payment.paymentId),
    relation,
    amount: payment.amount.toMinorNumber(),
    paid_on: payment.paidOn,
    reference: payment.reference,
    reasons: payment.reasons,
  };
}

export function presentProposal({ candidate, score, reasons }: Proposal): ProposalBody {
  return {
    document_id: publicId('doc', candidate.documentId),
    number: candidate.number,
    customer_id: publicId('cus', candidate.customerId),
    customer_name: candidate.customerName,
    amount_due: candidate.due.toMinorNumber(),
    due_date: candidate.dueDate,
    score,
    reasons,
  };
}

export function presentTwin({
  id,
  status,
  bookedOn,
  counterpartyName,
  remittance,
}: BankEntry): TwinBody {
  return {
    bank_entry_id: publicId('bentry', id),
    status,
    booked_on: bookedOn,
    counterparty_name: counterpartyName,
    remittance,
  };
}

export function presentProposedPayout({ payout, reasons }: ProposedPayout): ProposedPayoutBody {
  return {
    payout_id: publicId('pout', payout.id),
    gateway: payout.gateway,
    provider_payout_id: payout.providerPayoutId,
    amount: payout.amount.toMinorNumber(),
    sent_on: payout.sentOn,
    arrives_on: payout.arrivesOn,
    reasons,
  };
}
