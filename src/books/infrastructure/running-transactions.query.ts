import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Database } from '../../platform/database/database.js';

const LOOK_AGAIN_MS = 20;

/** The transactions of all processes that write to the database. */
@Injectable()
export class RunningTransactionsQuery {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits until nobody is left who may not know of what was committed before; false where somebody
   * is after that time. A statement that had begun may get the number of its transaction only
   * later: so statements come first, and then transactions.
   */
  async haveEnded(withinMs: number): Promise<boolean> {
    const until = this.clock.elapsedMs() + withinMs;
    const [now] = await this.database.query<{ at: string }>('SELECT clock_timestamp()::text AS at');
    const statements = async () => this.haveStatementsEnded(now?.at ?? '');
    if (!(await this.waitFor(statements, until))) return false;
    // The first transaction that has not begun.
    const [next] = await this.database.query<{ xid: string }>(
      'SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS xid',
    );
    return this.waitFor(async () => this.haveTransactionsEnded(next?.xid ?? ''), until);
  }

  private async haveStatementsEnded(begunBy: string): Promise<boolean> {
    const [row] = await this.database.query<{ ended: boolean }>(
      `SELECT NOT EXISTS (SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
           AND backend_type = 'client backend' AND query_start <= $1::text::timestamptz) AS ended`,
      [begunBy],
    );
    return row?.ended ?? false;
  }

  private async haveTransactionsEnded(before: string): Promise<boolean> {
    const [row] = await this.database.query<{ ended: boolean }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 AS ended',
      [before],
    );
    return row?.ended ?? false;
  }

  private async waitFor(isSo: () => Promise<boolean>, until: number): Promise<boolean> {
    while (!(await isSo())) {
      if (this.clock.elapsedMs() > until) return false;
      await delay(LOOK_AGAIN_MS);
    }
    return true;
  }
}
