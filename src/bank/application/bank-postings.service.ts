import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { By } from '../../kernel/actor.js';
import { Allocations, PaymentRefusal } from '../../payments/index.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import {
  assertIgnorable,
  assertOpen,
  assertPostable,
  assertUnbookable,
  type BankEntry,
  type PostingAccount,
} from '../domain/bank-entry.js';
import { assertRelated } from '../domain/named-payment.js';
import { assertIsPayout } from '../domain/payouts/payout-match.js';
import { NamedPaymentsQuery } from '../infrastructure/named-payments.query.js';
import { PayoutRepository } from '../infrastructure/payout.repository.js';
import { BankEntryChanges } from './bank-entry-changes.js';
import type { JudgedBankEntry } from './bank-entry-judging.service.js';
import { BankEntryWriter } from './bank-entry-writer.js';
import { BankRefusal } from '../domain/refusals.js';

type Guard = CommitGuard<JudgedBankEntry>;

/** Entries that make no payment: they are one, take one back, stand on an account, or are nothing. */
@Injectable()
export class BankPostings {
  constructor(
    private readonly changes: BankEntryChanges,
    private readonly payments: NamedPaymentsQuery,
    private readonly allocations: Allocations,
    private readonly writer: BankEntryWriter,
    private readonly payouts: PayoutRepository,
  ) {}

  /**
   * The entry is a payment that was recorded by hand, or takes a payment back.
   * @throws DomainError `bank_entry_not_found`, `bank_entry_booked`, `payment_not_found`,
   *   `bank_entry_payment_differs`, and as `Allocations.reverse`
   */
  async confirmPayment(
    by: By,
    clientId: Uuid,
    id: Uuid,
    paymentId: Uuid,
    guard?: Guard,
  ): Promise<JudgedBankEntry> {
    return this.changes.book(by, id, { may: assertOpen, guard }, async (tx, entry) => {
      const payment = await this.payments.findForUpdate(tx, by.accountId, paymentId);
      if (!payment) throw PaymentRefusal.payment_not_found.of();
      const relation = assertRelated(entry, payment);
      if (relation === 'same')
        return this.writer.asPayment(tx, entry, by.actor, 'recorded', paymentId);
      const reason = entry.returnReason ?? entry.transactionType ?? 'returned by the bank';
      const effective = entry.bookedOn;
      await this.allocations.reverseWithin(tx, by, clientId, paymentId, { reason, effective });
      return this.writer.asReturn(tx, entry, by.actor, payment);
    });
  }

  /** The entry is a payout of a provider, which is paid with it. */
  async confirmPayout(by: By, id: Uuid, payoutId: Uuid, guard?: Guard): Promise<JudgedBankEntry> {
    return this.changes.book(by, id, { may: assertOpen, guard }, async (tx, entry) => {
      const payout = await this.payouts.getForUpdate(tx, by.accountId, payoutId);
      assertIsPayout(entry, payout);
      return this.writer.asPayout(tx, entry, by.actor, payout);
    });
  }

  /** Books an entry to an account of the chart. */
  async post(
    by: By,
    id: Uuid,
    ledgerAccount: PostingAccount,
    guard?: Guard,
  ): Promise<JudgedBankEntry> {
    return this.changes.book(by, id, { may: assertPostable, guard }, async (tx, entry) =>
      this.writer.asPosting(tx, entry, by.actor, ledgerAccount),
    );
  }

  /**
   * Opens an entry again. The payment that it made is reversed, on the entry's day.
   * @throws DomainError `bank_entry_not_found`, `bank_entry_not_booked`, `bank_entry_returned`, and
   *   as `Allocations.reverse`
   */
  async undo(by: By, clientId: Uuid, id: Uuid, guard?: Guard): Promise<JudgedBankEntry> {
    return this.changes.change(by, id, { may: assertUnbookable, guard }, async (tx, entry) => {
      if (entry.status === 'booked') await this.takeBack(tx, by, clientId, entry);
      const { payoutId } = entry;
      const payout =
        payoutId === null ? null : await this.payouts.getForUpdate(tx, by.accountId, payoutId);
      return this.writer.undo(tx, entry, by.actor, payout);
    });
  }

  /** It pays nothing here. */
  async ignore(by: By, id: Uuid, guard?: Guard): Promise<JudgedBankEntry> {
    return this.changes.change(by, id, { may: assertIgnorable, guard }, async (tx, entry) =>
      entry.status === 'ignored' ? entry : this.writer.ignore(tx, entry, by.actor),
    );
  }

  private async takeBack(tx: Tx, by: By, clientId: Uuid, entry: BankEntry): Promise<void> {
    const { paymentId, bookedOn: effective } = entry;
    const payment = paymentId && (await this.payments.findForUpdate(tx, by.accountId, paymentId));
    if (!payment) return;
    if (!payment.isReversed) {
      const reason = 'the bank entry is for something else';
      await this.allocations.reverseWithin(tx, by, clientId, payment.paymentId, {
        reason,
        effective,
      });
      return;
    }
    if (await this.payments.isReturned(tx, by.accountId, payment.paymentId)) {
      throw BankRefusal.bank_entry_returned.of();
    }
  }
}
