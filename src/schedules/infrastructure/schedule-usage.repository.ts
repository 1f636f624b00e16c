import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Schedule } from '../domain/schedule.js';
import type { ReportedUsage, UsageSums } from '../domain/usage.js';

/** A sum, and those that are in it: one that is reported meanwhile is in the next. */
export interface BillableUsage {
  sums: UsageSums;
  ids: readonly Uuid[];
}

type Summed = { meter: string; quantity: string; ids: Uuid[] };

const SUMS = `SELECT meter, trim_scale(sum(quantity))::text AS quantity, array_agg(usage_id) AS ids
  FROM schedule_usage
  WHERE account_id = $1 AND schedule_id = $2 AND period_start IS NULL AND used_on <= $3
  GROUP BY meter`;

@Injectable()
export class ScheduleUsageRepository {
  constructor(private readonly database: Database) {}

  add(tx: Tx, { accountId, id }: Schedule, usage: ReportedUsage): void {
    tx.insert('schedule_usage', {
      account_id: accountId,
      usage_id: usage.id,
      schedule_id: id,
      meter: usage.meter,
      quantity: usage.quantity,
      used_on: usage.usedOn,
      created_at: usage.createdAt,
    });
  }

  /** All up to a day that no period has billed yet. */
  async billable(tx: Tx, { accountId, id }: Schedule, until: IsoDate): Promise<BillableUsage> {
    return billed(await tx.read<Summed>(SUMS, [accountId, id, until]));
  }

  /** The same for a preview. */
  async reported({ accountId, id }: Schedule, until: IsoDate): Promise<UsageSums> {
    return billed(await this.database.query<Summed>(SUMS, [accountId, id, until])).sums;
  }

  /** The period must be there. */
  bill(tx: Tx, accountId: Uuid, ids: readonly Uuid[], start: IsoDate): void {
    if (ids.length === 0) return;
    tx.write(
      `UPDATE schedule_usage SET period_start = $3
       WHERE account_id = $1 AND usage_id = ANY ($2::uuid[])`,
      [accountId, ids, start],
    );
  }
}

function billed(rows: readonly Summed[]): BillableUsage {
  return {
    sums: new Map(rows.map(({ meter, quantity }) => [meter, quantity])),
    ids: rows.flatMap(({ ids }) => ids),
  };
}
