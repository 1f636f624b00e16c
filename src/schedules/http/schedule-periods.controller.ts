import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { REFUSED_NEW_DOCUMENTS } from '../../documents/index.js';
import { PaymentRefusal } from '../../payments/index.js';
import {
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  WHOLE,
  withTotalCount,
} from '../../platform/http/paging.js';
import { selecting } from '../../platform/http/selected-fields.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { PeriodSteps } from '../application/period-steps.service.js';
import { SchedulePreview } from '../application/schedule-preview.service.js';
import type { SchedulePeriod } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { SchedulesQuery } from '../infrastructure/schedules.query.js';
import { toNewSchedule, toScheduleChange } from '../wire/parse-schedule.js';
import {
  ComingDocumentsBody,
  ListSchedulePeriodsQuery,
  MOST_TO_COME,
  presentSchedulePeriod,
  PreviewQuery,
  SchedulePeriodBody,
  SchedulePeriodPage,
  toPeriodFilter,
} from '../wire/period.js';
import { CreateScheduleRequest, PatchScheduleRequest } from '../wire/schedule-request.js';
import { periodStart, scheduleId } from './schedule-id.js';
import { REFUSED_SCHEDULES, SCHEDULE_EXAMPLE } from './schedules.controller.js';

const UNSETTLED = [
  ScheduleRefusal.schedule_not_found,
  ScheduleRefusal.schedule_period_not_found,
  ScheduleRefusal.schedule_period_settled,
] as const;

/** Periods of schedules: those that had their day, and those to come. */
@ApiTags('schedules')
@Controller('v1/finance')
export class SchedulePeriodsController {
  constructor(
    private readonly steps: PeriodSteps,
    private readonly preview: SchedulePreview,
    private readonly query: SchedulesQuery,
  ) {}

  @Get('schedule-periods', 'documents:read', {
    summary: 'List the periods that had their day, newest first',
    description: 'Of one schedule or all. `status=failed,waiting` has what needs a person.',
    answers: SchedulePeriodPage,
  })
  async listSchedulePeriods(
    @CallerOf() caller: Caller,
    @Query({ schema: ListSchedulePeriodsQuery }) asked: ListSchedulePeriodsQuery,
  ) {
    const { limit = DEFAULT_PAGE_SIZE } = asked;
    const filter = toPeriodFilter(asked);
    const cursors = new Cursors({ list: 'schedule-periods', filter }, ['date']);
    const place = cursors.read(asked.cursor);
    const after = place && { start: place.keys[0] ?? '', scheduleId: place.id };
    const rows = await this.query.periods(caller.accountId, filter, after, limit + 1);
    const keyOf = ({ start, scheduleId: id }: SchedulePeriod) =>
      cursors.keyOf({ keys: [start], id });
    return withTotalCount(
      toPage(rows, limit, keyOf, selecting(asked, presentSchedulePeriod)),
      asked,
      (most) => this.query.countPeriods(caller.accountId, filter, most),
    );
  }

  @Post('schedules/preview', 'documents:read', {
    reads: true,
    summary: 'What a schedule would make, without making it',
    description: 'The documents of the next periods, with dates and totals. Nothing is stored.',
    example: SCHEDULE_EXAMPLE,
    takes: 'document',
    answers: ComingDocumentsBody,
    problems: REFUSED_SCHEDULES,
  })
  async previewNewSchedule(
    @CallerOf() caller: Caller,
    @Query({ schema: PreviewQuery }) { count = MOST_TO_COME }: PreviewQuery,
    @Body({ schema: CreateScheduleRequest }) body: CreateScheduleRequest,
  ) {
    const data = await this.preview.ofNew(caller.accountId, toNewSchedule(body), count);
    return { data, ...WHOLE };
  }

  @Get('schedules/:id/preview', 'documents:read', {
    summary: 'What a schedule will make',
    description:
      'The documents of the next periods, with dates and totals by the prices and taxes of today.',
    answers: ComingDocumentsBody,
    problems: [ScheduleRefusal.schedule_not_found],
  })
  async previewSchedule(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: PreviewQuery }) { count = MOST_TO_COME }: PreviewQuery,
  ) {
    const data = await this.preview.of(caller.accountId, scheduleId(id), null, count);
    return { data, ...WHOLE };
  }

  @Post('schedules/:id/preview', 'documents:read', {
    reads: true,
    summary: 'What a schedule would make after a change',
    description: 'The same with the fields of a `PATCH`, which is not made.',
    example: { price_changes: [{ from: '2028-01-01', percent: '3.5' }] },
    takes: 'document',
    answers: ComingDocumentsBody,
    problems: [...REFUSED_SCHEDULES, ScheduleRefusal.schedule_not_found],
  })
  async previewScheduleChange(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: PreviewQuery }) { count = MOST_TO_COME }: PreviewQuery,
    @Body({ schema: PatchScheduleRequest }) body: PatchScheduleRequest,
  ) {
    const change = toScheduleChange(body);
    const data = await this.preview.of(caller.accountId, scheduleId(id), change, count);
    return { data, ...WHOLE };
  }

  @Post('schedules/:id/periods/:start/make', 'documents:write', {
    summary: 'Make the document of a period that failed, waits or was skipped',
    description: 'It is dated today. One in review is issued before its time.',
    answers: SchedulePeriodBody,
    problems: [...UNSETTLED, ...REFUSED_NEW_DOCUMENTS, PaymentRefusal.mandate_not_active],
  })
  async makeSchedulePeriod(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('start') start: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSchedulePeriod, (guard) =>
      this.steps.make(byClient(caller), scheduleId(id), periodStart(start), guard),
    );
  }

  @Post('schedules/:id/periods/:start/skip', 'documents:write', {
    summary: 'Leave a period without a document',
    description:
      'One that failed, waits or is in review; a draft that is there stays a draft. The same call may be sent again.',
    answers: SchedulePeriodBody,
    problems: UNSETTLED,
  })
  async skipSchedulePeriod(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('start') start: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSchedulePeriod, (guard) =>
      this.steps.skip(byClient(caller), scheduleId(id), periodStart(start), guard),
    );
  }
}
