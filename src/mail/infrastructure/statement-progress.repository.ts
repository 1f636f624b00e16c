import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../clocks/sql.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';

/** How far the statements of an account's month have come. */
export interface StatementProgress {
  /** `2026-10` */
  month: string;
  /** They go on after that customer; null: none has one yet. */
  after: Uuid | null;
}

export interface StatedCustomer {
  id: Uuid;
  email: string | null;
}

/**
 * The settings `s` of accounts whose last month is not done. It is looked at from the second day of
 * the next month on: what banks tell of its last day has come then. $1 is now.
 */
const DUE = `FROM mail_settings s
    JOIN accounts a USING (account_id)
    CROSS JOIN LATERAL (SELECT date_trunc('month',
      ($1::timestamptz AT TIME ZONE a.time_zone) - interval '1 month 1 day')::date AS month) last
  WHERE date_trunc('month', s.statements_since AT TIME ZONE a.time_zone) <= last.month
    AND (s.statements_month IS NULL OR s.statements_month < last.month
      OR s.statements_month = last.month AND s.statements_after IS NOT NULL)`;

const dueAccounts = (accountId: Uuid | null) => `
  SELECT s.account_id AS id ${DUE} AND ${ofOneClock('s.account_id', accountId, '$2')}
  ORDER BY s.statements_after NULLS FIRST, s.account_id LIMIT $3`;

/** Statements of account by month: whose turn it is, and who has had one. */
@Injectable()
export class StatementProgressRepository {
  constructor(private readonly database: Database) {}

  /** Those that have not begun come first. @param accountId with a test clock; null: all others */
  async dueAccounts(accountId: Uuid | null, now: Date, most: number): Promise<Uuid[]> {
    const values = [now, accountId, most];
    const rows = await this.database.query<{ id: Uuid }>(dueAccounts(accountId), values);
    return rows.map(({ id }) => id);
  }

  /** Locks it until the transaction ends. Undefined: it is done, or somebody else is at it. */
  async take(tx: Tx, accountId: Uuid, now: Date): Promise<StatementProgress | undefined> {
    const [row] = await tx.read<StatementProgress>(
      `SELECT to_char(last.month, 'YYYY-MM') AS month,
         CASE WHEN s.statements_month = last.month THEN s.statements_after END AS after
       ${DUE} AND s.account_id = $2 FOR UPDATE OF s SKIP LOCKED`,
      [now, accountId],
    );
    return row;
  }

  /** In order of their ids, without those that are archived or have no address. */
  async customers(
    tx: Tx,
    accountId: Uuid,
    after: Uuid | null,
    most: number,
  ): Promise<StatedCustomer[]> {
    return tx.read<StatedCustomer>(
      `SELECT customer_id AS id, profile->>'email' AS email FROM customers
       WHERE account_id = $1 AND ($2::uuid IS NULL OR customer_id > $2) AND archived_at IS NULL
         AND profile->>'email' IS NOT NULL
       ORDER BY customer_id LIMIT $3`,
      [accountId, after, most],
    );
  }

  save(tx: Tx, accountId: Uuid, { month, after }: StatementProgress): void {
    const first: IsoDate = `${month}-01`;
    tx.write(
      `UPDATE mail_settings SET statements_month = $2, statements_after = $3 WHERE account_id = $1`,
      [accountId, first, after],
    );
  }
}
