import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Accounts } from '../../auth/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { WHOLE } from '../../platform/http/paging.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { revenueInBase } from '../domain/revenue-in-base.js';
import { revenueReport } from '../domain/revenue.js';
import { BaseRatesQuery } from '../infrastructure/base-rates.query.js';
import { RevenueQuery } from '../infrastructure/revenue.query.js';
import { assertInOrder, assertPeriods } from '../wire/report-query.js';
import {
  presentBaseRevenue,
  presentPeriod,
  presentRevenue,
  RevenueBody,
  RevenueReportQuery,
} from '../wire/revenue.js';

@ApiTags('reports')
@Controller('v1/finance/reports')
export class RevenueController {
  constructor(
    private readonly revenue: RevenueQuery,
    private readonly baseRates: BaseRatesQuery,
    private readonly accounts: Accounts,
  ) {}

  @Get('revenue', 'reports:read', {
    summary: 'Read revenue, tax and cash by period and currency',
    description:
      'Billed, credited, taxed, received and lost, from the ledger. With a base currency, its amounts stand beside the others.',
    answers: RevenueBody,
    problems: [FieldRefusal.sum_too_large],
  })
  async getRevenueReport(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: RevenueReportQuery }) query: RevenueReportQuery,
  ) {
    const { interval = 'month', currency = null } = query;
    const to = query.to ?? (await this.accounts.today(accountId));
    const from = query.from ?? `${to.slice(0, 4)}-01-01`;
    assertInOrder('from', from, 'to', to);
    assertPeriods(interval, from, to);
    const filter = { from, to, interval, currency };
    const { flows, taxes } = await this.revenue.read(accountId, filter);
    const { periods, totals } = revenueReport(filter, flows, taxes);
    const wishes = periods.map((period) => ({ currency: period.currency, day: period.to }));
    const rates = await this.baseRates.forReport(accountId, wishes);
    const converted = revenueInBase(periods, rates);
    return {
      from,
      to,
      interval,
      data: converted.periods.map(presentPeriod),
      ...WHOLE,
      totals: totals.map(presentRevenue),
      base: presentBaseRevenue(converted.base),
    };
  }
}
