import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule } from '../events/index.js';
import { Bookkeeping } from './application/bookkeeping.service.js';
import { Periods } from './application/periods.service.js';
import { LedgerController } from './http/ledger.controller.js';
import { PeriodsController } from './http/periods.controller.js';
import { ReportsController } from './http/reports.controller.js';
import { AgingQuery } from './infrastructure/aging.query.js';
import { LedgerQuery } from './infrastructure/ledger.query.js';
import { LedgerRepository } from './infrastructure/ledger.repository.js';
import { PeriodClosingsRepository } from './infrastructure/period-closings.repository.js';
import { RevenueQuery } from './infrastructure/revenue.query.js';
import { RunningTransactionsQuery } from './infrastructure/running-transactions.query.js';
import { CustomerStatementQuery } from './infrastructure/customer-statement.query.js';

@Module({
  imports: [AuthModule, DocumentsModule, EventsModule],
  controllers: [LedgerController, ReportsController, PeriodsController],
  providers: [
    Bookkeeping,
    LedgerRepository,
    LedgerQuery,
    AgingQuery,
    CustomerStatementQuery,
    RevenueQuery,
    Periods,
    PeriodClosingsRepository,
    RunningTransactionsQuery,
  ],
  exports: [LedgerRepository],
})
export class BooksModule {}
