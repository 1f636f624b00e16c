import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts, type AuditedTx, AuditedWork } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import type { IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { type CommitGuard, lookUpOf, type Tx } from '../../platform/database/tx.js';
import {
  assertEnded,
  type BooksOpen,
  firstDayAfter,
  firstDayOf,
  type Month,
  type PeriodClosing,
  type BooksPeriod,
  booksPeriod,
  booksPeriods,
} from '../domain/period.js';
import { ChartSettingsRepository } from '../infrastructure/chart-settings.repository.js';
import { PeriodClosingsRepository } from '../infrastructure/period-closings.repository.js';
import { RunningTransactionsQuery } from '../infrastructure/running-transactions.query.js';
import { BooksRefusal } from '../domain/refusals.js';
import { periodStep } from '../wire/period-events.js';

type Guard = CommitGuard<BooksPeriod>;

/** Facts that are under way end within the time that a statement has; a dump may take longer. */
const LONGEST_WAIT_MS = 20_000;

/** Closes the months of an account's books, in order, and opens them again (decision 84). */
@Injectable()
export class Periods {
  constructor(
    private readonly audited: AuditedWork,
    private readonly accounts: Accounts,
    private readonly closings: PeriodClosingsRepository,
    private readonly charts: ChartSettingsRepository,
    private readonly running: RunningTransactionsQuery,
    private readonly events: EventLog,
  ) {}

  /** Newest first. */
  async list(accountId: Uuid): Promise<{ openFrom: IsoDate; periods: BooksPeriod[] }> {
    const books = await this.books(accountId);
    return { openFrom: books.openFrom, periods: booksPeriods(books) };
  }

  /**
   * In two steps, so that no payment takes a lock for it: from the first one on, no new fact gets
   * in. Those that began before have ended by the second. It closes all months before, too.
   */
  async close(by: By, month: Month, guard?: Guard): Promise<BooksPeriod> {
    const { accountId } = by;
    // Of a repeat the answer is sent before anything is closed anew.
    const decided = await this.audited.run(by, lookUpOf(guard), async (change) => {
      const books = await this.lock(change.tx, accountId);
      assertEnded(booksPeriod(month, books), books.today);
      const openFrom = firstDayAfter(month);
      if (openFrom > books.openFrom) this.open(change, 'period.closed', month, books, openFrom);
      return books.closings.length;
    });
    if (!(await this.running.haveEnded(LONGEST_WAIT_MS))) throw stillClosing();
    return this.audited.run(by, guard, async ({ tx }) => {
      const books = await this.lock(tx, accountId);
      const period = booksPeriod(month, books);
      // A reopening meanwhile has ended this closing; another one waits for itself.
      const isReopened = books.closings.slice(decided).some(({ action }) => action === 'reopened');
      if (period.status !== 'closing' || isReopened) return period;
      const { version } = await this.charts.read(tx, accountId);
      const at = tx.now();
      this.closings.insertClosed(tx, accountId, firstDayAfter(month), at, version);
      const closed: BooksPeriod = { ...period, status: 'closed', closedAt: at };
      this.events.tell(tx, by, 'period.closed', periodStep(closed, books.openFrom));
      return closed;
    });
  }

  /** Opens a month, and those after it. */
  async reopen(by: By, month: Month, guard?: Guard): Promise<BooksPeriod> {
    return this.audited.run(by, guard, async (change) => {
      const { tx, accountId } = change;
      const books = await this.lock(tx, accountId);
      const period = booksPeriod(month, books);
      if (period.status === 'open') {
        throw BooksRefusal.period_not_closed.of(`${month} is open; nothing has to be done.`);
      }
      const first = firstDayOf(month);
      const openFrom = first > books.booksFrom ? first : books.booksFrom;
      this.open(change, 'period.reopened', month, books, openFrom);
      this.closings.insertReopened(tx, accountId, openFrom, tx.now());
      const open: BooksPeriod = { ...period, status: 'open', closedAt: null };
      this.events.tell(tx, by, 'period.reopened', periodStep(open, openFrom));
      return open;
    });
  }

  private open(
    { tx, accountId, record }: AuditedTx,
    action: 'period.closed' | 'period.reopened',
    month: Month,
    before: BooksOpen,
    openFrom: IsoDate,
  ): void {
    this.accounts.openBooksFrom(tx, accountId, openFrom);
    record({
      action,
      subject: month,
      before: { open_from: before.openFrom },
      after: { open_from: openFrom },
    });
  }

  private async books(accountId: Uuid): Promise<BooksOpen> {
    const [account, closings] = await Promise.all([
      this.accounts.find(accountId),
      this.closings.ofAccount(accountId),
    ]);
    return this.booksOf(account, closings);
  }

  private async lock(tx: Tx, accountId: Uuid): Promise<BooksOpen> {
    // The lock comes first: what is read after it cannot change any more.
    const account = await this.accounts.getForUpdate(tx, accountId);
    return this.booksOf(account, await this.closings.readOfAccount(tx, accountId));
  }

  private booksOf(account: AccountRow, closings: readonly PeriodClosing[]): BooksOpen {
    return {
      booksFrom: account.booksFrom,
      openFrom: account.booksOpenFrom,
      today: this.accounts.todayOf(account),
      closings,
    };
  }
}

function stillClosing(): DomainError {
  return BooksRefusal.period_closing.later(
    5,
    'No new fact gets into the month, but one that began before has not ended; close it again.',
  );
}
