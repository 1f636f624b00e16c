import { Injectable } from '@nestjs/common';
import { Accounts, AuditLog } from '../../auth/index.js';
import { Customers, DocumentRepository } from '../../documents/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock, startOfDay } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import { assertBookable, assertOpen, type BankEntry, referenceOf } from '../domain/bank-entry.js';
import { type Candidate, type Proposal, proposalsFor, sureMatch } from '../domain/entry-match.js';
import { type NamesInText, namesIn } from '../domain/names-in-text.js';
import {
  Receipts,
  type RecordReceipt,
  assertNotInFuture,
  unknownCustomer,
} from '../../payments/index.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { EntryCandidatesQuery } from '../infrastructure/entry-candidates.query.js';

/** Whose entries, and who asks; the operator where there is no client. */
export interface ByBankClient {
  accountId: Uuid;
  clientId: Uuid | null;
}

/** What a person says an entry is for. */
export type Confirmation = Pick<RecordReceipt, 'customerId' | 'allocate'>;

/** An entry, and what it may be for as long as it is open. */
export interface JudgedEntry {
  entry: BankEntry;
  proposals: Proposal[];
}

type Guard = CommitGuard<JudgedEntry>;

/** What becomes of the entries of bank statements: booked where it is sure, else proposed. */
@Injectable()
export class BankEntries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly candidates: EntryCandidatesQuery,
    private readonly customers: Customers,
    private readonly documents: DocumentRepository,
    private readonly receipts: Receipts,
    private readonly accounts: Accounts,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Books a new entry or proposes documents for it. One that somebody judged stays as it is. */
  async judge(by: ByBankClient, id: Uuid, timeZone: string): Promise<void> {
    await this.uow.run(async (tx) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      if (entry.isJudged || entry.status !== 'unmatched') return;
      const names = namesOf(entry);
      const named = await this.candidates.named(tx, by.accountId, names);
      const paidAt = startOfDay(entry.bookedOn, timeZone);
      const sure = paidAt <= this.clock.now() && (await this.sureMatch(tx, entry, names, named));
      if (sure) {
        const allocate = sure.map(({ documentId, amount }) => ({
          documentId,
          amountMinor: amount.minor,
        }));
        await this.book(tx, by, entry, paidAt, { customerId: null, allocate });
        return;
      }
      const proposals = await this.proposals(tx, entry, names, named);
      const status = proposals.length > 0 ? 'proposed' : 'unmatched';
      this.repository.settle(tx, entry, status, null, this.clock.now());
    });
  }

  /** With the documents that an open entry may be for now. */
  async withProposals(entry: BankEntry): Promise<JudgedEntry> {
    if (entry.status === 'booked' || entry.status === 'debit') return { entry, proposals: [] };
    const names = namesOf(entry);
    const proposals = await this.uow.run(async (tx) => {
      const named = await this.candidates.named(tx, entry.accountId, names);
      return this.proposals(tx, entry, names, named);
    });
    return { entry, proposals };
  }

  /**
   * Books an entry as somebody says.
   * @throws DomainError `bank_entry_not_found`, `bank_entry_booked`, `bank_entry_not_bookable`,
   *   and as `Receipts.record`
   */
  async confirm(
    by: ByBankClient,
    id: Uuid,
    confirmation: Confirmation,
    guard?: Guard,
  ): Promise<JudgedEntry> {
    const { timeZone } = await this.accounts.find(by.accountId);
    const { customerId } = confirmation;
    // Asked before the transaction: within it, this would take a second connection.
    const isKnown = !customerId || (await this.customers.exists(by.accountId, customerId));
    return this.uow.run(async (tx) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertBookable(entry);
      if (!isKnown) throw unknownCustomer();
      const paidAt = startOfDay(entry.bookedOn, timeZone);
      assertNotInFuture(paidAt, this.clock.now());
      const paymentId = await this.book(tx, by, entry, paidAt, confirmation);
      return { entry: { ...entry, status: 'booked', paymentId }, proposals: [] };
    }, guard);
  }

  /** It pays nothing here. @throws DomainError `bank_entry_not_found`, `bank_entry_booked` */
  async ignore(by: By, id: Uuid, guard?: Guard): Promise<JudgedEntry> {
    return this.uow.run(async (tx) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertOpen(entry);
      if (entry.status !== 'ignored') {
        this.repository.settle(tx, entry, 'ignored', null, this.clock.now());
        this.audit.record(tx, by, {
          action: 'bank_entry.ignored',
          subject: publicId('bentry', id),
          before: { status: entry.status },
          after: { status: 'ignored' },
        });
      }
      return { entry: { ...entry, status: 'ignored' }, proposals: [] };
    }, guard);
  }

  /** Decides without locks first, for most are not sure; then again on what nobody else changes. */
  private async sureMatch(
    tx: Tx,
    entry: BankEntry,
    names: NamesInText,
    named: readonly Candidate[],
  ) {
    if (!sureMatch(entry, names, named)) return undefined;
    const ids = named.map(({ documentId }) => documentId);
    const locked = await this.documents.findForUpdate(tx, entry.accountId, ids);
    const states = new Map(locked.map((document) => [document.state.id, document]));
    const current = named.flatMap((candidate) => {
      const document = states.get(candidate.documentId);
      if (!document) return [];
      const due = document.amountDue;
      const isPayable = due.isPositive() && document.refusalOf('pay') === null;
      return [{ ...candidate, due, isPayable }];
    });
    const sure = sureMatch(entry, names, current);
    return sure && !(await this.repository.mayBeBooked(tx, entry)) ? sure : undefined;
  }

  private async book(
    tx: Tx,
    { accountId, clientId }: ByBankClient,
    entry: BankEntry,
    paidAt: Date,
    { customerId, allocate }: Confirmation,
  ): Promise<Uuid> {
    const { payment } = await this.receipts.receive(tx, {
      accountId,
      source: { by: 'bank', clientId, bankEntryId: entry.id },
      customerId,
      amountMinor: entry.amount.minor,
      currency: entry.amount.currency,
      method: 'bank_transfer',
      reference: referenceOf(entry),
      note: null,
      metadata: {},
      paidAt,
      allocate,
    });
    this.repository.settle(tx, entry, 'booked', payment.id, this.clock.now());
    return payment.id;
  }

  private async proposals(
    tx: Tx,
    entry: BankEntry,
    names: NamesInText,
    named: readonly Candidate[],
  ): Promise<Proposal[]> {
    const alike = await this.candidates.alike(tx, entry);
    // What is found in both ways is known best by the second.
    const all = new Map([...named, ...alike].map((one) => [one.documentId, one]));
    return proposalsFor(entry, names, [...all.values()]);
  }
}

function namesOf({ structuredReference, remittance }: BankEntry): NamesInText {
  return namesIn([structuredReference, remittance]);
}
