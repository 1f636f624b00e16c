import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../clocks/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import { DUE_DATE_EVENTS } from '../domain/due-date.js';

/** A document of which something may have to be told. */
export interface ComingDueDate {
  accountId: Uuid;
  id: Uuid;
}

const dueOf = (accountId: Uuid | null) => `SELECT account_id AS "accountId", document_id AS id
  FROM pending_documents WHERE tell_at <= $1 AND ${ofOneClock('account_id', accountId, '$3')}
  ORDER BY tell_at LIMIT $2`;

const TOLD = `SELECT ARRAY(SELECT e.type FROM events e WHERE e.account_id = p.account_id
    AND e.document_id = p.document_id AND e.type = ANY ($4::text[])) AS told
  FROM pending_documents p WHERE p.account_id = $1 AND p.document_id = $2 AND p.tell_at <= $3`;

/** Due dates of open documents: `pending_documents` has the next moment of each. */
@Injectable()
export class DueDatesRepository {
  constructor(private readonly database: Database) {}

  /** @param accountId with a test clock; null: of all others */
  async due(now: Date, most: number, accountId: Uuid | null): Promise<ComingDueDate[]> {
    return this.database.query<ComingDueDate>(dueOf(accountId), [now, most, accountId]);
  }

  /**
   * The events that it had. Its document must be locked: so nobody else tells it meanwhile.
   * @returns undefined where nothing has to be told any more
   */
  async told(
    tx: Tx,
    { accountId, id }: ComingDueDate,
    now: Date,
  ): Promise<Set<string> | undefined> {
    const values = [accountId, id, now, [...DUE_DATE_EVENTS]];
    const [row] = await tx.read<{ told: string[] }>(TOLD, values);
    return row && new Set(row.told);
  }

  /** Its document must be locked. */
  lookAgain(tx: Tx, { accountId, id }: ComingDueDate, at: Date | null): void {
    tx.update('pending_documents', { account_id: accountId, document_id: id }, { tell_at: at });
  }
}
