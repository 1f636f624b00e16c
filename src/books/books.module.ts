import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { Bookkeeping } from './application/bookkeeping.service.js';
import { TransferSumming } from './application/transfer-summing.js';
import { VatMethods } from './application/vat-methods.service.js';
import { VatReturns } from './application/vat-returns.service.js';
import { Periods } from './application/periods.service.js';
import { ExchangeRates } from './application/exchange-rates.service.js';
import { ChartsOfAccounts } from './application/charts-of-accounts.service.js';
import { AgingController } from './http/aging.controller.js';
import { ChartOfAccountsController } from './http/chart-of-accounts.controller.js';
import { CustomerStatementController } from './http/customer-statement.controller.js';
import { DatevDownloads } from './http/datev-downloads.js';
import { EuSalesController } from './http/eu-sales.controller.js';
import { ExchangeRatesController } from './http/exchange-rates.controller.js';
import { JournalController } from './http/journal.controller.js';
import { LedgerBalancesController } from './http/ledger-balances.controller.js';
import { LedgerController } from './http/ledger.controller.js';
import { PeriodReportsController } from './http/period-reports.controller.js';
import { PeriodsController } from './http/periods.controller.js';
import { TaxController } from './http/tax.controller.js';
import { ReportFiles } from './http/report-files.js';
import { RevenueController } from './http/revenue.controller.js';
import { AgingQuery } from './infrastructure/aging.query.js';
import { BaseRatesQuery } from './infrastructure/base-rates.query.js';
import { ChartSettingsRepository } from './infrastructure/chart-settings.repository.js';
import { ExchangeRatesQuery } from './infrastructure/exchange-rates.query.js';
import { ExchangeRatesRepository } from './infrastructure/exchange-rates.repository.js';
import { JournalQuery } from './infrastructure/journal.query.js';
import { LedgerQuery } from './infrastructure/ledger.query.js';
import { LedgerRepository } from './infrastructure/ledger.repository.js';
import { PeriodClosingsRepository } from './infrastructure/period-closings.repository.js';
import { OssQuery } from './infrastructure/oss.query.js';
import { RevenueQuery } from './infrastructure/revenue.query.js';
import { RunningTransactionsQuery } from './infrastructure/running-transactions.query.js';
import { TaxReportQuery } from './infrastructure/tax-report.query.js';
import { TransferSumsRepository } from './infrastructure/transfer-sums.repository.js';
import { VatMethodsRepository } from './infrastructure/vat-methods.repository.js';
import { PERIOD_EVENTS } from './wire/period-events.js';
import { DatevFiles } from './application/datev-files.service.js';
import { EcSalesQuery } from './infrastructure/ec-sales.query.js';
import { DebtorsRepository } from './infrastructure/debtors.repository.js';
import { TaxReliefRepository } from './infrastructure/tax-relief.repository.js';
import { CustomerStatementQuery } from './infrastructure/customer-statement.query.js';

@Module({
  imports: [AuthModule, DocumentsModule, EventsModule],
  controllers: [
    LedgerController,
    LedgerBalancesController,
    AgingController,
    CustomerStatementController,
    RevenueController,
    JournalController,
    EuSalesController,
    ChartOfAccountsController,
    PeriodsController,
    TaxController,
    PeriodReportsController,
    ExchangeRatesController,
  ],
  providers: [
    Bookkeeping,
    LedgerRepository,
    LedgerQuery,
    TaxReliefRepository,
    VatMethods,
    VatReturns,
    VatMethodsRepository,
    TaxReportQuery,
    AgingQuery,
    CustomerStatementQuery,
    RevenueQuery,
    Periods,
    PeriodClosingsRepository,
    RunningTransactionsQuery,
    ChartsOfAccounts,
    ChartSettingsRepository,
    ExchangeRates,
    ExchangeRatesRepository,
    ExchangeRatesQuery,
    BaseRatesQuery,
    JournalQuery,
    DatevFiles,
    DatevDownloads,
    ReportFiles,
    DebtorsRepository,
    OssQuery,
    EcSalesQuery,
    TransferSumming,
    TransferSumsRepository,
  ],
  exports: [
    CustomerStatementQuery,
    LedgerRepository,
    ExchangeRatesRepository,
    Periods,
    TransferSumming,
  ],
})
export class BooksModule {
  constructor(facts: FactListeners) {
    facts.define(Object.keys(PERIOD_EVENTS));
  }
}
