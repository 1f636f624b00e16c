import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  GatewayReconciliationBody,
  ReconciledGatewayBody,
  GatewayReconciliationRequest,
} from '../wire/gateway-reconciliation.js';
import { WHOLE } from '../../platform/http/paging.js';
import { Accounts } from '../../auth/index.js';
import { minorNumber } from '../../kernel/money.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { invalidParameter } from '../../platform/http/request-refusals.js';
import { type ReconciledGateway, reconciledGateways } from '../domain/gateway-reconciliation.js';
import { GatewayReconciliationQuery } from '../infrastructure/gateway-reconciliation.query.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('reports')
@Controller('v1/finance/reports/gateway-reconciliation')
export class GatewayReconciliationController {
  constructor(
    private readonly query: GatewayReconciliationQuery,
    private readonly accounts: Accounts,
  ) {}

  @Get('', 'reports:read', {
    summary: 'Compare the books with the balances at providers',
    description:
      'The account `gateway_clearing` by gateway and currency. It is what each provider should ' +
      'have of you at the end of a day.',
    answers: GatewayReconciliationBody,
    problems: [FieldRefusal.sum_too_large],
  })
  async getGatewayReconciliation(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: GatewayReconciliationRequest }) query: GatewayReconciliationRequest,
  ) {
    const date = query.date ?? (await this.accounts.today(accountId));
    const from = query.from ?? null;
    if (from !== null && from > date) {
      throw invalidParameter('from', 'from must not be after date: exchange them.');
    }
    const movements = await this.query.movements(accountId, from ?? FIRST_DAY, date);
    const lines = reconciledGateways(movements);
    const currencies = [...new Set(lines.map(({ currency }) => currency))];
    const clearingOf = (currency: string) =>
      lines.reduce((sum, one) => (one.currency === currency ? sum + one.closing : sum), 0n);
    const totals = currencies.map((currency) => ({
      currency,
      gateway_clearing: minorNumber(clearingOf(currency)),
    }));
    return { from, date, data: lines.map(presentGateway), ...WHOLE, totals };
  }
}

/** No fact is older. */
const FIRST_DAY = '1900-01-01';

function presentGateway(one: ReconciledGateway): ReconciledGatewayBody {
  const { payments, refunds, fees, disputes, payouts, other } = one.moved;
  return {
    gateway: one.gateway,
    currency: one.currency,
    opening: minorNumber(one.opening),
    payments: minorNumber(payments),
    refunds: minorNumber(refunds),
    fees: minorNumber(fees),
    disputes: minorNumber(disputes),
    payouts: minorNumber(payouts),
    other: minorNumber(other),
    closing: minorNumber(one.closing),
  };
}
