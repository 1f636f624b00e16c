import { Injectable } from '@nestjs/common';
import { Accounts, type AuditedTx, AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { dateIn, type IsoDate } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import type { Schedule, SchedulePeriod } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { PeriodMaking } from './period-making.js';
import { ReviewedDrafts } from './reviewed-drafts.js';
import { SchedulePeriods } from './schedule-periods.js';

type Guard = CommitGuard<SchedulePeriod>;

/** Decisions of a person on periods that had their day. */
@Injectable()
export class PeriodSteps {
  constructor(
    private readonly audited: AuditedWork,
    private readonly accounts: Accounts,
    private readonly periods: SchedulePeriods,
    private readonly making: PeriodMaking,
    private readonly reviewed: ReviewedDrafts,
  ) {}

  /**
   * Makes its document now, dated today; or issues the draft that is in review.
   * @throws DomainError `schedule_period_settled`, and why it can still not be made
   */
  async make(by: By, id: Uuid, start: IsoDate, guard?: Guard): Promise<SchedulePeriod> {
    return this.step(by, id, start, guard, 'period_made', async (audited, schedule, period) => {
      const { tx } = audited;
      if (period.documentId !== null) return this.reviewed.settle(tx, by, schedule, period);
      const account = await this.accounts.findWithin(tx, by.accountId);
      const planned = this.periods.again(schedule, period);
      const today = dateIn(account.timeZone, tx.now());
      const made = await this.making.make(tx, by, account, schedule, planned, today);
      const next = this.periods.change(tx, schedule, period, made.outcome, by.actor);
      this.making.bill(tx, schedule, made, planned);
      return next;
    });
  }

  /** It has no document. A draft that is in review stays one. @throws `schedule_period_settled` */
  async skip(by: By, id: Uuid, start: IsoDate, guard?: Guard): Promise<SchedulePeriod> {
    return this.step(by, id, start, guard, 'period_skipped', async ({ tx }, schedule, period) =>
      period.status === 'skipped'
        ? period
        : this.periods.change(tx, schedule, period, { status: 'skipped' }, by.actor),
    );
  }

  private async step(
    by: By,
    id: Uuid,
    start: IsoDate,
    guard: Guard | undefined,
    step: 'period_made' | 'period_skipped',
    decide: (
      audited: AuditedTx,
      schedule: Schedule,
      period: SchedulePeriod,
    ) => Promise<SchedulePeriod>,
  ): Promise<SchedulePeriod> {
    return this.audited.run(by, guard, async (audited) => {
      const { tx, accountId, record } = audited;
      const schedule = await this.periods.lock(tx, accountId, id);
      const before = await this.periods.find(tx, schedule, start);
      if (before.status === 'made' || before.status === 'trial') {
        throw ScheduleRefusal.schedule_period_settled.of();
      }
      const after = await decide(audited, schedule, before);
      const subject = publicId('sch', id);
      record({ action: `schedule.${step}`, subject, before: shown(before), after: shown(after) });
      return after;
    });
  }
}

const shown = ({ start, status, documentId }: SchedulePeriod) => ({
  period_start: start,
  status,
  document_id: documentId && publicId('doc', documentId),
});
