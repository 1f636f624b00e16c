import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { BooksModule, TransferSumming } from '../books/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { PaymentsModule } from '../payments/index.js';
import { BANK_EVENTS } from './wire/bank-events.js';
import { BankEntryBooking } from './application/bank-entry-booking.js';
import { BankEntryJudging } from './application/bank-entry-judging.service.js';
import { BankEntries } from './application/bank-entries.service.js';
import { BankFileMappings } from './application/bank-file-mappings.service.js';
import { BankFileMappingsController } from './http/bank-file-mappings.controller.js';
import { BankFileMappingRepository } from './infrastructure/bank-file-mapping.repository.js';
import { BankFileMappingsQuery } from './infrastructure/bank-file-mappings.query.js';
import { BankStatements } from './application/bank-statements.service.js';
import { NewBankStatements } from './application/new-bank-statements.js';
import { BankStatementWithdrawals } from './application/bank-statement-withdrawals.service.js';
import { BankEntryChanges } from './application/bank-entry-changes.js';
import { BankEntryWriter } from './application/bank-entry-writer.js';
import { BankPostings } from './application/bank-postings.service.js';
import { NamedPaymentsQuery } from './infrastructure/named-payments.query.js';
import { BankEntryMatching } from './application/bank-entry-matching.js';
import { BankStatementReader } from './domain/bank-statement-reader.js';
import { PayoutReportReader } from './domain/payouts/payout-report.js';
import { BankEntriesController } from './http/bank-entries.controller.js';
import { BankReconciliationController } from './http/bank-reconciliation.controller.js';
import { BankReconciliationQuery } from './infrastructure/bank-reconciliation.query.js';
import { BankStatementsController } from './http/bank-statements.controller.js';
import { BankStatementRepository } from './infrastructure/bank-statement.repository.js';
import { BankStatementsQuery } from './infrastructure/bank-statements.query.js';
import { BankEntryCandidatesQuery } from './infrastructure/bank-entry-candidates.query.js';
import { BankEntryTwinsQuery } from './infrastructure/bank-entry-twins.query.js';
import { BankEntryEvidenceQuery } from './infrastructure/bank-entry-evidence.query.js';
import { PayoutImports } from './application/payouts/payout-imports.service.js';
import { LatePayoutLines } from './application/payouts/late-payout-lines.js';
import { PayoutWriter } from './application/payouts/payout-writer.js';
import { ReportedPayoutBooking } from './application/payouts/reported-payout-booking.js';
import { ReportedPayouts } from './application/payouts/reported-payouts.service.js';
import { Payouts } from './application/payouts/payouts.service.js';
import { PayoutsController } from './http/payouts.controller.js';
import { PayoutRepository } from './infrastructure/payout.repository.js';
import { PayoutsQuery } from './infrastructure/payouts.query.js';
import { BankFigures } from './infrastructure/bank-figures.js';
import { GatewayReconciliationController } from './http/gateway-reconciliation.controller.js';
import { GatewaySumsRepository } from './infrastructure/gateway-sums.repository.js';
import { GatewayReconciliationQuery } from './infrastructure/gateway-reconciliation.query.js';
import { BankStatementThreads } from './infrastructure/bank-statement-threads.js';

@Module({
  imports: [AuthModule, BooksModule, DocumentsModule, EventsModule, PaymentsModule],
  controllers: [
    BankStatementsController,
    BankFileMappingsController,
    BankEntriesController,
    BankReconciliationController,
    PayoutsController,
    GatewayReconciliationController,
  ],
  providers: [
    BankStatements,
    NewBankStatements,
    BankStatementWithdrawals,
    BankFileMappings,
    BankFileMappingRepository,
    BankFileMappingsQuery,
    BankEntries,
    BankEntryBooking,
    BankEntryJudging,
    BankEntryMatching,
    BankEntryChanges,
    BankEntryWriter,
    BankPostings,
    Payouts,
    PayoutImports,
    ReportedPayoutBooking,
    ReportedPayouts,
    PayoutWriter,
    LatePayoutLines,
    PayoutRepository,
    PayoutsQuery,
    BankFigures,
    GatewayReconciliationQuery,
    GatewaySumsRepository,
    BankStatementRepository,
    NamedPaymentsQuery,
    BankStatementsQuery,
    BankReconciliationQuery,
    BankEntryCandidatesQuery,
    BankEntryEvidenceQuery,
    BankEntryTwinsQuery,
    { provide: BankStatementReader, useClass: BankStatementThreads },
    { provide: PayoutReportReader, useExisting: BankStatementReader },
  ],
  exports: [BankStatements, PayoutsQuery],
})
export class BankModule {
  constructor(facts: FactListeners, summing: TransferSumming, sums: GatewaySumsRepository) {
    facts.define(Object.keys(BANK_EVENTS));
    summing.also(async (tx, window) => sums.add(tx, window));
  }
}
