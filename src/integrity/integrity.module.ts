import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { EventsModule } from '../events/index.js';
import { IntegrityController } from './http/integrity.controller.js';
import { IntegrityJob } from './infrastructure/integrity-job.js';
import { IntegrityRuns } from './infrastructure/integrity-runs.js';
import { IntegrityQuery } from './infrastructure/integrity.query.js';
import { BooksFigures } from './infrastructure/books-figures.js';
import { LossAcceptance } from './infrastructure/loss-acceptance.js';
import { LossWatch } from './infrastructure/loss-watch.js';
import { Losses } from './infrastructure/losses.js';
import { SealBacklog } from './infrastructure/seal-backlog.js';
import { SealHeadsFile } from './infrastructure/seal-heads-file.js';
import { Sealer } from './infrastructure/sealer.js';
import { SealsRepository } from './infrastructure/seals.repository.js';

@Module({
  imports: [AuthModule, EventsModule],
  controllers: [IntegrityController],
  providers: [
    IntegrityQuery,
    IntegrityJob,
    IntegrityRuns,
    SealsRepository,
    SealHeadsFile,
    SealBacklog,
    BooksFigures,
    Losses,
    LossWatch,
    LossAcceptance,
    Sealer,
  ],
  exports: [IntegrityQuery, LossAcceptance],
})
export class IntegrityModule {}
