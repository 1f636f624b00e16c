import { z } from 'zod';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { idIn, idParameter } from '../../platform/http/validation/standard-fields.js';
import {
  CLIENT_RIGHTS,
  MISSED_POLICIES,
  PRORATIONS,
  type Schedule,
  SCHEDULE_ACTIONS,
  SCHEDULE_STATUSES,
  type ScheduledDocument,
  type ScheduledLine,
  TIMINGS,
} from '../domain/schedule.js';
import type { PlannedPeriod } from '../domain/schedule-calendar.js';
import type { ScheduleFilter } from '../infrastructure/schedules.query.js';
import type {
  BusinessDaysRequest,
  PriceChangeRequest,
  RecurrenceRequest,
} from './schedule-request.js';
import type { ScheduledDocumentRequest } from './template.js';

export const SchedulePeriodToCome = answerShape('SchedulePeriodToCome', {
  period_start: z.string().meta({ format: 'date' }),
  period_end: z.string().meta({ format: 'date' }),
  runs_on: z
    .string()
    .meta({ format: 'date', description: 'The day on which its document is made.' }),
});
export type SchedulePeriodToCome = z.output<typeof SchedulePeriodToCome>;

const given = <Shape>(name: string) =>
  z.custom<Shape>().meta({ allOf: [{ $ref: `#/components/schemas/${name}` }] });

export const ScheduleBody = answerShape('ScheduleBody', {
  id: z.string().meta({ example: 'sch_01h455vb4pex5vsknk084sn02q' }),
  version: z.number(),
  status: z.enum(SCHEDULE_STATUSES),
  customer_id: z.string(),
  name: z.string(),
  external_id: z.string().nullable(),
  document: given<ScheduledDocument>('ScheduledDocumentRequest'),
  recurrence: given<RecurrenceRequest>('RecurrenceRequest').describe(
    'With the day, weekday or month that it takes from its first day.',
  ),
  business_days: given<z.output<typeof BusinessDaysRequest>>('BusinessDaysRequest').nullable(),
  timing: z.enum(TIMINGS),
  action: z.enum(SCHEDULE_ACTIONS),
  review_hours: z.number(),
  missed: z.enum(MISSED_POLICIES),
  proration: z.enum(PRORATIONS),
  price_changes: z.array(given<z.output<typeof PriceChangeRequest>>('PriceChangeRequest')),
  minimum: given<{ amount: number; line: ScheduledLine }>('MinimumRequest').nullable(),
  one_off_lines: z.array(given<ScheduledLine>('ScheduledLineRequest')),
  client_may: z.enum(CLIENT_RIGHTS),
  start_date: z.string().meta({ format: 'date' }),
  trial_end: z.string().nullable().meta({ format: 'date' }),
  end_date: z.string().nullable().meta({ format: 'date' }),
  periods: z.number().nullable(),
  period_count: z.number().describe('How many are behind it, those without a document too.'),
  skips: z
    .array(z.string().meta({ format: 'date' }))
    .describe('First days of periods to come that are left out.'),
  next: SchedulePeriodToCome.nullable().describe('Null: it has ended.'),
  metadata: z.record(z.string(), z.string()),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
});
export type ScheduleBody = z.output<typeof ScheduleBody>;

export const SchedulePage = countedPage('SchedulePage', ScheduleBody);
export type SchedulePage = z.output<typeof SchedulePage>;

export const ListSchedulesQuery = queryShape({
  ...listQuery(() => ScheduleBody).shape,
  status: oneOf(SCHEDULE_STATUSES, { optional: true }),
  customer_id: idParameter('cus'),
  external_id: shortText({ max: 255, optional: true }),
});
export type ListSchedulesQuery = z.output<typeof ListSchedulesQuery>;

/** A schedule with its next period. */
export interface ScheduleView {
  schedule: Schedule;
  next: PlannedPeriod | null;
}

export function presentSchedule({ schedule, next }: ScheduleView): ScheduleBody {
  return {
    id: publicId('sch', schedule.id),
    version: schedule.version,
    status: schedule.status,
    customer_id: publicId('cus', schedule.customerId),
    name: schedule.name,
    external_id: schedule.externalId,
    ...schedule.terms,
    period_count: schedule.count,
    skips: schedule.skips,
    next: next && presentToCome(next),
    metadata: schedule.metadata,
    created_at: schedule.createdAt.toISOString(),
    updated_at: schedule.updatedAt.toISOString(),
  };
}

export function presentToCome({ start, end, runsOn }: PlannedPeriod): SchedulePeriodToCome {
  return { period_start: start, period_end: end, runs_on: runsOn };
}

export function toScheduleFilter(query: ListSchedulesQuery): ScheduleFilter {
  const customerId = idIn('cus', query.customer_id);
  return {
    ...(query.status && { status: query.status }),
    ...(customerId && { customerId }),
    ...(query.external_id && { externalId: query.external_id }),
  };
}

export const fieldsOfSchedule = (schedule: Schedule) => ({
  name: schedule.name,
  external_id: schedule.externalId,
  metadata: schedule.metadata,
  ...schedule.terms,
});

/** It must be of the form of one. */
export const customerOf = ({ customer_id: id }: Pick<ScheduledDocumentRequest, 'customer_id'>) =>
  uuidOf('cus', id);
