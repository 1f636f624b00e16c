import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../clocks/sql.js';
import { IS_OWED } from '../../documents/sql.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';

/** A document that has to be looked at today. */
export interface DueDocument {
  accountId: Uuid;
  documentId: Uuid;
  customerId: Uuid;
  currency: Currency;
}

/** A letter whose charges are to be billed. */
export interface BillableReminder {
  accountId: Uuid;
  id: Uuid;
}

const FOUND = `d.account_id AS "accountId", d.document_id AS "documentId",
  d.customer_id AS "customerId", d.currency`;

// No zone is more than a day ahead: the index is asked for that, the zone for the rest.
const LOOKED_AT_AGAIN = (accountId: Uuid | null) => `dunning_states s
  JOIN accounts a USING (account_id) JOIN documents d USING (account_id, document_id)
  WHERE s.next_on <= ($1 AT TIME ZONE 'UTC')::date + 1
    AND s.next_on <= ($1 AT TIME ZONE a.time_zone)::date
    AND ${ofOneClock('s.account_id', accountId, '$2')}`;

const NOT_LOOKED_AT = (accountId: Uuid | null) => `dunning_plans l
  JOIN accounts a USING (account_id)
  JOIN pending_documents p ON p.account_id = l.account_id
    AND p.due_date <= ($1 AT TIME ZONE a.time_zone)::date - l.first_days
    AND (l.due_from IS NULL OR p.due_date >= l.due_from)
  JOIN documents d ON d.account_id = p.account_id AND d.document_id = p.document_id AND ${IS_OWED}
  WHERE ${ofOneClock('l.account_id', accountId, '$2')}
    AND NOT EXISTS (SELECT FROM dunning_states s
      WHERE (s.account_id, s.document_id) = (p.account_id, p.document_id)
        AND (s.next_on IS NOT NULL OR s.waits_for <> 'settled'))`;

const TO_BILL = (accountId: Uuid | null) => `reminders r JOIN accounts a USING (account_id)
  WHERE r.bill_on <= ($1 AT TIME ZONE a.time_zone)::date
    AND ${ofOneClock('r.account_id', accountId, '$2')}`;

const dueOf = (accountId: Uuid | null) => `
  SELECT * FROM (
    SELECT ${FOUND}, s.next_on AS day FROM ${LOOKED_AT_AGAIN(accountId)}
    UNION ALL
    SELECT ${FOUND}, p.due_date AS day FROM ${NOT_LOOKED_AT(accountId)}
  ) found ORDER BY day, "accountId", "customerId", "documentId" LIMIT $3`;

const billableOf = (accountId: Uuid | null) => `
  SELECT r.account_id AS "accountId", r.reminder_id AS id FROM ${TO_BILL(accountId)}
  ORDER BY r.bill_on, r.account_id, r.reminder_id LIMIT $3`;

/** Midnight of a day; what made it due later counts from then. */
const since = (day: string, ...later: string[]) =>
  `greatest((${day})::timestamp AT TIME ZONE a.time_zone, ${later.join(', ')})`;

const PLAN_CHANGED = `(SELECT l.updated_at FROM dunning_plans l WHERE l.account_id = s.account_id)`;

const OLDEST = `
  SELECT min(since) AS oldest FROM (
    SELECT ${since('s.next_on', PLAN_CHANGED)} AS since FROM ${LOOKED_AT_AGAIN(null)}
    UNION ALL
    SELECT ${since('p.due_date + l.first_days', 'l.updated_at', 'd.issued_at')}
    FROM ${NOT_LOOKED_AT(null)}
    UNION ALL
    SELECT ${since('r.bill_on', 'r.settled_at')} FROM ${TO_BILL(null)}
  ) due`;

/** Work of rounds: documents whose day has come, and letters whose charges are to be billed. */
@Injectable()
export class DueDunningQuery {
  constructor(private readonly database: Database) {}

  /** @param accountId with a test clock; null: of all others */
  async due(now: Date, accountId: Uuid | null, most: number): Promise<DueDocument[]> {
    return this.database.query<DueDocument>(dueOf(accountId), [now, accountId, most]);
  }

  async billable(now: Date, accountId: Uuid | null, most: number): Promise<BillableReminder[]> {
    return this.database.query<BillableReminder>(billableOf(accountId), [now, accountId, most]);
  }

  /** Since when the oldest waits, of accounts that go by the server's clock; undefined: there is none. */
  async oldest(now: Date): Promise<Date | undefined> {
    const [row] = await this.database.query<{ oldest: Date | null }>(OLDEST, [now, null]);
    return row?.oldest ?? undefined;
  }
}
