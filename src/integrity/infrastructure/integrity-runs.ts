import { Injectable } from '@nestjs/common';
import { NO_ACCOUNT } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { insertInto } from '../../platform/database/sql-statement.js';
import { Log } from '../../platform/observability/log.js';
import { IntegrityQuery } from './integrity.query.js';

/** Shown in the log; `cli integrity` has all. */
const SHOWN_DIFFERENCES = 20;

/** Checks the books of all accounts, and keeps what was found. */
@Injectable()
export class IntegrityRuns {
  constructor(
    private readonly database: Database,
    private readonly integrity: IntegrityQuery,
    private readonly log: Log,
  ) {}

  async check(): Promise<void> {
    const startedAt = new Date();
    // Before the check, which then finds whether they are of the chain that there was.
    await this.database.query(
      `INSERT INTO seals_seen (account_id, sequence, digest, seen_at)
       SELECT account_id, sequence, digest, now() FROM seal_heads ON CONFLICT DO NOTHING`,
    );
    const { checks, differences } = await this.integrity.differences();
    const found = differences.length;
    const run = {
      account_id: NO_ACCOUNT,
      started_at: startedAt,
      finished_at: new Date(),
      differences: found,
    };
    const { text, values } = insertInto('integrity_runs', [run]);
    await this.database.query(text, values);
    const shown = differences.slice(0, SHOWN_DIFFERENCES);
    if (found > 0) this.log.error({ checks, found, differences: shown }, 'the books do not agree');
    else this.log.info({ checks }, 'the books agree');
  }
}
