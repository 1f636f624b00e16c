import { Injectable } from '@nestjs/common';
import { type Job, Jobs } from '../jobs.js';
import { ClockWatch } from '../observability/clock-watch.js';
import { Database } from './database.js';

const EVERY_MS = 600_000;
const AT_ONCE = 5000;

/** Rows that nobody needs once they are old. */
interface RetentionRule {
  what: string;
  keptMs: number;
  /** Deletes what is older than the instant `$1`, at most `$2` rows of it, and returns a row for each. */
  statement: string;
}

/**
 * Forgets rows by age, a bounded number at a time. Any number of processes may do it at once.
 * docs/operations.md lists what bounds each table (decision 59).
 */
@Injectable()
export class Retention {
  private readonly rules: RetentionRule[] = [];
  private readonly job: Job;

  constructor(
    private readonly database: Database,
    private readonly clock: ClockWatch,
    jobs: Jobs,
  ) {
    this.job = jobs.every(EVERY_MS, 'old rows could not be deleted', () => this.run(), {
      name: 'retention',
    });
  }

  add(...rules: RetentionRule[]): void {
    this.rules.push(...rules);
  }

  /** One rule that fails does not keep the others. */
  async run(): Promise<void> {
    for (const rule of this.rules) {
      try {
        await this.apply(rule);
      } catch (error) {
        this.job.failed(error, { what: rule.what });
      }
    }
  }

  /** A row is old when our clock and that of the database say so: one of them may be wrong. */
  private async apply({ keptMs, statement }: RetentionRule): Promise<void> {
    const [row] = await this.database.query<{ before: Date }>(
      `SELECT least($1::timestamptz, now() - $2 * interval '1 millisecond') AS before`,
      [this.clock.longAgo(keptMs), keptMs],
    );
    let deleted: unknown[];
    do {
      deleted = await this.database.query(statement, [row?.before, AT_ONCE]);
    } while (deleted.length > 0 && !this.job.isStopping);
  }
}
