import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { EventsModule } from '../events/index.js';
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
  imports: [AuthModule, EventsModule],
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
  ],
  exports: [IntegrityQuery, LossAcceptance],
})
export class IntegrityModule {}
