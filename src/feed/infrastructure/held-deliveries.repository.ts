import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';

/** Deliveries of all accounts that were queued when a backup was restored. */
@Injectable()
export class HeldDeliveriesRepository {
  constructor(private readonly database: Database) {}

  async survey(): Promise<{ held: number; oldest: Date | null }> {
    const [row] = await this.database.query<{ held: number; oldest: Date | null }>(
      `SELECT count(*)::int AS held, min(created_at) AS oldest FROM webhook_deliveries
       WHERE status = 'held'`,
    );
    return row ?? { held: 0, oldest: null };
  }

  /** @returns how many */
  async release(now: Date): Promise<number> {
    const [row] = await this.database.query<{ released: number }>(
      `WITH released AS (
         UPDATE webhook_deliveries SET status = 'pending', next_try_at = $1, round_tries = 0
         WHERE status = 'held' RETURNING account_id, endpoint_id
       ), due AS (
         UPDATE webhook_queues q SET due_at = '-infinity', round = q.round + 1
         FROM (SELECT DISTINCT account_id, endpoint_id FROM released) r
         WHERE q.account_id = r.account_id AND q.endpoint_id = r.endpoint_id
       )
       SELECT count(*)::int AS released FROM released`,
      [now],
    );
    return row?.released ?? 0;
  }

  /** @returns how many */
  async drop(): Promise<number> {
    const [row] = await this.database.query<{ dropped: number }>(
      `WITH dropped AS (
         UPDATE webhook_deliveries SET status = 'failed' WHERE status = 'held' RETURNING 1
       )
       SELECT count(*)::int AS dropped FROM dropped`,
    );
    return row?.dropped ?? 0;
  }
}
