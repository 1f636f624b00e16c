import { Injectable } from '@nestjs/common';
import { startOfDay } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type BankEntry, isOpenEntry } from '../domain/bank-entry.js';
import type { Proposal } from '../domain/bank-entry-match.js';
import type { ProposedPayout } from '../domain/payouts/payout-match.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { BankEntryBooking, type ByBankClient } from './bank-entry-booking.js';
import {
  BankEntryMatching,
  type EntryPossibilities,
  type ProposedPayment,
} from './bank-entry-matching.js';
import { BankEntryWriter } from './bank-entry-writer.js';

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

/** Of a sure match whose documents others change each time before they are locked. */
const MOST_TRIES = 5;

/** Books an entry if its documents are sure; else it proposes documents. */
@Injectable()
export class BankEntryJudging {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly matching: BankEntryMatching,
    private readonly booking: BankEntryBooking,
    private readonly writer: BankEntryWriter,
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
    await this.booking.book(tx, by, entry, paidAt, { customerId: null, allocate, countsAs: null });
    return true;
  }
}
