import { Injectable } from '@nestjs/common';
import { publicId, type Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { AskedEnd } from '../domain/asked-end.js';

/** Schedules that their clients want ended, in words for a letter. */
@Injectable()
export class AskedEndsQuery {
  /** By schedule. */
  async find(
    tx: Tx,
    of: readonly { accountId: Uuid; id: Uuid }[],
  ): Promise<ReadonlyMap<Uuid, AskedEnd>> {
    const rows = await tx.read<Omit<AskedEnd, 'schedule'> & { id: Uuid }>(
      `SELECT s.schedule_id AS id, s.name, s.next_on AS "nextOn", c.profile->>'name' AS client,
         c.profile->>'email' AS email
       FROM schedules s JOIN customers c USING (account_id, customer_id)
       WHERE (s.account_id, s.schedule_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`,
      [of.map(({ accountId }) => accountId), of.map(({ id }) => id)],
    );
    return new Map(rows.map(({ id, ...told }) => [id, { schedule: publicId('sch', id), ...told }]));
  }
}
