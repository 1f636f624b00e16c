import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { BooksModule } from '../books/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule } from '../events/index.js';
import { ArchiveRepository } from './infrastructure/archive/archive.repository.js';
import { Archives } from './application/archives.service.js';
import { IntegrityController } from './http/integrity.controller.js';
import { IntegrityJob } from './application/integrity-job.js';
import { IntegrityRuns } from './application/integrity-runs.service.js';
import { IntegrityRunsRepository } from './infrastructure/integrity-runs.repository.js';
import { IntegrityQuery } from './infrastructure/integrity.query.js';
import { BooksFigures } from './infrastructure/books-figures.js';
import { LossAcceptance } from './application/loss-acceptance.js';
import { LossWatch } from './application/loss-watch.js';
import { LossesRepository } from './infrastructure/losses.repository.js';
import { SealBacklog } from './application/seal-backlog.js';
import { SealHeadsFile } from './infrastructure/heads-file.repository.js';
import { Sealer } from './application/sealer.js';
import { SealsRepository } from './infrastructure/seals.repository.js';

@Module({
  imports: [AuthModule, BooksModule, DocumentsModule, EventsModule],
  controllers: [IntegrityController],
  providers: [
    IntegrityQuery,
    IntegrityJob,
    IntegrityRuns,
    IntegrityRunsRepository,
    SealsRepository,
    SealHeadsFile,
    SealBacklog,
    BooksFigures,
    LossesRepository,
    LossWatch,
    LossAcceptance,
    Sealer,
    Archives,
    ArchiveRepository,
  ],
  exports: [Archives, IntegrityQuery, LossAcceptance, SealHeadsFile],
})
export class IntegrityModule {}
