import { Controller, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { WHOLE } from '../../platform/http/paging.js';
import { Periods } from '../application/periods.service.js';
import { PeriodBody, PeriodList, presentBooksPeriod } from '../wire/period.js';
import { BooksRefusal } from '../domain/refusals.js';

@ApiTags('books')
@Controller('v1/finance/periods')
export class PeriodsController {
  constructor(private readonly periods: Periods) {}

  @Get('', 'reports:read', {
    summary: 'List the months of the books',
    description:
      'From the present month back: each is open, closing or closed, with when it was closed.',
    answers: PeriodList,
  })
  async listPeriods(@CallerOf() { accountId }: Caller) {
    const { openFrom, periods } = await this.periods.list(accountId);
    return { open_from: openFrom, data: periods.map(presentBooksPeriod), ...WHOLE };
  }

  @Post(':month/close', 'settings:write', {
    summary: 'Close a month and all before it',
    description:
      'No fact is dated into a closed month. What comes late is booked on the first open day.',
    answers: PeriodBody,
    problems: [
      BooksRefusal.period_not_found,
      BooksRefusal.period_not_ended,
      BooksRefusal.period_closing,
    ],
  })
  async closePeriod(
    @CallerOf() caller: Caller,
    @Param('month') month: string,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentBooksPeriod, (guard) =>
      this.periods.close(byClient(caller), month, guard),
    );
  }

  @Post(':month/reopen', 'settings:write', {
    summary: 'Open a month and all after it again',
    description:
      'Facts may be dated into it again. What was booked later meanwhile stays on its day.',
    answers: PeriodBody,
    problems: [BooksRefusal.period_not_found, BooksRefusal.period_not_closed],
  })
  async reopenPeriod(
    @CallerOf() caller: Caller,
    @Param('month') month: string,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentBooksPeriod, (guard) =>
      this.periods.reopen(byClient(caller), month, guard),
    );
  }
}
