import { z } from 'zod';
import { changesBetween } from '../../documents/index.js';
import type { DataOf } from '../../events/index.js';
import { publicId } from '../../kernel/ids.js';
import {
  changedFields,
  count,
  day,
  instant,
  publicIdOf,
} from '../../platform/http/validation/answer-fields.js';
import {
  SCHEDULE_PERIOD_STATUSES,
  type Schedule,
  SCHEDULE_ACTIONS,
  SCHEDULE_STATUSES,
  type SchedulePeriod,
} from '../domain/schedule.js';
import { fieldsOfSchedule } from './schedule.js';

const schedule = z
  .object({
    id: publicIdOf('sch'),
    customer_id: publicIdOf('cus'),
    external_id: z.string().nullable(),
    status: z.enum(SCHEDULE_STATUSES),
    action: z.enum(SCHEDULE_ACTIONS),
    next_on: day.nullable().describe('The day of the next document; null: it has ended.'),
    version: count,
  })
  .meta({ id: 'Schedule', description: '`GET /v1/finance/schedules/{id}` has the rest.' });

const period = z
  .object({
    period_start: day,
    period_end: day,
    runs_on: day,
    status: z.enum(SCHEDULE_PERIOD_STATUSES),
    document_id: publicIdOf('doc').nullable(),
    issue_at: instant.nullable(),
    problem_code: z.string().nullable().meta({ example: null }),
  })
  .meta({ id: 'SchedulePeriod' });

const step = z.object({ schedule }).meta({ id: 'ScheduleStep' });
const updated = step.extend({ changed: changedFields }).meta({ id: 'ScheduleUpdate' });
const periodStep = step.extend({ period }).meta({ id: 'SchedulePeriodStep' });

const as = (status: string, more: object = {}) => ({ period: { status, ...more } });
const NONE = { document_id: null, issue_at: null };

/** The events about documents that are made again and again. */
export const SCHEDULE_EVENTS = {
  'schedule.created': { when: 'A schedule was made.', data: step, example: {} },
  'schedule.updated': {
    when: 'A schedule was changed. What was made before stays.',
    data: updated,
    example: {},
  },
  'schedule.paused': {
    when: 'A schedule makes nothing until it is resumed.',
    data: step,
    example: { schedule: { status: 'paused' } },
  },
  'schedule.resumed': { when: 'A schedule goes on.', data: step, example: {} },
  'schedule.end_asked': {
    when: 'A client asked to end a schedule. It goes on until you end it.',
    data: step,
    example: {},
  },
  'schedule.ended': {
    when: 'A schedule makes nothing any more.',
    data: step,
    example: { schedule: { status: 'ended', next_on: null } },
  },
  'schedule.period_in_review': {
    when: 'A draft was made, which will be issued at `issue_at`. Until then it may be changed, or deleted.',
    data: periodStep,
    example: as('in_review', { issue_at: '2026-11-29T00:00:00.000Z' }),
  },
  'schedule.period_made': {
    when: 'The document of a period was made.',
    data: periodStep,
    example: as('made', { issue_at: null }),
  },
  'schedule.period_failed': {
    when: 'A period could not be made. Mend what `problem_code` says, and make it, or skip it.',
    data: periodStep,
    example: as('failed', { ...NONE, problem_code: 'item_archived' }),
  },
  'schedule.period_waiting': {
    when: 'The day of a period was missed, and its schedule asks: make it, or skip it.',
    data: periodStep,
    example: as('waiting', NONE),
  },
  'schedule.period_skipped': {
    when: 'A period has no document: somebody skipped it, or it was missed.',
    data: periodStep,
    example: as('skipped', NONE),
  },
  'schedule.period_stopped': {
    when: 'The draft of a period was deleted in its review.',
    data: periodStep,
    example: as('stopped', NONE),
  },
  'schedule.period_empty': {
    when: 'A period has no document, as nothing was used.',
    data: periodStep,
    example: as('empty', NONE),
  },
  'schedule.trial_began': {
    when: 'The trial of a schedule began.',
    data: periodStep,
    example: as('trial', NONE),
  },
};

declare module '../../events/domain/event.js' {
  interface EventData extends DataOf<typeof SCHEDULE_EVENTS> {}
}

export function scheduleStep(schedule: Schedule) {
  return {
    schedule: {
      id: publicId('sch', schedule.id),
      customer_id: publicId('cus', schedule.customerId),
      external_id: schedule.externalId,
      status: schedule.status,
      action: schedule.terms.action,
      next_on: schedule.nextOn,
      version: schedule.version,
    },
  };
}

export function periodStepOf(schedule: Schedule, period: SchedulePeriod) {
  return {
    ...scheduleStep(schedule),
    period: {
      period_start: period.start,
      period_end: period.end,
      runs_on: period.runsOn,
      status: period.status,
      document_id: period.documentId && publicId('doc', period.documentId),
      issue_at: period.issueAt?.toISOString() ?? null,
      problem_code: period.problem?.code ?? null,
    },
  };
}

const EVENT_OF = {
  in_review: 'schedule.period_in_review',
  made: 'schedule.period_made',
  failed: 'schedule.period_failed',
  waiting: 'schedule.period_waiting',
  skipped: 'schedule.period_skipped',
  stopped: 'schedule.period_stopped',
  empty: 'schedule.period_empty',
  trial: 'schedule.trial_began',
} as const satisfies Record<SchedulePeriod['status'], keyof typeof SCHEDULE_EVENTS>;

export const periodEvent = ({ status }: SchedulePeriod) => EVENT_OF[status];

const changeable = (schedule: Schedule) => ({
  ...fieldsOfSchedule(schedule),
  skips: schedule.skips,
  next_on: schedule.nextOn,
});

export function scheduleUpdate(before: Schedule, after: Schedule) {
  return {
    ...scheduleStep(after),
    changed: changesBetween(changeable(before), changeable(after)).map(({ field }) => field),
  };
}
