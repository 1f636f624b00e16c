import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { HeldWork } from '../../../../platform/held-work.js';
import { type Job, Jobs } from '../../../../platform/jobs.js';
import { PlannedReadRepository } from '../../infrastructure/planned-read.repository.js';
import { PaymentListReads } from './payment-list-reads.js';

const LOOK_EVERY_MS = 10_000;

/**
 * After a restore, all that providers can be asked is asked at once: pages, debits, refunds, mandates
 * and lists, from where they had been read in the backup. So the books learn what happened since.
 */
@Injectable()
export class RestoredLookUps implements OnApplicationBootstrap {
  private readonly job: Job;

  constructor(
    private readonly work: HeldWork,
    private readonly planned: PlannedReadRepository,
    private readonly lists: PaymentListReads,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    const failure = 'providers were not asked what happened since the backup; tried again';
    this.job = jobs.every(LOOK_EVERY_MS, failure, () => this.run());
  }

  onApplicationBootstrap(): void {
    void this.job.begin();
  }

  async run(): Promise<void> {
    if (!(await this.work.isHeld('look_ups'))) return;
    await this.planned.bringForward(this.clock.serverNow());
    await this.work.release('look_ups');
    await this.lists.begin();
  }
}
