import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule } from '../events/index.js';
import { Clock } from '../kernel/clock.js';
import { Config } from '../platform/config/config.js';
import { Allocations } from './application/allocations.service.js';
import { BankEntries } from './application/bank-entries.service.js';
import { BankStatements } from './application/bank-statements.service.js';
import { Bookkeeping } from './application/bookkeeping.service.js';
import { CustomerCredits } from './application/customer-credits.service.js';
import { PaymentLinks } from './application/payment-links.service.js';
import { PaymentSettingsService } from './application/payment-settings.service.js';
import { PaymentWriter } from './application/payment-writer.js';
import { Payments } from './application/payments.service.js';
import { ProviderPayments } from './application/provider-payments.service.js';
import { ProviderRefunds } from './application/provider-refunds.service.js';
import { Receipts } from './application/receipts.service.js';
import { RefundLookUps } from './application/refund-look-ups.js';
import { RefundSettlement } from './application/refund-settlement.js';
import { RefundWriter } from './application/refund-writer.js';
import { Refunds } from './application/refunds.service.js';
import { UnmatchedReceipts } from './application/unmatched-receipts.service.js';
import { StatementReader } from './domain/bank-statement.js';
import { Gateways } from './domain/gateways.js';
import { BankEntriesController } from './http/bank-entries.controller.js';
import { BankStatementsController } from './http/bank-statements.controller.js';
import { AmountExample } from './http/amount-example.interceptor.js';
import { BooksController } from './http/books.controller.js';
import { LedgerController } from './http/ledger.controller.js';
import { PaymentLinksController } from './http/payment-links.controller.js';
import { PaymentSettingsController } from './http/payment-settings.controller.js';
import { PaymentStepsController } from './http/payment-steps.controller.js';
import { PaymentsController } from './http/payments.controller.js';
import { RefundsController } from './http/refunds.controller.js';
import { ReportsController } from './http/reports.controller.js';
import { SandboxController } from './http/sandbox.controller.js';
import { UnmatchedReceiptsController } from './http/unmatched-receipts.controller.js';
import { AgingQuery } from './infrastructure/aging.query.js';
import { BankStatementRepository } from './infrastructure/bank-statement.repository.js';
import { BankStatementsQuery } from './infrastructure/bank-statements.query.js';
import { EntryCandidatesQuery } from './infrastructure/entry-candidates.query.js';
import { configuredGateways } from './infrastructure/gateways/index.js';
import { HoldingsRepository } from './infrastructure/holdings.repository.js';
import { HoldingsQuery } from './infrastructure/holdings.query.js';
import { IntegrityJob } from './infrastructure/integrity-job.js';
import { IntegrityQuery } from './infrastructure/integrity.query.js';
import { LedgerQuery } from './infrastructure/ledger.query.js';
import { LedgerRepository } from './infrastructure/ledger.repository.js';
import { PaymentLinkRepository } from './infrastructure/payment-link.repository.js';
import { PaymentSettingsRepository } from './infrastructure/payment-settings.repository.js';
import { PaymentRepository } from './infrastructure/payment.repository.js';
import { PaymentsQuery } from './infrastructure/payments.query.js';
import { ProviderReportRepository } from './infrastructure/provider-report.repository.js';
import { RefundRepository } from './infrastructure/refund.repository.js';
import { RefundsQuery } from './infrastructure/refunds.query.js';
import { RevenueQuery } from './infrastructure/revenue.query.js';
import { SealHeadsFile } from './infrastructure/seal-heads-file.js';
import { Sealer } from './infrastructure/sealer.js';
import { SealsRepository } from './infrastructure/seals.repository.js';
import { StatementQuery } from './infrastructure/statement.query.js';
import { StatementThreads } from './infrastructure/statement-threads.js';
import { UnmatchedReceiptRepository } from './infrastructure/unmatched-receipt.repository.js';
import { UnmatchedReceiptsQuery } from './infrastructure/unmatched-receipts.query.js';

@Module({
  imports: [AuthModule, DocumentsModule, EventsModule],
  controllers: [
    PaymentsController,
    PaymentStepsController,
    PaymentSettingsController,
    BankStatementsController,
    BankEntriesController,
    PaymentLinksController,
    RefundsController,
    UnmatchedReceiptsController,
    BooksController,
    LedgerController,
    ReportsController,
    SandboxController,
  ],
  providers: [
    Payments,
    Receipts,
    BankStatements,
    BankEntries,
    BankStatementRepository,
    BankStatementsQuery,
    EntryCandidatesQuery,
    { provide: StatementReader, useClass: StatementThreads },
    Allocations,
    PaymentSettingsService,
    PaymentWriter,
    Bookkeeping,
    CustomerCredits,
    PaymentLinks,
    ProviderPayments,
    Refunds,
    RefundWriter,
    RefundSettlement,
    RefundLookUps,
    ProviderRefunds,
    UnmatchedReceipts,
    RefundRepository,
    RefundsQuery,
    UnmatchedReceiptRepository,
    UnmatchedReceiptsQuery,
    PaymentRepository,
    PaymentSettingsRepository,
    HoldingsRepository,
    HoldingsQuery,
    LedgerRepository,
    PaymentLinkRepository,
    ProviderReportRepository,
    PaymentsQuery,
    LedgerQuery,
    AgingQuery,
    StatementQuery,
    RevenueQuery,
    IntegrityQuery,
    IntegrityJob,
    SealsRepository,
    SealHeadsFile,
    Sealer,
    AmountExample,
    {
      provide: Gateways,
      inject: [Config, Clock],
      useFactory: (config: Config, clock: Clock) => new Gateways(configuredGateways(config, clock)),
    },
  ],
  exports: [
    BankStatements,
    ProviderPayments,
    UnmatchedReceipts,
    PaymentLinks,
    Gateways,
    PaymentsQuery,
    IntegrityQuery,
    SealsRepository,
  ],
})
export class PaymentsModule {}
