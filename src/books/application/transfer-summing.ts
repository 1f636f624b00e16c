import { Injectable } from '@nestjs/common';
import { EventMarks, type EventWindow } from '../../events/index.js';
import { type Job, Jobs } from '../../platform/jobs.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { TransferSumsRepository } from '../infrastructure/transfer-sums.repository.js';

const EVERY_MS = 5000;

type Add = (tx: Tx, window: Pick<EventWindow, 'from' | 'through'>) => Promise<void>;

/**
 * Keeps sums of transfers for reports, behind those who book: a payment does not pay for them, and
 * reports add what is not in them yet (decision 294).
 */
@Injectable()
export class TransferSumming {
  private readonly job: Job;
  private readonly others: Add[] = [];

  constructor(
    private readonly uow: UnitOfWork,
    private readonly marks: EventMarks,
    private readonly sums: TransferSumsRepository,
    jobs: Jobs,
  ) {
    const failure = 'summing transfers failed; the next round tries again';
    this.job = jobs.every(EVERY_MS, failure, () => this.sum(), { name: 'sums' });
  }

  /** Sums of another module, by the same mark. */
  also(add: Add): void {
    this.others.push(add);
  }

  /** Adds all that has ended. */
  async sum(): Promise<void> {
    while (!this.job.isStopping && (await this.next()));
  }

  /** @returns whether there may be more */
  private async next(): Promise<boolean> {
    return this.uow.run(async (tx) => {
      const window = await this.marks.next(tx, 'sums');
      if (!window) return false;
      const found = await this.sums.add(tx, window);
      if (found > 0n) for (const add of this.others) await add(tx, window);
      this.marks.finish(tx, window, found > 0n);
      return window.hasMore;
    });
  }
}
