import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../clocks/sql.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { waitingRows } from '../../platform/observability/waiting-rows.js';
import type { WaitingThings } from '../../platform/observability/figures.js';

/** A schedule with a period whose day has come. */
export interface DueSchedule {
  accountId: Uuid;
  id: Uuid;
  /** @notNull */
  nextOn: IsoDate;
}

/** A period whose review is over. */
export interface ReviewedPeriod {
  accountId: Uuid;
  scheduleId: Uuid;
  start: IsoDate;
}

// No zone is more than a day ahead: the index is asked for that, the zone for the rest.
const IS_DUE = `s.status = 'active' AND s.next_on <= ($1 AT TIME ZONE 'UTC')::date + 1
  AND s.next_on <= ($1 AT TIME ZONE a.time_zone)::date`;

const dueOf = (accountId: Uuid | null) => `
  SELECT s.account_id AS "accountId", s.schedule_id AS id, s.next_on AS "nextOn"
  FROM schedules s JOIN accounts a USING (account_id)
  WHERE ${IS_DUE} AND ${ofOneClock('s.account_id', accountId, '$2')}
    AND (s.next_on, s.account_id, s.schedule_id) > ($3, $4, $5)
  ORDER BY s.next_on, s.account_id, s.schedule_id LIMIT $6`;

const reviewedOf = (accountId: Uuid | null) => `
  SELECT account_id AS "accountId", schedule_id AS "scheduleId", period_start AS start
  FROM schedule_periods WHERE status = 'in_review' AND issue_at <= $1
    AND ${ofOneClock('account_id', accountId, '$2')}
  ORDER BY issue_at LIMIT $3`;

const OLDEST = `SELECT min(s.next_on::timestamp AT TIME ZONE a.time_zone) AS oldest
  FROM schedules s JOIN accounts a USING (account_id)
  WHERE ${IS_DUE} AND NOT EXISTS (SELECT FROM test_clocks tc WHERE tc.account_id = s.account_id)`;

/** Before all of them. */
export const BEFORE_ALL: DueSchedule = {
  accountId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
  nextOn: '0001-01-01',
};

/** Periods that rounds look for: `schedules` has the day of each next one. */
@Injectable()
export class DueSchedulesQuery {
  constructor(private readonly database: Database) {}

  /**
   * The first behind another one.
   * @param accountId with a test clock; null: of all others
   */
  async due(
    now: Date,
    accountId: Uuid | null,
    after: DueSchedule,
    most: number,
  ): Promise<DueSchedule[]> {
    const values = [now, accountId, after.nextOn, after.accountId, after.id, most];
    return this.database.query<DueSchedule>(dueOf(accountId), values);
  }

  async reviewed(now: Date, accountId: Uuid | null, most: number): Promise<ReviewedPeriod[]> {
    return this.database.query<ReviewedPeriod>(reviewedOf(accountId), [now, accountId, most]);
  }

  /** Since when the oldest waits; undefined: there is none. */
  async oldest(now: Date): Promise<Date | undefined> {
    const [row] = await this.database.query<{ oldest: Date | null }>(OLDEST, [now]);
    return row?.oldest ?? undefined;
  }

  /** How many are due, in all accounts. */
  async count(now: Date): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM schedules s JOIN accounts a USING (account_id)
       WHERE ${IS_DUE}`,
      [now],
    );
    return row?.count ?? 0;
  }

  /** Those that failed, or that nobody has said of whether they are made. */
  async forPerson(): Promise<WaitingThings> {
    const from = "FROM schedule_periods WHERE status IN ('failed', 'waiting')";
    return waitingRows(this.database, 'created_at', from);
  }
}
