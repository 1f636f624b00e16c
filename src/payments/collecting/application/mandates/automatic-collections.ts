import { Injectable } from '@nestjs/common';
import { DueWork } from '../../../../clocks/index.js';
import { HeldWork } from '../../../../platform/held-work.js';
import { Figures } from '../../../../platform/observability/figures.js';
import { type Job, Jobs } from '../../../../platform/jobs.js';
import { publicId, type Uuid } from '../../../../kernel/ids.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { DebitRetryRepository } from '../../infrastructure/mandates/debit-retry.repository.js';
import { Collections } from './collections.service.js';

const LOOK_EVERY_MS = 300_000;
const AT_ONCE = 50;
const RETRIES_AT_ONCE = 500;
/** Schemes want to know of a debit some working days before, and so does the customer. */
export const BEFORE_DUE_MS = 10 * 86_400_000;

/**
 * Collects invoices of customers who want that, in time for their due date, and again where a plan says so.
 * Any number of processes may.
 */
@Injectable()
export class AutomaticCollections {
  private readonly job: Job;

  constructor(
    private readonly repository: CollectionRepository,
    private readonly retries: DebitRetryRepository,
    private readonly collections: Collections,
    private readonly dueWork: DueWork,
    private readonly held: HeldWork,
    figures: Figures,
    jobs: Jobs,
  ) {
    dueWork.add('debits', (accountId, now) => this.round(accountId, now));
    this.job = jobs.every(LOOK_EVERY_MS, 'invoices could not be collected', () => this.run(), {
      name: 'collections',
    });
    figures.measureHeld(
      {
        name: 'collections_held',
        help: '1: the database was restored, and debits wait for `cli release --collections`.',
        says: 'Debits are held since a restore',
      },
      async () => ((await held.isHeld('collections')) ? 1 : 0),
    );
  }

  /** @returns how many collections have begun */
  async run(): Promise<number> {
    // A restored database does not know which debits have begun since.
    return (await this.held.isHeld('collections')) ? 0 : this.dueWork.ofAll('debits');
  }

  private async round(accountId: Uuid | null, now: Date): Promise<number> {
    return (await this.again(accountId, now)) + (await this.first(accountId, now));
  }

  private async again(accountId: Uuid | null, now: Date): Promise<number> {
    let begun = 0;
    let isMore = true;
    while (isMore && !this.job.isStopping) {
      const due = await this.retries.due(accountId, now, RETRIES_AT_ONCE);
      const some = await this.job.each(due, (one) => this.collections.retry(one), documentIn);
      begun += some;
      isMore = due.length === RETRIES_AT_ONCE && some > 0;
    }
    return begun;
  }

  private async first(accountId: Uuid | null, now: Date): Promise<number> {
    const until = new Date(now.getTime() + BEFORE_DUE_MS);
    let begun = 0;
    let after: Uuid | null = null;
    while (!this.job.isStopping) {
      const some = await this.repository.due(accountId, until, after, AT_ONCE);
      begun += await this.job.each(
        some,
        (due) => this.collections.collectAutomatically(due),
        documentIn,
      );
      if (some.length < AT_ONCE) break;
      after = some.at(-1)?.documentId ?? null;
    }
    return begun;
  }
}

const documentIn = ({ documentId }: { documentId: Uuid }) => ({
  document: publicId('doc', documentId),
});
