import { Injectable } from '@nestjs/common';
import { DocumentRepository } from '../../documents/index.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { BankEntry } from '../domain/bank-entry.js';
import {
  type Candidate,
  type Proposal,
  proposalsFor,
  sureMatch,
} from '../domain/bank-entry-match.js';
import { type NamedPayment, type PaymentRelation, relationTo } from '../domain/named-payment.js';
import { type NamesInText, namesIn } from '../domain/names-in-text.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { BankEntryCandidatesQuery } from '../infrastructure/bank-entry-candidates.query.js';
import {
  payoutAmountOf,
  type ProposedPayout,
  proposedPayouts,
} from '../domain/payouts/payout-match.js';
import { PayoutsQuery } from '../infrastructure/payouts.query.js';
import { NamedPaymentsQuery } from '../infrastructure/named-payments.query.js';

/** The names in an entry's text, and the documents found by them. */
interface Named {
  names: NamesInText;
  candidates: readonly Candidate[];
}

/** A payment, and what it would be to an entry. */
export interface ProposedPayment {
  payment: NamedPayment;
  relation: PaymentRelation;
}

/** Finds the documents and the payments that an entry may be for; it books nothing. */
@Injectable()
export class BankEntryMatching {
  constructor(
    private readonly candidates: BankEntryCandidatesQuery,
    private readonly documents: DocumentRepository,
    private readonly entries: BankStatementRepository,
    private readonly namedPayments: NamedPaymentsQuery,
    private readonly openPayouts: PayoutsQuery,
  ) {}

  async named(tx: Tx, { accountId, structuredReference, remittance }: BankEntry): Promise<Named> {
    const names = namesIn([structuredReference, remittance]);
    return { names, candidates: await this.candidates.named(tx, accountId, names) };
  }

  /** Decides without locks first, for most are not sure; then again on what nobody else changes. */
  async sure(tx: Tx, entry: BankEntry, { names, candidates }: Named) {
    if (!sureMatch(entry, names, candidates)) return undefined;
    const ids = candidates.map(({ documentId }) => documentId);
    const locked = await this.documents.findForUpdate(tx, entry.accountId, ids);
    const states = new Map(locked.map((document) => [document.state.id, document]));
    const current = candidates.flatMap((candidate) => {
      const document = states.get(candidate.documentId);
      if (!document) return [];
      const due = document.amountPayable;
      const isPayable = due.isPositive() && document.refusalOf('pay') === null;
      return [{ ...candidate, due, isPayable }];
    });
    const sure = sureMatch(entry, names, current);
    if (!sure || (await this.entries.mayBeBooked(tx, entry))) return undefined;
    const payments = await this.payments(tx, entry, { names, candidates });
    return payments.length === 0 ? sure : undefined;
  }

  /** Payments that the entry may be, or may take back. */
  async payments(tx: Tx, entry: BankEntry, { candidates }: Named): Promise<ProposedPayment[]> {
    const documents = candidates.map(({ documentId }) => documentId);
    const found = await this.namedPayments.of(tx, entry, documents);
    return found.flatMap((payment) => {
      const relation = relationTo(entry, payment);
      return relation ? [{ payment, relation }] : [];
    });
  }

  /** Payouts on their way that the entry may be. */
  async payouts(tx: Tx, entry: BankEntry): Promise<ProposedPayout[]> {
    const { accountId, bookedOn } = entry;
    const amount = payoutAmountOf(entry);
    if (amount.isZero() || entry.isReversal) return [];
    return proposedPayouts(
      entry,
      await this.openPayouts.inTransit(tx, accountId, amount, bookedOn),
    );
  }

  async proposals(tx: Tx, entry: BankEntry, named: Named): Promise<Proposal[]> {
    const alike = await this.candidates.alike(tx, entry);
    // The second way knows more about a document that both found.
    const all = new Map([...named.candidates, ...alike].map((one) => [one.documentId, one]));
    return proposalsFor(entry, named.names, [...all.values()]);
  }
}
