import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import type { Tx } from '../../platform/database/tx.js';
import type { PeriodClosing } from '../domain/period.js';

type ClosingColumns = Pick<
  Row<'period_closings', { action: PeriodClosing['action'] }>,
  'action' | 'open_from' | 'decided_at' | 'chart_version'
>;

const OF_ACCOUNT = `
  SELECT action, open_from, decided_at, chart_version FROM period_closings
  WHERE account_id = $1 ORDER BY closing_id`;

/** The closings of an account, in one snapshot with what they are about. */
export async function closingsIn(read: SnapshotRead, accountId: Uuid): Promise<PeriodClosing[]> {
  return (await read<ClosingColumns>(OF_ACCOUNT, [accountId])).map(toClosing);
}

/** The closings of months: they only ever grow. */
@Injectable()
export class PeriodClosingsRepository {
  constructor(private readonly database: Database) {}

  /** In the order in which they were decided: no locks. */
  async ofAccount(accountId: Uuid): Promise<PeriodClosing[]> {
    const rows = await this.database.query<ClosingColumns>(OF_ACCOUNT, [accountId]);
    return rows.map(toClosing);
  }

  /** The same in a transaction, which has a connection already. */
  async readOfAccount(tx: Tx, accountId: Uuid): Promise<PeriodClosing[]> {
    const rows = await tx.read<ClosingColumns>(OF_ACCOUNT, [accountId]);
    return rows.map(toClosing);
  }

  /** All that could not know of it have ended: this transaction and later ones know. */
  insertClosed(tx: Tx, accountId: Uuid, openFrom: IsoDate, at: Date, chart: number): void {
    this.insert(tx, accountId, 'closed', openFrom, at, 'book_xact()', chart);
  }

  /** Those that run now may know of it as soon as this one commits. */
  insertReopened(tx: Tx, accountId: Uuid, openFrom: IsoDate, at: Date): void {
    const oldest = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint + book_xact_offset()';
    this.insert(tx, accountId, 'reopened', openFrom, at, oldest, null);
  }

  private insert(
    tx: Tx,
    accountId: Uuid,
    action: PeriodClosing['action'],
    openFrom: IsoDate,
    at: Date,
    known: string,
    chart: number | null,
  ): void {
    tx.write(
      `INSERT INTO period_closings (account_id, closing_id, action, open_from, decided_at, chart_version,
         known_xact)
       VALUES ($1, $2, $3, $4, $5, $6, ${known})`,
      [accountId, tx.newId(), action, openFrom, at, chart],
    );
  }
}

function toClosing(row: ClosingColumns): PeriodClosing {
  return {
    action: row.action,
    openFrom: row.open_from,
    decidedAt: row.decided_at,
    chartVersion: row.chart_version,
  };
}
