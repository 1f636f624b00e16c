import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { Customers, unknownPayingCustomer } from '../../documents/index.js';
import { startOfDay } from '../../kernel/clock.js';
import { assertHappened } from '../../kernel/fact-dates.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { assertBookable } from '../domain/bank-entry.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { BankEntryBooking, type ByBankClient, type Confirmation } from './bank-entry-booking.js';
import { judgedAs, type JudgedBankEntry } from './bank-entry-judging.service.js';

type Guard = CommitGuard<JudgedBankEntry>;

/** A person says which documents an entry pays. */
@Injectable()
export class BankEntries {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: BankStatementRepository,
    private readonly customers: Customers,
    private readonly booking: BankEntryBooking,
    private readonly accounts: Accounts,
  ) {}

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
      const paymentId = await this.booking.book(tx, by, entry, paidAt, confirmation);
      return judgedAs({ ...entry, status: 'booked', paymentId });
    }, guard);
  }
}
