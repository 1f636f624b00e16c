import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Schedules } from '../application/schedules.service.js';
import { ScheduleUsage } from '../application/schedule-usage.service.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { SchedulesQuery } from '../infrastructure/schedules.query.js';
import {
  ListUsageQuery,
  presentUsage,
  ReportUsageRequest,
  UsageBody,
  UsagePage,
} from '../wire/period.js';
import {
  EndScheduleRequest,
  MovePeriodRequest,
  ResumeScheduleRequest,
  SkipPeriodRequest,
} from '../wire/schedule-request.js';
import { presentSchedule, ScheduleBody } from '../wire/schedule.js';
import { scheduleId } from './schedule-id.js';

const GOING = [ScheduleRefusal.schedule_not_found, ScheduleRefusal.schedule_ended] as const;

/** Steps of a schedule, and reports of what it bills. */
@ApiTags('schedules')
@Controller('v1/finance/schedules/:id')
export class ScheduleStepsController {
  constructor(
    private readonly schedules: Schedules,
    private readonly usage: ScheduleUsage,
    private readonly query: SchedulesQuery,
  ) {}

  @Post('pause', 'documents:write', {
    summary: 'Pause a schedule',
    description: 'It makes nothing until it is resumed. The same call may be sent again.',
    answers: ScheduleBody,
    problems: GOING,
  })
  async pauseSchedule(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSchedule, (guard) =>
      this.schedules.pause(byClient(caller), scheduleId(id), expected, guard),
    );
  }

  @Post('resume', 'documents:write', {
    summary: 'Resume a paused schedule',
    description: 'Periods whose day went by meanwhile are skipped, unless `make_missed` is true.',
    example: { make_missed: false },
    answers: ScheduleBody,
    problems: [...GOING, ScheduleRefusal.schedule_not_paused],
  })
  async resumeSchedule(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ResumeScheduleRequest }) body: ResumeScheduleRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const { make_missed: makeMissed = false } = body;
    return once.run(presentSchedule, (guard) =>
      this.schedules.resume(byClient(caller), scheduleId(id), makeMissed, expected, guard),
    );
  }

  @Post('end', 'documents:write', {
    summary: 'End a schedule',
    description:
      'On a day, or today. In arrears, what is not billed by then is billed once more; in advance, nothing is given back.',
    example: { end_date: '2027-12-31' },
    answers: ScheduleBody,
    problems: [...GOING, ScheduleRefusal.schedule_ends_before_start],
  })
  async endSchedule(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: EndScheduleRequest }) body: EndScheduleRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const endDate = body.end_date ?? null;
    return once.run(presentSchedule, (guard) =>
      this.schedules.end(byClient(caller), scheduleId(id), endDate, expected, guard),
    );
  }

  @Post('skip', 'documents:write', {
    summary: 'Leave out one of the next periods',
    description: 'It has no document; those behind it stay where they are.',
    example: { period_start: '2027-08-31' },
    answers: ScheduleBody,
    problems: [...GOING, ScheduleRefusal.period_out_of_reach],
  })
  async skipPeriod(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: SkipPeriodRequest }) body: SkipPeriodRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const start = body.period_start ?? null;
    return once.run(presentSchedule, (guard) =>
      this.schedules.skip(byClient(caller), scheduleId(id), start, expected, guard),
    );
  }

  @Post('move', 'documents:write', {
    summary: 'Move the next document to another day',
    description: 'Only that one: its period stays, and so do all that follow.',
    example: { runs_on: '2027-02-03' },
    answers: ScheduleBody,
    problems: [...GOING, ScheduleRefusal.runs_on_out_of_reach],
  })
  async movePeriod(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: MovePeriodRequest }) body: MovePeriodRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentSchedule, (guard) =>
      this.schedules.move(byClient(caller), scheduleId(id), body.runs_on, expected, guard),
    );
  }

  @Get('usage', 'documents:read', {
    summary: 'List what was reported, newest first',
    description: 'Each report, and the period whose document has billed it.',
    answers: UsagePage,
    problems: [ScheduleRefusal.schedule_not_found],
  })
  async listUsage(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Query({ schema: ListUsageQuery }) query: ListUsageQuery,
  ) {
    const { accountId } = caller;
    const schedule = await this.query.get(accountId, scheduleId(id));
    return pageById({ list: 'schedule-usage', id }, query, {
      rows: async (after, count) => this.query.usage(schedule, after, count),
      present: presentUsage(id),
      total: async (most) => this.query.countUsage(schedule, most),
    });
  }

  @Post('usage', 'documents:write', {
    summary: 'Report what was used',
    description:
      'The document of its period bills the sum of each meter. Send an `Idempotency-Key`: a report counts as often as it is sent without one.',
    example: { meter: 'api-calls', quantity: '1250' },
    creates: UsageBody,
    at: null,
    problems: [...GOING, ScheduleRefusal.unknown_meter, FieldRefusal.date_in_future],
  })
  async reportUsage(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ReportUsageRequest }) body: ReportUsageRequest,
    @OnceOnly() once: Once,
  ) {
    const { meter, quantity, used_on: usedOn = null } = body;
    const report = { meter, quantity: String(quantity), usedOn };
    return once.run(presentUsage(id), (guard) =>
      this.usage.report(byClient(caller), scheduleId(id), report, guard),
    );
  }
}
