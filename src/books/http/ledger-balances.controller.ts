import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Accounts } from '../../auth/index.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { balancesOf } from '../domain/transfer.js';
import { BaseRatesQuery } from '../infrastructure/base-rates.query.js';
import { LedgerQuery } from '../infrastructure/ledger.query.js';
import { LedgerBalancesBody, LedgerBalancesQuery, presentBalances } from '../wire/ledger.js';

@ApiTags('reports')
@Controller('v1/finance/ledger')
export class LedgerBalancesController {
  constructor(
    private readonly ledger: LedgerQuery,
    private readonly baseRates: BaseRatesQuery,
    private readonly accounts: Accounts,
  ) {}

  @Get('balances', 'reports:read', {
    summary: 'Read the balance of each account of the ledger',
    description:
      'At the end of a day, in each currency: what was debited, credited, and is left. All accounts together are zero.',
    answers: LedgerBalancesBody,
    problems: [FieldRefusal.sum_too_large],
  })
  async getLedgerBalances(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: LedgerBalancesQuery }) { date, currency }: LedgerBalancesQuery,
  ) {
    const day = date ?? (await this.accounts.today(accountId));
    const flows = await this.ledger.flowsUntil(accountId, day, currency ?? null);
    const balances = balancesOf(flows);
    const wishes = balances.map((line) => ({ currency: line.currency, day }));
    return presentBalances(day, balances, await this.baseRates.forReport(accountId, wishes));
  }
}
