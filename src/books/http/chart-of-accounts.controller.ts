import { Body, Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { ExpectedVersions } from '../../kernel/versions.js';
import { IfMatch } from '../../platform/http/if-match.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Patch } from '../../platform/http/route.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { ChartsOfAccounts } from '../application/charts-of-accounts.service.js';
import {
  ChartBody,
  PatchChartRequest,
  presentChart,
  toChartChange,
} from '../wire/chart-of-accounts.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('reports')
@Controller('v1/finance/chart-of-accounts')
export class ChartOfAccountsController {
  constructor(private readonly charts: ChartsOfAccounts) {}

  @Get('', 'reports:read', {
    summary: 'Read the numbers that your accountant knows the ledger by',
    description:
      'Of each account of the ledger, and of revenue and tax by category, rate and country. Those that you did not change come from the template.',
    answers: ChartBody,
  })
  async getChartOfAccounts(@CallerOf() { accountId }: Caller) {
    return presentChart(await this.charts.find(accountId));
  }

  @Patch('', 'settings:write', {
    summary: 'Change the numbers that your accountant knows the ledger by',
    description:
      'The body is a JSON Merge Patch. Numbers are only names for exports, so nothing that is booked changes.',
    example: { template: 'skr03' },
    takes: 'mergePatch',
    answers: ChartBody,
    problems: [
      FieldRefusal.validation_failed,
      FieldRefusal.said_twice,
      FieldRefusal.one_value_required,
    ],
  })
  async updateChartOfAccounts(
    @CallerOf() caller: Caller,
    @Body({ schema: PatchChartRequest }) body: PatchChartRequest,
    @IfMatch() expected: ExpectedVersions,
    @OnceOnly() once: Once,
  ) {
    const change = toChartChange(body);
    return once.run(presentChart, (guard) =>
      this.charts.change(byClient(caller), change, expected, guard),
    );
  }
}
