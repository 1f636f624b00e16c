import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../clocks/sql.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';

interface DueQuote {
  accountId: Uuid;
  documentId: Uuid;
}

export interface ExpiringQuote extends DueQuote {
  /** Its last day. */
  lastDay: IsoDate;
  /** The newest of the settings that has come; below zero: before the last one. */
  day: number;
}

/** Of several days that were missed the newest alone, and none that came before the issue. */
const expiring = (accountId: Uuid | null) => `
  SELECT d.account_id AS "accountId", d.document_id AS "documentId", p.due_date AS "lastDay",
    newest.day
  FROM mail_settings s
    JOIN accounts a USING (account_id)
    CROSS JOIN LATERAL (SELECT ($1::timestamptz AT TIME ZONE a.time_zone)::date AS today) now
    JOIN pending_documents p ON p.account_id = s.account_id
      AND p.due_date BETWEEN now.today AND now.today - s.quote_days[1]
    JOIN documents d ON d.account_id = p.account_id AND d.document_id = p.document_id
      AND d.kind = 'quote' AND d.lifecycle = 'open' AND d.lapses_at > $1
    CROSS JOIN LATERAL (SELECT max(day) AS day FROM unnest(s.quote_days) AS day
      WHERE p.due_date + day <= now.today) newest
  WHERE ${ofOneClock('s.account_id', accountId, '$4')} AND s.quotes_since IS NOT NULL
    AND p.due_date + newest.day >= (s.quotes_since AT TIME ZONE a.time_zone)::date
    AND p.due_date + newest.day >= now.today - $2::int
    AND p.due_date + newest.day > d.issue_date
    AND NOT EXISTS (SELECT FROM mail_messages m WHERE m.account_id = d.account_id
      AND m.document_id = d.document_id
      AND m.fact = 'quote_expiring:' || p.due_date || ':' || newest.day)
  ORDER BY d.account_id, d.document_id LIMIT $3`;

const waiting = (accountId: Uuid | null) => `
  SELECT d.account_id AS "accountId", d.document_id AS "documentId"
  FROM mail_settings s
    JOIN accounts a USING (account_id)
    JOIN documents d ON d.account_id = s.account_id AND d.lifecycle = 'accepted'
      AND d.kind = 'quote'
  WHERE ${ofOneClock('s.account_id', accountId, '$3')} AND s.quote_waiting_since IS NOT NULL
    AND (d.accepted_at AT TIME ZONE a.time_zone)::date + s.quote_waiting_days
      BETWEEN (s.quote_waiting_since AT TIME ZONE a.time_zone)::date
        AND ($1::timestamptz AT TIME ZONE a.time_zone)::date
    AND NOT EXISTS (SELECT FROM mail_messages m WHERE m.account_id = d.account_id
      AND m.document_id = d.document_id AND m.fact = 'quote_waiting')
  ORDER BY d.account_id, d.document_id LIMIT $2`;

/** Quotes of which somebody is to be told. Each query is for one account with a test clock; null: all others. */
@Injectable()
export class DueQuotesQuery {
  async expiring(
    tx: Tx,
    accountId: Uuid | null,
    now: Date,
    { lateDays, most }: { lateDays: number; most: number },
  ): Promise<ExpiringQuote[]> {
    return tx.read<ExpiringQuote>(expiring(accountId), [now, lateDays, most, accountId]);
  }

  /** Accepted ones that nobody has converted for as long as the settings say. */
  async waiting(tx: Tx, accountId: Uuid | null, now: Date, most: number): Promise<DueQuote[]> {
    return tx.read<DueQuote>(waiting(accountId), [now, most, accountId]);
  }
}
