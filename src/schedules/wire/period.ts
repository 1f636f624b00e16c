import { z } from 'zod';
import type { DocumentView } from '../../documents/index.js';
import { addDays } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { countedPage, listQuery, wholeList } from '../../platform/http/paging.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { decimalText } from '../../platform/http/validation/fields.js';
import { answerShape, queryShape, requestShape } from '../../platform/http/validation/shapes.js';
import {
  idIn,
  idParameter,
  parameter,
  someOf,
} from '../../platform/http/validation/standard-fields.js';
import { wholeNumber } from '../../platform/http/validation/fields.js';
import { SCHEDULE_PERIOD_STATUSES, type SchedulePeriod } from '../domain/schedule.js';
import type { PlannedPeriod } from '../domain/schedule-calendar.js';
import type { PeriodFilter } from '../infrastructure/schedules.query.js';
import type { ReportedUsage } from '../domain/usage.js';
import { presentToCome, SchedulePeriodToCome } from './schedule.js';
import { meterName } from './template.js';

nameWords({ SchedulePeriodStatus: SCHEDULE_PERIOD_STATUSES });

const PeriodProblemBody = answerShape('SchedulePeriodProblem', {
  code: z.string().meta({ example: 'item_archived' }),
  detail: z.string().describe('What to do, for people.'),
  errors: z
    .array(
      answerShape('SchedulePeriodProblemField', {
        pointer: z.string().describe('Into the document that would have been made.'),
        code: z.string(),
        message: z.string(),
      }),
    )
    .describe('Each field that is wrong.'),
});

export const SchedulePeriodBody = answerShape('SchedulePeriodBody', {
  schedule_id: z.string().meta({ example: 'sch_01h455vb4pex5vsknk084sn02q' }),
  ...SchedulePeriodToCome.shape,
  status: z
    .enum(SCHEDULE_PERIOD_STATUSES)
    .describe(
      '`in_review`: a draft until `issue_at`. `made`. `failed` and `waiting` (it was missed, and `missed` is `ask`): make or skip it. `skipped`. `stopped`: its draft was deleted. `empty`: nothing was used. `trial`.',
    ),
  document_id: z.string().nullable(),
  issue_at: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'When one in review is issued.' }),
  problem: PeriodProblemBody.nullable().describe('Why it failed.'),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
});
export type SchedulePeriodBody = z.output<typeof SchedulePeriodBody>;

export const SchedulePeriodPage = countedPage('SchedulePeriodPage', SchedulePeriodBody);
export type SchedulePeriodPage = z.output<typeof SchedulePeriodPage>;

export const ListSchedulePeriodsQuery = queryShape({
  ...listQuery(() => SchedulePeriodBody).shape,
  status: someOf(SCHEDULE_PERIOD_STATUSES, {
    description: '`failed,waiting` are those that need a person.',
  }),
  schedule_id: idParameter('sch'),
  document_id: idParameter('doc'),
});
export type ListSchedulePeriodsQuery = z.output<typeof ListSchedulePeriodsQuery>;

export const MOST_TO_COME = 24;

export const PreviewQuery = queryShape({
  count: parameter(
    (value) => (/^\d{1,2}$/.test(value) ? Number(value) : value),
    wholeNumber({
      min: 1,
      max: MOST_TO_COME,
      optional: true,
      description: `How many. Default: ${MOST_TO_COME}.`,
    }),
  ),
});
export type PreviewQuery = z.output<typeof PreviewQuery>;

export const ComingDocumentBody = answerShape('ScheduleDocumentToCome', {
  ...SchedulePeriodToCome.shape,
  kind: z
    .enum(['document', 'trial', 'skipped'])
    .describe('Whether there is a document, or why there is none.'),
  issue_date: z.string().nullable().meta({ format: 'date' }),
  due_date: z.string().nullable().meta({ format: 'date' }),
  currency: z.string().nullable(),
  net_total: z.number().nullable(),
  tax_total: z.number().nullable(),
  total: z
    .number()
    .nullable()
    .describe('With the prices and taxes of today; of metered lines, what is reported by now.'),
  part: answerShape('SchedulePart', {
    days: z.number(),
    of: z.number().describe('Days of the whole period.'),
  })
    .nullable()
    .describe('Null: it is a whole period.'),
});
export type ComingDocumentBody = z.output<typeof ComingDocumentBody>;

