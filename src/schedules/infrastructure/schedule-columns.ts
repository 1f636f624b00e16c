import type { IsoDate } from '../../kernel/clock.js';
import type { Row } from '../../platform/database/row.js';
import type {
  PeriodProblem,
  PeriodStatus,
  Schedule,
  SchedulePeriod,
  ScheduleStatus,
  ScheduleTerms,
} from '../domain/schedule.js';

export type ScheduleColumns = Row<
  'schedules',
  {
    status: ScheduleStatus;
    terms: ScheduleTerms;
    metadata: Record<string, string>;
    skips: IsoDate[];
  }
>;

export type PeriodColumns = Row<
  'schedule_periods',
  { status: PeriodStatus; problem: PeriodProblem }
>;

export function toSchedule(row: ScheduleColumns): Schedule {
  return {
    accountId: row.account_id,
    id: row.schedule_id,
    customerId: row.customer_id,
    name: row.name,
    externalId: row.external_id,
    status: row.status,
    terms: row.terms,
    metadata: row.metadata,
    anchor: row.anchor,
    nextStart: row.next_start,
    nextOn: row.next_on,
    movedTo: row.moved_to,
    skips: row.skips,
    count: row.period_count,
    endAskedVersion: row.end_asked_version,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function scheduleColumns(schedule: Schedule) {
  return {
    name: schedule.name,
    external_id: schedule.externalId,
    status: schedule.status,
    terms: JSON.stringify(schedule.terms),
    metadata: schedule.metadata,
    anchor: schedule.anchor,
    next_start: schedule.nextStart,
    next_on: schedule.nextOn,
    moved_to: schedule.movedTo,
    skips: JSON.stringify(schedule.skips),
    period_count: schedule.count,
    end_asked_version: schedule.endAskedVersion,
    version: schedule.version,
    updated_at: schedule.updatedAt,
  };
}

export function toPeriod(row: PeriodColumns): SchedulePeriod {
  return {
    accountId: row.account_id,
    scheduleId: row.schedule_id,
    start: row.period_start,
    end: row.period_end,
    runsOn: row.runs_on,
    status: row.status,
    documentId: row.document_id,
    issueAt: row.issue_at,
    problem: row.problem,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function periodColumns(period: SchedulePeriod) {
  return {
    status: period.status,
    document_id: period.documentId,
    issue_at: period.issueAt,
    problem: period.problem && JSON.stringify(period.problem),
    updated_at: period.updatedAt,
  };
}
