import { Injectable } from '@nestjs/common';
import { Accounts, type AuditedTx, AuditedWork } from '../../auth/index.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { By } from '../../kernel/actor.js';
import { Allocations, PaymentRefusal } from '../../payments/index.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import {
  assertBookedBy,
  assertIgnorable,
  assertOpen,
  assertPostable,
  assertUnbookable,
  type BankEntry,
  type PostingAccount,
  reopened,
} from '../domain/bank-entry.js';
import { assertRelated } from '../domain/named-payment.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { assertIsPayout } from '../domain/payouts/payout-match.js';
import { NamedPaymentsQuery } from '../infrastructure/named-payments.query.js';
import { PayoutRepository } from '../infrastructure/payout.repository.js';
import { judgedAs, type JudgedBankEntry } from './bank-entry-judging.service.js';
import { BankEntryWriter } from './bank-entry-writer.js';
import { BankRefusal } from '../domain/refusals.js';

type Guard = CommitGuard<JudgedBankEntry>;

/** Entries that make no payment: they are one, take one back, stand on an account, or are nothing. */
@Injectable()
export class BankPostings {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: BankStatementRepository,
    private readonly payments: NamedPaymentsQuery,
    private readonly allocations: Allocations,
    private readonly writer: BankEntryWriter,
    private readonly accounts: Accounts,
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
    const today = await this.accounts.today(by.accountId);
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertOpen(entry);
      assertBookedBy(entry, today);
      const payment = await this.payments.findForUpdate(tx, by.accountId, paymentId);
      if (!payment) throw PaymentRefusal.payment_not_found.of();
      const relation = assertRelated(entry, payment);
      if (relation === 'same') {
        const settled = this.writer.asPayment(tx, entry, by.actor, 'recorded', paymentId);
        return told(record, entry, settled);
      }
      const reason = entry.returnReason ?? entry.transactionType ?? 'returned by the bank';
      const effective = entry.bookedOn;
      await this.allocations.reverseWithin(tx, by, clientId, paymentId, { reason, effective });
      return told(record, entry, this.writer.asReturn(tx, entry, by.actor, payment));
    });
  }

  /** The entry is a payout of a provider, which is paid with it. */
  async confirmPayout(by: By, id: Uuid, payoutId: Uuid, guard?: Guard): Promise<JudgedBankEntry> {
    const today = await this.accounts.today(by.accountId);
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertOpen(entry);
      assertBookedBy(entry, today);
      const payout = await this.payouts.getForUpdate(tx, by.accountId, payoutId);
      assertIsPayout(entry, payout);
      return told(record, entry, this.writer.asPayout(tx, entry, by.actor, payout));
    });
  }

  /** Books an entry to an account of the chart. */
  async post(
    by: By,
    id: Uuid,
    ledgerAccount: PostingAccount,
    guard?: Guard,
  ): Promise<JudgedBankEntry> {
    const today = await this.accounts.today(by.accountId);
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertPostable(entry);
      assertBookedBy(entry, today);
      return told(record, entry, this.writer.asPosting(tx, entry, by.actor, ledgerAccount));
    });
  }

  /**
   * Opens an entry again. The payment that it made is reversed, on the entry's day.
   * @throws DomainError `bank_entry_not_found`, `bank_entry_not_booked`, `bank_entry_returned`, and
   *   as `Allocations.reverse`
   */
  async undo(by: By, clientId: Uuid, id: Uuid, guard?: Guard): Promise<JudgedBankEntry> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertUnbookable(entry);
      if (entry.status === 'booked') await this.takeBack(tx, by, clientId, entry);
      const { payoutId } = entry;
      const payout =
        payoutId === null ? null : await this.payouts.getForUpdate(tx, by.accountId, payoutId);
      return told(record, entry, this.writer.undo(tx, entry, by.actor, payout));
    });
  }

  /** It pays nothing here. */
  async ignore(by: By, id: Uuid, guard?: Guard): Promise<JudgedBankEntry> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const entry = await this.repository.getForUpdate(tx, by.accountId, id);
      assertIgnorable(entry);
      if (entry.status !== 'ignored') {
        this.writer.ignore(tx, entry, by.actor);
        record({
          action: 'bank_entry.ignored',
          subject: publicId('bentry', id),
          before: { status: entry.status },
          after: { status: 'ignored' },
        });
      }
      return judgedAs({ ...entry, status: 'ignored' });
    });
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

function told(record: AuditedTx['record'], before: BankEntry, after: BankEntry): JudgedBankEntry {
  record({
    action: after.status === reopened(before) ? 'bank_entry.unbooked' : 'bank_entry.booked',
    subject: publicId('bentry', before.id),
    before: said(before),
    after: said(after),
  });
  return judgedAs(after);
}

const said = ({ status, paymentId, payoutId, ledgerAccount }: BankEntry) => ({
  status,
  ...(payoutId ? { payout_id: publicId('pout', payoutId) } : {}),
  ...(paymentId ? { payment_id: publicId('pay', paymentId) } : {}),
  ...(ledgerAccount ? { ledger_account: ledgerAccount } : {}),
});
