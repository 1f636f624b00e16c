import { Body, Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { byClient, type Caller, CallerOf } from '../../../platform/http/request.js';
import { Get, Patch, Post } from '../../../platform/http/route.js';
import type { Once } from '../../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../../platform/idempotency/once.decorator.js';
import { WHOLE } from '../../../platform/http/paging.js';
import {
  type NewSeries,
  Numbering,
  type SeriesAudit,
  type SeriesChange,
  type SeriesView,
} from '../../application/numbering.service.js';
import {
  ChangeNumberSeriesRequest,
  CreateNumberSeriesRequest,
  NumberingAuditBody,
  NumberSeriesBody,
  NumberSeriesList,
} from '../../wire/numbering.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { DocumentRefusal } from '../../domain/refusals.js';

@ApiTags('numbering')
@Controller('v1/finance/numbering')
export class NumberingController {
  constructor(private readonly numbering: Numbering) {}

  @Get('', 'documents:read', {
    summary: 'List number series, by name',
    description:
      'Each with its pattern, and the number that it gives next. An account has at most 100.',
    answers: NumberSeriesList,
  })
  async listNumberSeries(@CallerOf() caller: Caller) {
    return { data: (await this.numbering.list(caller.accountId)).map(present), ...WHOLE };
  }

  @Post('', 'settings:write', {
    summary: 'Create a number series',
    description:
      'The pattern has `{SEQ}` once, and may have `{YYYY}`, `{YY}` and `{MM}` of the issue date. One that could give numbers twice is refused.',
    example: { id: 'web', kind: 'invoice', pattern: 'WEB-{SEQ:5}' },
    creates: NumberSeriesBody,
    at: 'finance/numbering/{series}',
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
      DocumentRefusal.invalid_series,
      DocumentRefusal.invalid_pattern,
      DocumentRefusal.series_exists,
      DocumentRefusal.pattern_taken,
      DocumentRefusal.too_many_series,
    ],
  })
  async createNumberSeries(
    @CallerOf() caller: Caller,
    @Body({ schema: CreateNumberSeriesRequest }) body: CreateNumberSeriesRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) =>
      this.numbering.create(byClient(caller), toNewSeries(body), guard),
    );
  }

  @Get(':series_id', 'documents:read', {
    summary: 'Read a number series',
    description:
      'With its pattern, when its count starts again, and the number that it gives next.',
    answers: NumberSeriesBody,
    problems: [DocumentRefusal.series_not_found],
  })
  async getNumberSeries(@CallerOf() caller: Caller, @Param('series_id') series: string) {
    return present(await this.numbering.find(caller.accountId, series));
  }

  @Patch(':series_id', 'settings:write', {
    summary: 'Change a number series',
    description:
      'A change holds from the next number on. `next` moves the count before the first number of its period, and never back.',
    example: { pattern: 'RE-{SEQ:5}' },
    answers: NumberSeriesBody,
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
      DocumentRefusal.invalid_pattern,
      DocumentRefusal.series_not_found,
      DocumentRefusal.pattern_taken,
      DocumentRefusal.counter_not_raisable,
      DocumentRefusal.default_required,
    ],
  })
  async changeNumberSeries(
    @CallerOf() caller: Caller,
    @Param('series_id') series: string,
    @Body({ schema: ChangeNumberSeriesRequest }) body: ChangeNumberSeriesRequest,
    @OnceOnly() once: Once,
  ) {
    return once.run(present, (guard) =>
      this.numbering.change(byClient(caller), series, toSeriesChange(body), guard),
    );
  }

  @Get(':series_id/audit', 'documents:read', {
    summary: 'Check that a series has every number once',
    description:
      'Compares what each counter gave with the documents that are there. Gaps, doubles and strays are listed by number.',
    answers: NumberingAuditBody,
    problems: [DocumentRefusal.series_not_found],
  })
  async auditNumberSeries(@CallerOf() caller: Caller, @Param('series_id') series: string) {
    return presentAudit(await this.numbering.audit(caller.accountId, series));
  }
}

function toNewSeries(body: CreateNumberSeriesRequest): NewSeries {
  return {
    series: body.id,
    kind: body.kind,
    pattern: body.pattern,
    reset: body.reset ?? 'never',
    startAt: BigInt(body.start_at ?? 1),
    isDefault: body.default ?? false,
    datesInOrder: body.dates_in_order ?? false,
  };
}

function toSeriesChange(body: ChangeNumberSeriesRequest): SeriesChange {
  return {
    ...(body.pattern != null && { pattern: body.pattern }),
    ...(body.reset != null && { reset: body.reset }),
    ...(body.default != null && { isDefault: body.default }),
    ...(body.dates_in_order != null && { datesInOrder: body.dates_in_order }),
    ...(body.next != null && { next: BigInt(body.next) }),
  };
}

/** A sequence starts at 10^12 at most and goes up by one, so it fits a JSON number. */
function present(view: SeriesView): NumberSeriesBody {
  return {
    id: view.series,
    kind: view.kind,
    pattern: view.pattern,
    reset: view.reset,
    default: view.isDefault,
    dates_in_order: view.datesInOrder,
    start_at: Number(view.startAt),
    period: view.period,
    next: Number(view.next),
    next_number: view.nextNumber,
    created_at: view.createdAt?.toISOString() ?? null,
  };
}

function presentAudit({ series, kind, pattern, reset, periods, complete }: SeriesAudit) {
  return {
    series_id: series,
    kind,
    pattern,
    reset,
    periods: periods.map((period) => ({
      period: period.period,
      first: period.first === null ? null : Number(period.first),
      last: period.last === null ? null : Number(period.last),
      first_number: period.firstNumber,
      last_number: period.lastNumber,
      count: Number(period.count),
      voided: Number(period.voided),
      gaps: period.gaps,
      gap_count: Number(period.gapCount),
      skipped: period.skipped,
      skipped_count: Number(period.skippedCount),
      doubles: Number(period.doubles),
      strays: Number(period.strays),
    })),
    complete,
  } satisfies NumberingAuditBody;
}
