import { Injectable } from '@nestjs/common';
import { Accounts, AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { ClockRefusal } from '../domain/clock-refusals.js';
import type { DueWorkName } from '../domain/due-work-names.js';
import { type Advance, wayAhead } from '../domain/way-ahead.js';
import { TestClockRepository } from '../infrastructure/test-clock.repository.js';
import { DueWork } from './due-work.js';

/** The time that an account's clock says, and what was done on its way there. */
export interface ClockStanding {
  now: Date;
  isStanding: boolean;
  happened: { at: Date; work: DueWorkName; count: number }[];
}

/**
 * Moves the clock of an account made for trying (decision 264). It stops wherever something may be due, so
 * that all happens in its order; and from its first move on it stands still between two calls.
 */
@Injectable()
export class TestClockMoves {
  constructor(
    private readonly accounts: Accounts,
    private readonly audited: AuditedWork,
    private readonly repository: TestClockRepository,
    private readonly due: DueWork,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `test_clock_for_tests` */
  async read(accountId: Uuid): Promise<ClockStanding> {
    await this.zoneOf(accountId);
    return this.standing(accountId);
  }

  private async standing(accountId: Uuid): Promise<ClockStanding> {
    const at = await this.repository.find(accountId);
    return { now: at ?? this.clock.serverNow(), isStanding: at !== null, happened: [] };
  }

  /** @throws DomainError `test_clock_for_tests`, `test_clock_moved`, and as `wayAhead` */
  async advance(
    by: By,
    advance: Advance,
    guard?: CommitGuard<ClockStanding>,
  ): Promise<ClockStanding> {
    const { accountId } = by;
    const timeZone = await this.zoneOf(accountId);
    const before = await this.standing(accountId);
    // An answer that is stored already is sent again, before anything moves.
    await this.audited.look(guard);
    const clock = { own: before.now, server: this.clock.serverNow() };
    const happened: ClockStanding['happened'] = [];
    let from = before.isStanding ? before.now : null;
    const entry = (to: Date) => ({
      action: 'test_clock.advanced' as const,
      subject: publicId('acc', accountId),
      before: { now: before.now.toISOString() },
      after: { now: to.toISOString() },
    });
    try {
      for (const at of wayAhead(advance, clock, timeZone)) {
        await this.move(by, from, at);
        from = at;
        const done = await this.due.of(accountId);
        happened.push(...done.map((one) => ({ at, ...one })));
      }
    } catch (error) {
      // It stands at a day on the way, and who moved it there is said like the rest.
      const standsAt = from;
      const hasMoved = standsAt && standsAt > before.now;
      if (hasMoved)
        await this.audited.run(by, undefined, async ({ record }) => record(entry(standsAt)));
      throw error;
    }
    const after = { now: from ?? before.now, isStanding: true, happened };
    return this.audited.run(by, guard, async ({ record }) => {
      record(entry(after.now));
      return after;
    });
  }

  private async move(by: By, from: Date | null, to: Date): Promise<void> {
    const { accountId } = by;
    await this.audited.run(by, undefined, async ({ tx }) => {
      if (!(await this.repository.move(tx, accountId, from, to))) {
        throw ClockRefusal.test_clock_moved.of();
      }
    });
    this.clock.standAt(accountId, to);
  }

  private async zoneOf(accountId: Uuid): Promise<string> {
    const { mode, timeZone } = await this.accounts.find(accountId);
    if (mode !== 'test') throw ClockRefusal.test_clock_for_tests.of();
    return timeZone;
  }
}
