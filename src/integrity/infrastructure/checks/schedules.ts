import { type IntegrityCheck, ours } from './integrity-check.js';

/** Schedules: each day belongs to one period, made or not. */
export const SCHEDULE_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'periods of a schedule follow each other, without a gap and without a day twice',
    prefix: 'sch',
    sql: `SELECT schedule_id AS id, period_start::text AS stored, awaited::text AS derived
      FROM (
        SELECT schedule_id, period_start, lag(period_end) OVER (
          PARTITION BY account_id, schedule_id ORDER BY period_start) + 1 AS awaited
        FROM schedule_periods p WHERE ${ours('p')}
      ) periods
      WHERE period_start <> awaited`,
  },
  {
    name: 'a schedule goes on behind its last period',
    prefix: 'sch',
    sql: `SELECT s.schedule_id AS id, s.next_start::text AS stored, last.awaited::text AS derived
      FROM schedules s JOIN (
        SELECT account_id, schedule_id, max(period_end) + 1 AS awaited
        FROM schedule_periods p WHERE ${ours('p')} GROUP BY account_id, schedule_id
      ) last USING (account_id, schedule_id)
      WHERE s.next_start <> last.awaited`,
  },
];
