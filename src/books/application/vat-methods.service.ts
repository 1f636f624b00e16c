import { Injectable } from '@nestjs/common';
import { Accounts, AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { addDays, dateIn, type IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { type VatDecision, type VatMethod, vatMethodOn } from '../domain/tax-report.js';
import { VatMethodsRepository } from '../infrastructure/vat-methods.repository.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { DocumentRefusal } from '../../documents/index.js';

/** Tax offices are told of a change for the next year. */
const MOST_DAYS_AHEAD = 366;

/** When tax is due: an account decides it from a day on. */
@Injectable()
export class VatMethods {
  constructor(
    private readonly audited: AuditedWork,
    private readonly methods: VatMethodsRepository,
    private readonly accounts: Accounts,
  ) {}

  /** In the order in which they were made. */
  async list(accountId: Uuid): Promise<VatDecision[]> {
    return this.methods.ofAccount(accountId);
  }

  /** Reports of closed months stay as they are, so the day is in none of them. */
  async decide(
    by: By,
    method: VatMethod,
    from: IsoDate,
    guard?: CommitGuard<VatDecision>,
  ): Promise<VatDecision> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      // Locked, so that no month of it is closed meanwhile.
      const { timeZone, booksOpenFrom } = await this.accounts.getForUpdate(tx, by.accountId);
      const decidedAt = tx.now();
      assertOpenDay(from, addDays(dateIn(timeZone, decidedAt), MOST_DAYS_AHEAD), booksOpenFrom);
      const before = vatMethodOn(from, await this.methods.readOfAccount(tx, by.accountId));
      const decision = { method, from, decidedAt };
      this.methods.insert(tx, by.accountId, decision);
      record({
        action: 'vat_method.set',
        subject: from,
        before: { method: before },
        after: { method },
      });
      return decision;
    });
  }
}

function assertOpenDay(from: IsoDate, latest: IsoDate, openFrom: IsoDate): void {
  if (from > latest) {
    const detail = `from must be ${latest} at the latest.`;
    throw FieldRefusal.date_in_future.at('/from', detail);
  }
  if (from >= openFrom) return;
  throw DocumentRefusal.period_closed.of(
    `The books are closed before ${openFrom}; name that day or a later one, or reopen the month.`,
    { open_from: openFrom },
  );
}
