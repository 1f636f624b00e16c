import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { DocumentRefusal, REFUSED_TERMS } from '../../documents/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { SchedulePlans } from '../application/schedule-plans.js';
import { Schedules } from '../application/schedules.service.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { SchedulesQuery } from '../infrastructure/schedules.query.js';
import { toNewSchedule, toScheduleChange } from '../wire/parse-schedule.js';
import { CreateScheduleRequest, PatchScheduleRequest } from '../wire/schedule-request.js';
import {
  ListSchedulesQuery,
  presentSchedule,
  ScheduleBody,
  SchedulePage,
  toScheduleFilter,
} from '../wire/schedule.js';
import { assertMaySchedule, scheduleId } from './schedule-id.js';

export const SCHEDULE_EXAMPLE = {
  name: 'Rent, flat 4',
  document: {
    customer_id: 'cus_01h455vb4pex5vsknk084sn02q',
    currency: 'EUR',
    lines: [{ description: 'Rent {month}', unit_amount: 95_000, tax_rate: '0' }],
  },
  recurrence: { every: 'month', day: 31 },
  action: 'issue',
  start_date: '2027-01-31',
};

export const REFUSED_SCHEDULES = [
  FieldRefusal.validation_failed,
  FieldRefusal.unknown_field,
  FieldRefusal.one_value_required,
  FieldRefusal.required,
  DocumentRefusal.external_id_taken,
  ScheduleRefusal.schedule_ends_before_start,
  ScheduleRefusal.unknown_recurrence,
  ScheduleRefusal.recurrence_never_comes,
  ScheduleRefusal.unknown_calendar,
  ScheduleRefusal.first_part_unmeasured,
  ScheduleRefusal.review_needs_issue,
  ...REFUSED_TERMS,
] as const;

/** Documents that are made again and again. */
@ApiTags('schedules')
@Controller('v1/finance/schedules')
export class SchedulesController {
  constructor(
    private readonly schedules: Schedules,
    private readonly plans: SchedulePlans,
    private readonly query: SchedulesQuery,
  ) {}

  @Post('', 'documents:write', {
    summary: 'Create a schedule',
    description:
      'A document is made for each period, on its first day or behind its last one. It goes as far as `action` says. Each period has one, also after a stop of the service.',
    example: SCHEDULE_EXAMPLE,
    takes: 'document',
    creates: ScheduleBody,
    at: 'finance/schedules/{id}',
    problems: [
      ...REFUSED_SCHEDULES,
      ScheduleRefusal.start_date_over,
      ScheduleRefusal.start_date_too_early,
    ],
  })
  async createSchedule(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateScheduleRequest }) body: CreateScheduleRequest,
    @OnceOnly() once: Once,
  ) {
    assertMaySchedule(caller, body);
    const wish = toNewSchedule(body);
    return once.run(presentSchedule, (guard) =>
      this.schedules.create(byClient(caller), wish, guard),
    );
  }

  @Get('', 'documents:read', {
    summary: 'List schedules, newest first',
    description: 'By status, customer or your own id, also those that have ended.',
    answers: SchedulePage,
  })
  async listSchedules(
    @CallerOf() caller: Caller,
    @Query({ schema: ListSchedulesQuery }) asked: ListSchedulesQuery,
  ) {
    const { accountId } = caller;
    const filter = toScheduleFilter(asked);
    return pageById({ list: 'schedules', filter }, asked, {
      rows: async (after, count) => this.query.list(accountId, filter, after, count),
      present: (schedule) => presentSchedule(this.plans.view(schedule)),
      total: async (most) => this.query.count(accountId, filter, most),
    });
  }

  @Get(':id', 'documents:read', {
    summary: 'Read a schedule',
    description: 'With its next period. Its preview has those behind that.',
    answers: ScheduleBody,
    problems: [ScheduleRefusal.schedule_not_found],
  })
  async getSchedule(@CallerOf() caller: Caller, @Param('id') id: string) {
    const schedule = await this.query.get(caller.accountId, scheduleId(id));
    return presentSchedule(this.plans.view(schedule));
  }

  @Patch(':id', 'documents:write', {
    summary: 'Change a schedule',
    description:
      'It counts from the next period on: documents that were made stay as they are. A new rule begins where the last period ended.',
    example: { price_changes: [{ from: '2028-01-01', percent: '3.5' }] },
    takes: 'document',
    answers: ScheduleBody,
    problems: [
      ...REFUSED_SCHEDULES,
      ScheduleRefusal.schedule_not_found,
      ScheduleRefusal.schedule_ended,
    ],
  })
  async updateSchedule(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: PatchScheduleRequest }) body: PatchScheduleRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    assertMaySchedule(caller, body);
    const change = toScheduleChange(body);
    return once.run(presentSchedule, (guard) =>
      this.schedules.change(byClient(caller), scheduleId(id), change, expected, guard),
    );
  }
}
