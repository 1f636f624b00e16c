import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { BankReconciliationQuery } from '../infrastructure/bank-reconciliation.query.js';
import {
  BankReconciliationBody,
  BankReconciliationRequest,
  presentReconciledAccount,
  presentReconciledCash,
} from '../wire/bank-reconciliation.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

@ApiTags('reports')
@Controller('v1/finance/reports/bank-reconciliation')
export class BankReconciliationController {
  constructor(private readonly query: BankReconciliationQuery) {}

  @Get('', 'reports:read', {
    summary: 'Compare the books with the statements of the bank',
    description:
      'Of each bank account its balances, its entries, and gaps between its statements; of each ' +
      'currency the account `cash` of the ledger, by what it is made of.',
    answers: BankReconciliationBody,
    problems: [FieldRefusal.sum_too_large],
  })
  async getBankReconciliation(
    @CallerOf() { accountId }: Caller,
    @Query({ schema: BankReconciliationRequest }) { date }: BankReconciliationRequest,
  ) {
    const { accounts, cash } = await this.query.read(accountId, date ?? null);
    return {
      accounts: accounts.map(presentReconciledAccount),
      cash: cash.map(presentReconciledCash),
    };
  }
}
