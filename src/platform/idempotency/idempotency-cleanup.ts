import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Database } from '../database/database.js';
import { ClockWatch } from '../observability/clock-watch.js';
import { Log } from '../observability/log.js';

const EVERY_MS = 600_000;
const AT_ONCE = 5000;

/** Forgets keys after their keeping time, a bounded number at a time. */
@Injectable()
export class IdempotencyCleanup implements OnApplicationBootstrap, OnModuleDestroy {
  private timer?: NodeJS.Timeout;

  constructor(
    private readonly database: Database,
    private readonly clock: ClockWatch,
    private readonly config: Config,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.run().catch((error: unknown) => this.log.warn({ error }, 'idempotency cleanup failed'));
    }, EVERY_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** A key is old when our clock and that of the database say so: one of them may be wrong. */
  async run(): Promise<void> {
    const keptMs = this.config.idempotencyHours * 3_600_000;
    const before = this.clock.longAgo(keptMs);
    let deleted: unknown[];
    do {
      deleted = await this.database.query(
        `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM idempotency_keys 
           WHERE created_at < least($1, now() - $3 * interval '1 millisecond')
           LIMIT $2)) RETURNING 1`,
        [before, AT_ONCE, keptMs],
      );
    } while (deleted.length === AT_ONCE);
  }
}
