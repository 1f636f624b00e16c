import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import { beginHeld } from '../../platform/database/held-transaction.js';
import { ROLLBACK } from '../../platform/database/sql-statement.js';
import { Jobs } from '../../platform/jobs.js';
import { IntegrityRuns } from './integrity-runs.js';

const LOOK_EVERY_MS = 300_000;
const ANY_NUMBER_OF_OURS = 2_026_112_103;

/** Checks the books of all accounts from time to time, in one process of those that run. */
@Injectable()
export class IntegrityJob {
  constructor(
    private readonly database: Database,
    private readonly runs: IntegrityRuns,
    private readonly config: Config,
    jobs: Jobs,
  ) {
    const everyMs = config.integrityHours === 0 ? 0 : LOOK_EVERY_MS;
    // It only reads, and the next process does it again.
    const options = { name: 'integrity', atStop: 'leave' } as const;
    jobs.every(everyMs, 'the integrity check failed', () => this.run(), options);
  }

  /** Checks when it is time, and nobody else is at it; returns whether it did. */
  async run(): Promise<boolean> {
    return this.database.using(async (client) => {
      await beginHeld(client);
      try {
        const { rows } = await client.query<{ ours: boolean }>(
          'SELECT pg_try_advisory_xact_lock($1) AS ours',
          [ANY_NUMBER_OF_OURS],
        );
        if (!rows[0]?.ours || !(await this.isTime())) return false;
        await this.runs.check();
        return true;
      } finally {
        await client.query(ROLLBACK).catch(() => undefined);
      }
    });
  }

  private async isTime(): Promise<boolean> {
    const recent = await this.database.query(
      `SELECT FROM integrity_runs
       WHERE account_id = $1 AND started_at > now() - $2 * interval '1 hour'`,
      [NO_ACCOUNT, this.config.integrityHours],
    );
    return recent.length === 0;
  }
}
