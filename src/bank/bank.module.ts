import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule } from '../events/index.js';
import { PaymentsModule } from '../payments/index.js';
import { BankEntries } from './application/bank-entries.service.js';
import { BankStatements } from './application/bank-statements.service.js';
import { EntryMatching } from './application/entry-matching.js';
import { StatementReader } from './domain/bank-statement.js';
import { BankEntriesController } from './http/bank-entries.controller.js';
import { BankStatementsController } from './http/bank-statements.controller.js';
import { BankStatementRepository } from './infrastructure/bank-statement.repository.js';
import { BankStatementsQuery } from './infrastructure/bank-statements.query.js';
import { EntryCandidatesQuery } from './infrastructure/entry-candidates.query.js';
import { StatementThreads } from './infrastructure/statement-threads.js';

@Module({
  imports: [AuthModule, DocumentsModule, EventsModule, PaymentsModule],
  controllers: [BankStatementsController, BankEntriesController],
  providers: [
    BankStatements,
    BankEntries,
    EntryMatching,
    BankStatementRepository,
    BankStatementsQuery,
    EntryCandidatesQuery,
    { provide: StatementReader, useClass: StatementThreads },
  ],
  exports: [BankStatements],
})
export class BankModule {}
