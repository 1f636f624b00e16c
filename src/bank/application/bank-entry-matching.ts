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
import { type NamesInText, namesIn } from '../domain/names-in-text.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { BankEntryCandidatesQuery } from '../infrastructure/bank-entry-candidates.query.js';

/** The names in an entry's text, and the documents found by them. */
interface Named {
  names: NamesInText;
  candidates: readonly Candidate[];
}

/** Finds the documents that an entry pays; it books nothing. */
@Injectable()
export class BankEntryMatching {
  constructor(
    private readonly candidates: BankEntryCandidatesQuery,
    private readonly documents: DocumentRepository,
    private readonly entries: BankStatementRepository,
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
      const due = document.amountDue;
      const isPayable = due.isPositive() && document.refusalOf('pay') === null;
      return [{ ...candidate, due, isPayable }];
    });
    const sure = sureMatch(entry, names, current);
    return sure && !(await this.entries.mayBeBooked(tx, entry)) ? sure : undefined;
  }

  async proposals(tx: Tx, entry: BankEntry, named: Named): Promise<Proposal[]> {
    const alike = await this.candidates.alike(tx, entry);
    // The second way knows more about a document that both found.
    const all = new Map([...named.candidates, ...alike].map((one) => [one.documentId, one]));
    return proposalsFor(entry, named.names, [...all.values()]);
  }
}
