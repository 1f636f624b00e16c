import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { dateIn, type IsoDate } from '../../kernel/clock.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { metersOf } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import type { ReportedUsage } from '../domain/usage.js';
import { ScheduleUsageRepository } from '../infrastructure/schedule-usage.repository.js';
import { SchedulePeriods } from './schedule-periods.js';

/** A quantity as it is reported. */
export interface UsageReport {
  meter: string;
  /** Decimal. */
  quantity: string;
  /** Null: today. */
  usedOn: IsoDate | null;
}

/** Quantities that metered lines bill. */
@Injectable()
export class ScheduleUsage {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly periods: SchedulePeriods,
    private readonly repository: ScheduleUsageRepository,
  ) {}

  /** @throws DomainError `schedule_not_found`, `schedule_ended`, `unknown_meter`, `date_in_future` */
  async report(
    { accountId }: By,
    id: Uuid,
    { meter, quantity, usedOn }: UsageReport,
    guard?: CommitGuard<ReportedUsage>,
  ): Promise<ReportedUsage> {
    const { timeZone } = await this.accounts.find(accountId);
    return this.uow.run(async (tx) => {
      // Its document does not come between the question and the answer.
      const schedule = await this.periods.lock(tx, accountId, id);
      if (schedule.status === 'ended') throw ScheduleRefusal.schedule_ended.of();
      if (!metersOf(schedule.terms).includes(meter))
        throw ScheduleRefusal.unknown_meter.at('/meter');
      const createdAt = tx.now();
      const today = dateIn(timeZone, createdAt);
      if (usedOn !== null && usedOn > today) {
        throw FieldRefusal.date_in_future.at('/used_on', `used_on must be ${today} at the latest.`);
      }
      const day = usedOn ?? today;
      const usage = { id: tx.newId(), meter, quantity, usedOn: day, billedBy: null, createdAt };
      this.repository.add(tx, schedule, usage);
      return usage;
    }, guard);
  }
}
