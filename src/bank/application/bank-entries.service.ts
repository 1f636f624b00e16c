import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { Customers, unknownPayingCustomer } from '../../documents/index.js';
import type { Actor } from '../../kernel/actor.js';
import { startOfDay } from '../../kernel/clock.js';
import { assertHappened } from '../../kernel/fact-dates.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { assertBookable, type BankEntry, isOpenEntry, referenceOf } from '../domain/bank-entry.js';
import type { Proposal } from '../domain/bank-entry-match.js';
import {
  AllocatedPayments,
  type CountedAs,
  foreignFrom,
  type RecordAllocatedPayment,
} from '../../payments/index.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import type { ProposedPayout } from '../domain/payouts/payout-match.js';
import {
  BankEntryMatching,
  type EntryPossibilities,
  type ProposedPayment,
} from './bank-entry-matching.js';
import { BankEntryWriter } from './bank-entry-writer.js';

/** The account of the entries, and the client that asks; null for the operator. */
export interface ByBankClient {
  accountId: Uuid;
  clientId: Uuid | null;
}

/** A person's decision about an entry. */
export type Confirmation = Pick<RecordAllocatedPayment, 'customerId' | 'allocate'> & {
  /** If that is in another currency than the entry. */
  countsAs: CountedAs | null;
};

/** An entry, and what it may be for as long as it is open. */
export interface JudgedBankEntry {
  entry: BankEntry;
  proposals: Proposal[];
  payments: ProposedPayment[];
  payouts: ProposedPayout[];
  twins: BankEntry[];
}

/** One that somebody judged: nothing else is proposed for it. */
export const judgedAs = (entry: BankEntry): JudgedBankEntry => ({
  entry,
  proposals: [],
  payments: [],
  payouts: [],
  twins: [],
});

type Guard = CommitGuard<JudgedBankEntry>;

/** Of a sure match whose documents others change each time before they are locked. */
const MOST_TRIES = 5;

/** Books an entry if its documents are sure; else it proposes documents. */
@Injectable()
export class BankEntries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly matching: BankEntryMatching,
    private readonly customers: Customers,
    private readonly payments: AllocatedPayments,
    private readonly writer: BankEntryWriter,
    private readonly accounts: Accounts,
  ) {}

  /** Books a new entry or proposes documents for it. One that somebody judged stays as it is. */
  async judge(by: ByBankClient, entry: BankEntry, timeZone: string): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      const possible = await this.matching.possibilities(entry);
      const isSure = possible.isSure && tries <= MOST_TRIES;
      const isDone = await this.uow.run(async (tx) =>
        this.settle(tx, by, entry.id, { ...possible, isSure }, timeZone),
      );
      if (isDone) return;
    }
  }

  /** With the documents that an open entry may be for now. */
  async withProposals(entry: BankEntry): Promise<JudgedBankEntry> {
    if (!isOpenEntry(entry)) return judgedAs(entry);
    const { isSure: _, ...possible } = await this.matching.possibilities(entry);
    return { entry, ...possible };
  }

  /**
   * Books an entry as somebody says.
   * @throws DomainError `bank_entry_not_found`, `bank_entry_booked`, `bank_entry_not_bookable`,
   *   and as `AllocatedPayments.record`
   */
  async confirm(
    by: ByBankClient,
    id: Uuid,
    confirmation: Confirmation,
    guard?: Guard,
  ): Promise<JudgedBankEntry> {
    const { timeZone } = await this.accounts.find(by.accountId);
    const { customerId } = confirmation;
    // Asked before the transaction: within it, this would take a second connection.
    const isKnown = !customerId || (await this.customers.exists(by.accountId, customerId));
    return this.uow.run(async (tx) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertBookable(entry);
      if (!isKnown) throw unknownPayingCustomer();
      const paidAt = startOfDay(entry.bookedOn, timeZone);
      assertHappened('paid_at', paidAt, tx.now());
      const paymentId = await this.book(tx, by, entry, paidAt, confirmation);
      return judgedAs({ ...entry, status: 'booked', paymentId });
    }, guard);
  }

  /** False: what it was sure of is so no more, and has to be looked at again. */
  private async settle(
    tx: Tx,
    by: ByBankClient,
    id: Uuid,
    { isSure, proposals, payments, payouts, twins }: EntryPossibilities,
    timeZone: string,
  ): Promise<boolean> {
    const entry = await this.repository.getForUpdate(tx, by.accountId, id);
    if (entry.isJudged || entry.status !== 'unmatched') return true;
    const paidAt = startOfDay(entry.bookedOn, timeZone);
    if (!isSure || paidAt > tx.now()) {
      const isProposed = proposals.length + payments.length + payouts.length + twins.length > 0;
      this.writer.leave(tx, entry, isProposed ? 'proposed' : 'unmatched');
      return true;
    }
    const sure = await this.matching.sure(tx, entry);
    if (!sure) return false;
    const allocate = sure.map(({ documentId, amount }) => ({
      documentId,
      amountMinor: amount.minor,
    }));
    await this.book(tx, by, entry, paidAt, { customerId: null, allocate, countsAs: null });
    return true;
  }

  private async book(
    tx: Tx,
    { accountId, clientId }: ByBankClient,
    entry: BankEntry,
    paidAt: Date,
    { customerId, allocate, countsAs }: Confirmation,
  ): Promise<Uuid> {
    const { payment } = await this.payments.receive(tx, {
      accountId,
      source: { by: 'bank', clientId, bankEntryId: entry.id },
      customerId,
      amountMinor: countsAs?.amountMinor ?? entry.amount.minor,
      currency: countsAs?.currency ?? entry.amount.currency,
      received: countsAs && foreignFrom(entry.amount, countsAs),
      method: 'bank_transfer',
      reference: referenceOf(entry),
      note: null,
      metadata: {},
      paidAt,
      allocate,
    });
    const actor: Actor =
      clientId === null
        ? { type: 'operator', id: null }
        : { type: 'client', id: publicId('cli', clientId) };
    this.writer.asPayment(tx, entry, actor, 'booked', payment.id);
    return payment.id;
  }
}
