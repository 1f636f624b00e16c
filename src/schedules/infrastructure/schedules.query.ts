import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { PeriodStatus, Schedule, SchedulePeriod, ScheduleStatus } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import type { ReportedUsage } from '../domain/usage.js';
import {
  type PeriodColumns,
  type ScheduleColumns,
  toPeriod,
  toSchedule,
} from './schedule-columns.js';

export interface ScheduleFilter {
  status?: ScheduleStatus;
  customerId?: Uuid;
  externalId?: string;
}

export interface PeriodFilter {
  scheduleId?: Uuid;
  statuses?: readonly PeriodStatus[];
  documentId?: Uuid;
}

const LIST = `SELECT * FROM schedules WHERE account_id = $1
    AND ($2::text IS NULL OR status = $2) AND ($3::uuid IS NULL OR customer_id = $3)
    AND ($4::text IS NULL OR external_id = $4) AND ($5::uuid IS NULL OR schedule_id < $5)
  ORDER BY schedule_id DESC LIMIT $6`;

const PERIODS = `SELECT * FROM schedule_periods WHERE account_id = $1
    AND ($2::uuid IS NULL OR schedule_id = $2) AND ($3::text[] IS NULL OR status = ANY ($3))
    AND ($4::uuid IS NULL OR document_id = $4)
    AND ($5::date IS NULL OR (period_start, schedule_id) < ($5, $6::uuid))
  ORDER BY period_start DESC, schedule_id DESC LIMIT $7`;

const USAGE = `SELECT usage_id AS id, meter, trim_scale(quantity)::text AS quantity,
    used_on AS "usedOn", period_start AS "billedBy", created_at AS "createdAt"
  FROM schedule_usage WHERE account_id = $1 AND schedule_id = $2
    AND ($3::uuid IS NULL OR usage_id < $3)
  ORDER BY usage_id DESC LIMIT $4`;

/** Schedules for reading: no locks. */
@Injectable()
export class SchedulesQuery {
  constructor(private readonly database: Database) {}

  async get(accountId: Uuid, id: Uuid): Promise<Schedule> {
    const [row] = await this.database.query<ScheduleColumns>(
      'SELECT * FROM schedules WHERE account_id = $1 AND schedule_id = $2',
      [accountId, id],
    );
    if (!row) throw ScheduleRefusal.schedule_not_found.of();
    return toSchedule(row);
  }

  /** The schedule that made a document; undefined: none did. */
  async ofDocument(accountId: Uuid, documentId: Uuid): Promise<Schedule | undefined> {
    const [row] = await this.database.query<ScheduleColumns>(
      `SELECT s.* FROM schedule_periods p JOIN schedules s USING (account_id, schedule_id)
       WHERE p.account_id = $1 AND p.document_id = $2`,
      [accountId, documentId],
    );
    return row && toSchedule(row);
  }

  /** Newest first, behind the schedule `after`. */
  async list(
    accountId: Uuid,
    filter: ScheduleFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Schedule[]> {
    const values = [...valuesOf(accountId, filter), after, count];
    return (await this.database.list<ScheduleColumns>(LIST, values)).map(toSchedule);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: ScheduleFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, [...valuesOf(accountId, filter), null, most]);
  }

  /** Those that had their day, newest first, behind a place. */
  async periods(
    accountId: Uuid,
    filter: PeriodFilter,
    after: { start: IsoDate; scheduleId: Uuid } | null,
    count: number,
  ): Promise<SchedulePeriod[]> {
    const place = [after?.start, after?.scheduleId];
    const values = [...periodValues(accountId, filter), ...place, count];
    return (await this.database.list<PeriodColumns>(PERIODS, values)).map(toPeriod);
  }

  async countPeriods(accountId: Uuid, filter: PeriodFilter, most: number): Promise<number> {
    return this.database.countRows(PERIODS, [...periodValues(accountId, filter), null, null, most]);
  }

  /** Reports of use, newest first, behind the report `after`. */
  async usage(
    { accountId, id }: Schedule,
    after: Uuid | null,
    count: number,
  ): Promise<ReportedUsage[]> {
    return this.database.list<ReportedUsage>(USAGE, [accountId, id, after, count]);
  }

  async countUsage({ accountId, id }: Schedule, most: number): Promise<number> {
    return this.database.countRows(USAGE, [accountId, id, null, most]);
  }
}

const valuesOf = (accountId: Uuid, { status, customerId, externalId }: ScheduleFilter) => [
  accountId,
  status,
  customerId,
  externalId,
];

const periodValues = (accountId: Uuid, { scheduleId, statuses, documentId }: PeriodFilter) => [
  accountId,
  scheduleId,
  statuses,
  documentId,
];
