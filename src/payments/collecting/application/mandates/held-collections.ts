import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { HeldWork } from '../../../../platform/held-work.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { DebitRetryRepository } from '../../infrastructure/mandates/debit-retry.repository.js';
import { BEFORE_DUE_MS } from './automatic-collections.js';

/** Beyond that, somebody looks at the documents themselves. */
const MOST_COUNTED = 10_000;

/** Debits that wait for the operator's word, since a backup was restored. */
@Injectable()
export class HeldCollections {
  constructor(
    private readonly work: HeldWork,
    private readonly collections: CollectionRepository,
    private readonly retries: DebitRetryRepository,
    private readonly clock: Clock,
  ) {}

  /** @returns whether they wait, and how many would begin now, up to 10,000 of each kind */
  async survey(): Promise<{ held: boolean; due: number }> {
    const now = this.clock.serverNow();
    const until = new Date(now.getTime() + BEFORE_DUE_MS);
    const first = await this.collections.due(null, until, null, MOST_COUNTED);
    const again = await this.retries.due(null, now, MOST_COUNTED);
    return { held: await this.work.isHeld('collections'), due: first.length + again.length };
  }

  /** They go on. A debit that was sent after the backup, and is not in the books, is sent once more. */
  async release(): Promise<void> {
    await this.work.release('collections');
  }
}
