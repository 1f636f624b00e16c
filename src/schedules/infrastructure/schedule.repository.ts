import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Schedule, SchedulePeriod } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import {
  type PeriodColumns,
  periodColumns,
  type ScheduleColumns,
  scheduleColumns,
  toPeriod,
  toSchedule,
} from './schedule-columns.js';

const FIND = 'SELECT * FROM schedules WHERE account_id = $1 AND schedule_id = $2 FOR NO KEY UPDATE';

/** Schedules with their periods. The lock of a schedule comes before those of its documents. */
@Injectable()
export class ScheduleRepository {
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Schedule> {
    const [row] = await tx.read<ScheduleColumns>(FIND, [accountId, id]);
    if (!row) throw ScheduleRefusal.schedule_not_found.of();
    return toSchedule(row);
  }

  /** Undefined: another process is at it. */
  async takeFree(tx: Tx, accountId: Uuid, id: Uuid): Promise<Schedule | undefined> {
    const [row] = await tx.read<ScheduleColumns>(`${FIND} SKIP LOCKED`, [accountId, id]);
    return row && toSchedule(row);
  }

  async findByExternalId(tx: Tx, accountId: Uuid, externalId: string): Promise<Uuid | undefined> {
    const [row] = await tx.read<{ schedule_id: Uuid }>(
      'SELECT schedule_id FROM schedules WHERE account_id = $1 AND external_id = $2',
      [accountId, externalId],
    );
    return row?.schedule_id;
  }

  insert(tx: Tx, schedule: Schedule): void {
    tx.insert('schedules', {
      account_id: schedule.accountId,
      schedule_id: schedule.id,
      customer_id: schedule.customerId,
      created_at: schedule.createdAt,
      ...scheduleColumns(schedule),
    });
  }

  /** The row must be locked. */
  save(tx: Tx, schedule: Schedule): void {
    const { accountId: account_id, id: schedule_id } = schedule;
    tx.update('schedules', { account_id, schedule_id }, scheduleColumns(schedule));
  }

  /** Its schedule must be locked. @throws DomainError `schedule_period_not_found` */
  async period(tx: Tx, { accountId, id }: Schedule, start: IsoDate): Promise<SchedulePeriod> {
    const [row] = await tx.read<PeriodColumns>(
      'SELECT * FROM schedule_periods WHERE account_id = $1 AND schedule_id = $2 AND period_start = $3',
      [accountId, id, start],
    );
    if (!row) throw ScheduleRefusal.schedule_period_not_found.of();
    return toPeriod(row);
  }

  addPeriod(tx: Tx, period: SchedulePeriod): void {
    tx.insert('schedule_periods', {
      account_id: period.accountId,
      schedule_id: period.scheduleId,
      period_start: period.start,
      period_end: period.end,
      runs_on: period.runsOn,
      created_at: period.createdAt,
      ...periodColumns(period),
    });
  }

  /** Its schedule must be locked. */
  savePeriod(tx: Tx, period: SchedulePeriod): void {
    const { accountId: account_id, scheduleId: schedule_id, start: period_start } = period;
    tx.update('schedule_periods', { account_id, schedule_id, period_start }, periodColumns(period));
  }
}
