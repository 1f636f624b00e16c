import { publicId } from '../../kernel/ids.js';
import type { BankEntry } from '../domain/bank-entry.js';
import type { Proposal } from '../domain/bank-entry-match.js';
import type { NamedPayment, PaymentRelation } from '../domain/named-payment.js';
import type { ProposedPayout } from '../domain/payouts/payout-match.js';

/** The public form of a bank entry. Amounts in minor units. */
export function presentBankEntry(entry: BankEntry) {
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

export function presentNamedPayment(payment: NamedPayment, relation: PaymentRelation) {
  return {
    payment_id: publicId('pay', payment.paymentId),
    relation,
    amount: payment.amount.toMinorNumber(),
    paid_on: payment.paidOn,
    reference: payment.reference,
    reasons: payment.reasons,
  };
}

export function presentProposal({ candidate, score, reasons }: Proposal) {
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

export function presentTwin({ id, status, bookedOn, counterpartyName, remittance }: BankEntry) {
  return {
    bank_entry_id: publicId('bentry', id),
    status,
    booked_on: bookedOn,
    counterparty_name: counterpartyName,
    remittance,
  };
}

export function presentProposedPayout({ payout, reasons }: ProposedPayout) {
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
