import { Injectable } from '@nestjs/common';
import { DocumentRepository } from '../../documents/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { type BankEntry, isSpokenFor } from '../domain/bank-entry.js';
import { type Proposal, proposalsFor, sureMatch } from '../domain/bank-entry-match.js';
import { type NamedPayment, type PaymentRelation, relationTo } from '../domain/named-payment.js';
import { type NamesInText, namesIn } from '../domain/names/names-in-text.js';
import { type ProposedPayout, proposedPayouts } from '../domain/payouts/payout-match.js';
import { BankEntryCandidatesQuery } from '../infrastructure/bank-entry-candidates.query.js';
import { BankEntryEvidenceQuery } from '../infrastructure/bank-entry-evidence.query.js';
import { BankEntryTwinsQuery } from '../infrastructure/bank-entry-twins.query.js';
import { NamedPaymentsQuery } from '../infrastructure/named-payments.query.js';

/** A payment, and what it would be to an entry. */
export interface ProposedPayment {
  payment: NamedPayment;
  relation: PaymentRelation;
}

/** All that an entry may be, as of one moment. */
export interface EntryPossibilities {
  /** It surely is a payment of documents: to be decided again under their locks. */
  isSure: boolean;
  proposals: Proposal[];
  payments: ProposedPayment[];
  payouts: ProposedPayout[];
  /** Entries of other files that may be the same movement. */
  twins: BankEntry[];
}

/** Finds the documents and the payments that an entry may be for; it books nothing. */
@Injectable()
export class BankEntryMatching {
  constructor(
    private readonly evidence: BankEntryEvidenceQuery,
    private readonly candidates: BankEntryCandidatesQuery,
    private readonly documents: DocumentRepository,
    private readonly twins: BankEntryTwinsQuery,
    private readonly namedPayments: NamedPaymentsQuery,
  ) {}

  /** No locks: most entries are not sure. */
  async possibilities(entry: BankEntry): Promise<EntryPossibilities> {
    const names = namesOf(entry);
    const { named, alike, twins, ...found } = await this.evidence.of(entry, names);
    const payments = proposedPayments(entry, found.payments);
    const isNamed = sureMatch(entry, names, named) !== undefined;
    // The second way knows more about a document that both found.
    const all = new Map([...named, ...alike].map((one) => [one.documentId, one]));
    return {
      isSure: isNamed && payments.length === 0 && !twins.some(isSpokenFor),
      proposals: proposalsFor(entry, names, [...all.values()]),
      payments,
      payouts: proposedPayouts(entry, found.payouts),
      twins,
    };
  }

  /** Decides while the documents are locked, so that nobody changes them. */
  async sure(tx: Tx, entry: BankEntry) {
    const { accountId } = entry;
    const read = async <Row>(text: string, values?: unknown[]): Promise<Row[]> =>
      tx.read(text, values);
    const names = namesOf(entry);
    const candidates = await this.candidates.named(read, accountId, names);
    const ids = candidates.map(({ documentId }) => documentId);
    const locked = await this.documents.findForUpdate(tx, accountId, ids);
    const states = new Map(locked.map((document) => [document.state.id, document]));
    const current = candidates.flatMap((candidate) => {
      const document = states.get(candidate.documentId);
      if (!document) return [];
      const due = document.amountPayable;
      const isPayable = due.isPositive() && document.refusalOf('pay') === null;
      return [{ ...candidate, due, isPayable }];
    });
    const sure = sureMatch(entry, names, current);
    if (!sure) return undefined;
    // Sent together: the lock comes first, and what is read then is as of after it.
    const [, twins] = await Promise.all([
      this.twins.lock(tx, accountId),
      this.twins.of(read, entry),
    ]);
    if (twins.some(isSpokenFor)) return undefined;
    const payments = await this.namedPayments.of(read, entry, ids);
    return proposedPayments(entry, payments).length === 0 ? sure : undefined;
  }
}

function namesOf({ structuredReference, remittance }: BankEntry): NamesInText {
  return namesIn([structuredReference, remittance]);
}

/** Payments that the entry may be, or may take back. */
function proposedPayments(entry: BankEntry, found: readonly NamedPayment[]): ProposedPayment[] {
  return found.flatMap((payment) => {
    const relation = relationTo(entry, payment);
    return relation ? [{ payment, relation }] : [];
  });
}
