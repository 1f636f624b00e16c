import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { Documents } from '../../documents/index.js';
import { type By, byTime, OPERATOR } from '../../kernel/actor.js';
import type { Tx } from '../../platform/database/tx.js';
import type { PeriodProblem, Schedule, SchedulePeriod } from '../domain/schedule.js';
import type { ReviewedPeriod } from '../infrastructure/due-schedules.query.js';
import { SchedulePeriods } from './schedule-periods.js';

/** Drafts that somebody had time to look at. */
@Injectable()
export class ReviewedDrafts {
  constructor(
    private readonly accounts: Accounts,
    private readonly documents: Documents,
    private readonly periods: SchedulePeriods,
  ) {}

  /** @param problem why it could not be issued a moment ago */
  async issue(
    tx: Tx,
    { accountId, scheduleId, start }: ReviewedPeriod,
    problem: PeriodProblem | undefined,
  ): Promise<boolean> {
    const schedule = await this.periods.takeFree(tx, accountId, scheduleId);
    if (!schedule) return false;
    const period = await this.periods.find(tx, schedule, start);
    if (period.issueAt === null || period.issueAt > tx.now()) return false;
    const { documentId } = period;
    if (problem) {
      const outcome = { status: 'failed', documentId, problem } as const;
      this.periods.change(tx, schedule, period, outcome, OPERATOR);
      return true;
    }
    await this.settle(tx, byTime(accountId), schedule, period);
    return true;
  }

  /** Issued, whoever did it; or stopped, where somebody deleted it. @throws as `Documents.issue` */
  async settle(tx: Tx, by: By, schedule: Schedule, period: SchedulePeriod) {
    const { documentId } = period;
    if (documentId === null) {
      return this.periods.change(tx, schedule, period, { status: 'stopped' }, by.actor);
    }
    const account = await this.accounts.findWithin(tx, by.accountId);
    await this.documents.issueIfDraft(tx, by, account, documentId);
    return this.periods.change(tx, schedule, period, { status: 'made', documentId }, by.actor);
  }
}
