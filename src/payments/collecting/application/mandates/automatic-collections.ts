import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { Config } from '../../../../platform/config/config.js';
import { Log } from '../../../../platform/observability/log.js';
import { Rounds } from '../../../../platform/rounds.js';
import { publicId, type Uuid } from '../../../../kernel/ids.js';
import { CollectionRepository } from '../../infrastructure/mandates/collection.repository.js';
import { Collections } from './collections.service.js';

const LOOK_EVERY_MS = 300_000;
const AT_ONCE = 50;
/** Schemes want to know of a debit some working days before, and so does the customer. */
const BEFORE_DUE_MS = 10 * 86_400_000;

/** Collects invoices of customers who want that, in time for their due date. Any number of processes may. */
@Injectable()
export class AutomaticCollections implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rounds = new Rounds(
    () => this.run(),
    (error) => this.log.warn({ error }, 'invoices could not be collected'),
  );

  constructor(
    private readonly repository: CollectionRepository,
    private readonly collections: Collections,
    private readonly clock: Clock,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    if (this.config.doesJobs) this.rounds.start(LOOK_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.rounds.stop();
  }

  /** @returns how many collections have begun */
  async run(): Promise<number> {
    const until = new Date(this.clock.now().getTime() + BEFORE_DUE_MS);
    let begun = 0;
    let after: Uuid | null = null;
    while (!this.rounds.isStopping) {
      const some = await this.repository.due(until, after, AT_ONCE);
      for (const due of some) {
        if (this.rounds.isStopping) break;
        try {
          if (await this.collections.collectAutomatically(due)) begun += 1;
        } catch (error) {
          const document = publicId('doc', due.documentId);
          this.log.warn({ error, document }, 'an invoice could not be collected');
        }
      }
      if (some.length < AT_ONCE) break;
      after = some.at(-1)?.documentId ?? null;
    }
    return begun;
  }
}
