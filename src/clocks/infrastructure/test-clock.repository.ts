import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';

interface Standing {
  accountId: Uuid;
  at: Date;
}

const SELECT = 'SELECT account_id AS "accountId", stands_at AS at FROM test_clocks';

@Injectable()
export class TestClockRepository {
  constructor(private readonly database: Database) {}

  async all(): Promise<Standing[]> {
    return this.database.query<Standing>(SELECT, []);
  }

  async find(accountId: Uuid): Promise<Date | null> {
    const [row] = await this.database.query<Standing>(`${SELECT} WHERE account_id = $1`, [
      accountId,
    ]);
    return row?.at ?? null;
  }

  /**
   * @param from where it stands; null: it goes by the server's clock
   * @returns false: it stands elsewhere
   */
  async move(tx: Tx, accountId: Uuid, from: Date | null, to: Date): Promise<boolean> {
    const rows =
      from === null
        ? await tx.read(
            `INSERT INTO test_clocks (account_id, stands_at) VALUES ($1, $2)
             ON CONFLICT DO NOTHING RETURNING 1`,
            [accountId, to],
          )
        : await tx.read(
            `UPDATE test_clocks SET stands_at = $3
             WHERE account_id = $1 AND stands_at = $2 RETURNING 1`,
            [accountId, from, to],
          );
    return rows.length > 0;
  }
}
