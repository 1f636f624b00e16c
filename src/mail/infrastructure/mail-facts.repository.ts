import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../clocks/sql.js';
import { IS_ASKED_FOR } from '../../documents/sql.js';
import type { EventData, EventWindow } from '../../events/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Row } from '../../platform/database/row.js';

/** Events that somebody may be told of. */
type MailedType =
  | 'document.issued'
  | 'credit_note.issued'
  | 'payment.recorded'
  | 'document.accepted'
  | 'document.rejected'
  | 'schedule.period_made'
  | 'schedule.end_asked'
  | 'webhook_endpoint.disabled';

/** Something that happened, and that its account wants told, or has to know. */
export interface MailedFact {
  accountId: Uuid;
  eventId: Uuid;
  type: MailedType;
  /** Null where the data name several. */
  documentId: Uuid | null;
  data: EventData[MailedType];
}

/** Addresses for messages about a document. */
export interface MailAddresses {
  customer: string | null;
  seller: string | null;
}

type FactColumns = Pick<
  Row<'events', { type: MailedType; data: EventData[MailedType] }>,
  'account_id' | 'event_id' | 'type' | 'document_id' | 'data'
>;

const WANTED = `FROM events e LEFT JOIN mail_settings s USING (account_id) WHERE (
    e.type IN ('document.issued', 'credit_note.issued') AND e.occurred_at >= s.documents_since
    OR e.type = 'payment.recorded' AND e.occurred_at >= s.receipts_since
    OR e.type IN ('document.accepted', 'document.rejected') AND e.actor_type = 'portal'
      AND e.occurred_at >= s.answers_since
    OR e.type = 'schedule.period_made' AND e.data->'schedule'->>'action' IN ('send', 'collect')
      AND (s.documents_since IS NULL OR e.occurred_at < s.documents_since)
    OR e.type IN ('webhook_endpoint.disabled', 'schedule.end_asked'))`;

const FACTS = `SELECT e.account_id, e.event_id, e.type, e.document_id, e.data
  ${WANTED} AND e.xact >= $1 AND e.xact < $2 ORDER BY e.event_id`;

const OLDEST_UNREAD = `SELECT min(e.occurred_at) AS oldest
  ${WANTED} AND e.xact >= (SELECT through_xact FROM event_marks WHERE consumer = 'mail')`;

const dueReminders = (accountId: Uuid | null) => `
  SELECT d.account_id, d.document_id, day
  FROM mail_settings s
    JOIN accounts a USING (account_id)
    CROSS JOIN unnest(s.reminder_days) AS day
    JOIN pending_documents p ON p.account_id = s.account_id
      AND p.due_date BETWEEN ($1 AT TIME ZONE a.time_zone)::date - day - $2::int
        AND ($1 AT TIME ZONE a.time_zone)::date - day
    JOIN documents d ON d.account_id = p.account_id AND d.document_id = p.document_id
      AND ${IS_ASKED_FOR}
  WHERE ${ofOneClock('s.account_id', accountId, '$4')}
    AND p.due_date + day >= (s.reminders_since AT TIME ZONE a.time_zone)::date
    AND NOT EXISTS (SELECT FROM mail_messages m WHERE m.account_id = d.account_id
      AND m.document_id = d.document_id
      AND CASE WHEN m.fact ~ '^reminder:-?[0-9]+$' THEN split_part(m.fact, ':', 2)::int >= day END)
  ORDER BY d.account_id, d.document_id, day DESC LIMIT $3`;

/** The facts that messages are made of, read in the order in which they were committed. */
@Injectable()
export class MailFactsRepository {
  constructor(private readonly database: Database) {}

  /** When the oldest fact happened that no message was made of; undefined: there is none. */
  async oldestUnread(): Promise<Date | undefined> {
    const [row] = await this.database.query<{ oldest: Date | null }>(OLDEST_UNREAD);
    return row?.oldest ?? undefined;
  }

  async facts(tx: Tx, { from, through }: EventWindow): Promise<MailedFact[]> {
    const rows = await tx.read<FactColumns>(FACTS, [from, through]);
    return rows.map((row) => ({
      accountId: row.account_id,
      eventId: row.event_id,
      type: row.type,
      documentId: row.document_id,
      data: row.data,
    }));
  }

  /** By document id, as the documents themselves say; nobody writes to a customer who is erased. */
  async addresses(
    tx: Tx,
    of: readonly { accountId: Uuid; documentId: Uuid }[],
  ): Promise<Map<Uuid, MailAddresses>> {
    const rows = await tx.read<{ document_id: Uuid } & MailAddresses>(
      `SELECT d.document_id, t.seller->>'email' AS seller,
         CASE WHEN c.erased_at IS NULL THEN t.customer->>'email' END AS customer
       FROM document_contents t JOIN documents d USING (account_id, document_id)
         JOIN customers c USING (account_id, customer_id)
       WHERE (d.account_id, d.document_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`,
      [of.map(({ accountId }) => accountId), of.map(({ documentId }) => documentId)],
    );
    return new Map(rows.map(({ document_id: id, ...addresses }) => [id, addresses]));
  }

  /** By account, as the seller says now. */
  async sellerAddresses(tx: Tx, of: readonly Uuid[]): Promise<Map<Uuid, string | null>> {
    const rows = await tx.read<{ accountId: Uuid; email: string | null }>(
      `SELECT account_id AS "accountId", seller->>'email' AS email FROM accounts
       WHERE account_id = ANY ($1)`,
      [of],
    );
    return new Map(rows.map(({ accountId, email }) => [accountId, email]));
  }

  /** Whether it is time, and nobody else is at it; then nobody is until `before` is long ago again. */
  async beginReminding(tx: Tx, now: Date, before: Date): Promise<boolean> {
    const rows = await tx.read(
      `UPDATE mail_progress SET reminded_at = $1
       WHERE only_row = (SELECT only_row FROM mail_progress
         WHERE reminded_at <= $2 OR reminded_at > $1 FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
      [now, before],
    );
    return rows.length > 0;
  }

  /**
   * Invoices whose customers are to be reminded, once for each day of the settings. One that was
   * missed is made up for within some days, unless a later one was told meanwhile. Money that went
   * back is left out until somebody says that it is owed again, and so is what is on its way.
   * @param accountId with a test clock; null: of all others
   */
  async dueReminders(
    tx: Tx,
    accountId: Uuid | null,
    now: Date,
    { lateDays, most }: { lateDays: number; most: number },
  ): Promise<{ accountId: Uuid; documentId: Uuid; day: number }[]> {
    const rows = await tx.read<{ account_id: Uuid; document_id: Uuid; day: number }>(
      dueReminders(accountId),
      [now, lateDays, most, accountId],
    );
    return rows.map((row) => ({
      accountId: row.account_id,
      documentId: row.document_id,
      day: row.day,
    }));
  }
}