export const ComingDocumentsBody = wholeList('ScheduleDocumentsToCome', ComingDocumentBody);
export type ComingDocumentsBody = z.output<typeof ComingDocumentsBody>;

export const ReportUsageRequest = requestShape('ReportUsageRequest', {
  meter: meterName({ description: 'The meter of a line.' }),
  quantity: decimalText({
    min: '-1000000000',
    max: '1000000000',
    places: 6,
    example: '12.5',
    description: 'It is added to what was reported. Below zero, it takes back.',
  }),
  used_on: dateText({
    optional: true,
    description:
      'Default: today. What is reported after the document of its period goes to the next one.',
  }),
});
export type ReportUsageRequest = z.output<typeof ReportUsageRequest>;

export const UsageBody = answerShape('ScheduleUsageBody', {
  id: z.string().meta({ example: 'use_01h455vb4pex5vsknk084sn02q' }),
  schedule_id: z.string(),
  meter: z.string(),
  quantity: z.string().meta({ example: '12.5' }),
  used_on: z.string().meta({ format: 'date' }),
  billed_period: z
    .string()
    .nullable()
    .meta({ format: 'date', description: 'The first day of the period that bills it.' }),
  created_at: z.string().meta({ format: 'date-time' }),
});
export type UsageBody = z.output<typeof UsageBody>;

export const UsagePage = countedPage('ScheduleUsagePage', UsageBody);
export type UsagePage = z.output<typeof UsagePage>;

export const ListUsageQuery = listQuery(() => UsageBody);
export type ListUsageQuery = z.output<typeof ListUsageQuery>;

export function presentSchedulePeriod(period: SchedulePeriod): SchedulePeriodBody {
  return {
    schedule_id: publicId('sch', period.scheduleId),
    period_start: period.start,
    period_end: period.end,
    runs_on: period.runsOn,
    status: period.status,
    document_id: period.documentId && publicId('doc', period.documentId),
    issue_at: period.issueAt?.toISOString() ?? null,
    problem: period.problem && { ...period.problem, errors: [...period.problem.errors] },
    created_at: period.createdAt.toISOString(),
    updated_at: period.updatedAt.toISOString(),
  };
}

/** A document as it would be, and the days from its issue to its due date. */
export interface ComingDocument {
  view: DocumentView;
  termsDays: number;
}

/** @param coming null: there is none, or nothing on it */
export function presentComing(
  period: PlannedPeriod,
  kind: ComingDocumentBody['kind'],
  coming: ComingDocument | null,
): ComingDocumentBody {
  const { view, termsDays = 0 } = coming ?? {};
  const issueDate = view?.issueDate ?? null;
  return {
    ...presentToCome(period),
    kind,
    issue_date: issueDate,
    due_date: issueDate && addDays(issueDate, termsDays),
    currency: view?.currency ?? null,
    net_total: view?.netTotal.toMinorNumber() ?? null,
    tax_total: view?.taxTotal.toMinorNumber() ?? null,
    total: view?.total.toMinorNumber() ?? null,
    part: period.part,
  };
}

export const presentUsage =
  (scheduleId: string) =>
  (usage: ReportedUsage): UsageBody => ({
    id: publicId('use', usage.id),
    schedule_id: scheduleId,
    meter: usage.meter,
    quantity: usage.quantity,
    used_on: usage.usedOn,
    billed_period: usage.billedBy,
    created_at: usage.createdAt.toISOString(),
  });

export function toPeriodFilter(query: ListSchedulePeriodsQuery): PeriodFilter {
  const scheduleId = idIn('sch', query.schedule_id);
  const documentId = idIn('doc', query.document_id);
  return {
    ...(query.status && { statuses: query.status }),
    ...(scheduleId && { scheduleId }),
    ...(documentId && { documentId }),
  };
}
