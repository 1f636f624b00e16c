import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../../../clocks/sql.js';
import { IS_ASKED_FOR, PENDING_DOCUMENTS } from '../../../../documents/sql.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Database } from '../../../../platform/database/database.js';
import type { Row } from '../../../../platform/database/row.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type { Collection, PaymentLink } from '../../domain/payment-link.js';

type CollectionColumns = Row<'collections'>;

/** Its provider may still debit: it is to be closed there, and has not been yet. */
const IS_CLOSING = `EXISTS (SELECT FROM checkout_look_ups u
  WHERE (u.account_id, u.payment_link_id) = (l.account_id, l.payment_link_id))`;

/** Of `payment_links l` that are collected: their provider may still debit. */
export const UNDER_WAY = `(l.status IN ('open', 'processing')
  OR l.status = 'canceled' AND ${IS_CLOSING})`;

/**
 * Whether `documents d` is collected by itself by `mandates m`: it says so, or the mandate does, and
 * had said so before the invoice lapsed. As `collectsByItself` has it.
 */
const COLLECTS_BY_ITSELF = `CASE d.collection_method WHEN 'charge_automatically' THEN true
  WHEN 'send_invoice' THEN false ELSE m.automatic_since < d.lapses_at END`;

/** The mandates that may collect `documents d` by themselves. */
const COLLECTING_MANDATES = `mandates m
  ON (m.account_id, m.customer_id, m.currency) = (d.account_id, d.customer_id, d.currency)
    AND m.status = 'active' AND ${COLLECTS_BY_ITSELF}`;
/** Of several: one that collects by itself, then the newest. */
const BEST_MANDATE = 'm.automatic_since IS NULL, m.mandate_id DESC';

/** Something is asked for on `documents d`, no money is on its way, and it was not collected before. */
const IS_TO_BE_COLLECTED = `${IS_ASKED_FOR}
  AND NOT EXISTS (SELECT FROM payment_links l LEFT JOIN collections c USING (account_id, payment_link_id)
    WHERE (l.account_id, l.document_id) = (d.account_id, d.document_id)
      AND (l.status = 'processing'
        OR (c.mandate_id IS NOT NULL AND (c.withdrawn_at IS NULL OR ${IS_CLOSING}))))`;

/** An invoice that is collected by itself, and has not been yet. */
export interface DueCollection {
  accountId: Uuid;
  documentId: Uuid;
  mandateId: Uuid;
}

/** How links are collected by mandates. Every change holds the lock of the link's document. */
@Injectable()
export class CollectionRepository {
  constructor(private readonly database: Database) {}

  insert(
    tx: Tx,
    link: PaymentLink,
    { mandateId, chargeOn }: Collection,
    { isAutomatic, retry }: { isAutomatic: boolean; retry: number | null },
  ): void {
    tx.insert('collections', {
      account_id: link.accountId,
      payment_link_id: link.id,
      document_id: link.documentId,
      mandate_id: mandateId,
      charge_on: chargeOn,
      automatic: isAutomatic,
      retry,
    });
  }

  /** Less is due than it asks for: it does not count as the one collection of its document. */
  withdraw(tx: Tx, { accountId, id }: PaymentLink, now: Date): void {
    tx.update('collections', { account_id: accountId, payment_link_id: id }, { withdrawn_at: now });
  }

  /** The link that collects a document now, or that its provider has not closed yet. */
  async idUnderWay(tx: Tx, accountId: Uuid, documentId: Uuid): Promise<Uuid | undefined> {
    const [row] = await tx.read<Pick<CollectionColumns, 'payment_link_id'>>(
      `SELECT c.payment_link_id FROM payment_links l
         JOIN collections c USING (account_id, payment_link_id)
       WHERE l.account_id = $1 AND l.document_id = $2
         AND ${UNDER_WAY}
       LIMIT 1`,
      [accountId, documentId],
    );
    return row?.payment_link_id;
  }

  /** Whether a document was collected before, by itself or by a call, in whatever came of it. */
  async hasStanding(tx: Tx, accountId: Uuid, documentId: Uuid): Promise<boolean> {
    const rows = await tx.read(
      `SELECT 1 FROM payment_links l JOIN collections c USING (account_id, payment_link_id)
       WHERE l.account_id = $1 AND l.document_id = $2
         AND (c.withdrawn_at IS NULL OR ${IS_CLOSING}) LIMIT 1`,
      [accountId, documentId],
    );
    return rows.length > 0;
  }

  /**
   * Invoices that lapse before `until` and are collected by themselves, behind the document `after`,
   * each with the mandate that is best for it. All are judged again with their lock.
   * @param accountId with a test clock; null: of all others
   */
  async due(
    accountId: Uuid | null,
    until: Date,
    after: Uuid | null,
    most: number,
  ): Promise<DueCollection[]> {
    const rows = await this.database.query<
      Pick<CollectionColumns, 'account_id' | 'document_id' | 'mandate_id'>
    >(
      `SELECT DISTINCT ON (d.document_id) d.account_id, d.document_id, m.mandate_id
       FROM ${PENDING_DOCUMENTS}
         JOIN ${COLLECTING_MANDATES}
       WHERE p.account_id IN (SELECT account_id FROM mandates WHERE status = 'active')
         AND ${ofOneClock('p.account_id', accountId, '$4')}
         AND ${IS_TO_BE_COLLECTED} AND d.lapses_at <= $1
         AND p.due_date <= ($1::timestamptz + interval '1 day')::date
         AND ($2::uuid IS NULL OR d.document_id > $2)
       ORDER BY d.document_id, ${BEST_MANDATE} LIMIT $3`,
      [until, after, most, accountId],
    );
    return rows.map((row) => ({
      accountId: row.account_id,
      documentId: row.document_id,
      mandateId: row.mandate_id,
    }));
  }

  /** The mandate by which a document will be collected without a call, however far ahead. */
  async mandateToCome(tx: Tx | null, accountId: Uuid, documentId: Uuid): Promise<Uuid | undefined> {
    const [row] = await this.database.queryIn<Pick<CollectionColumns, 'mandate_id'>>(
      tx,
      `SELECT m.mandate_id FROM documents d JOIN ${COLLECTING_MANDATES}
       WHERE d.account_id = $1 AND d.document_id = $2 AND ${IS_TO_BE_COLLECTED}
       ORDER BY ${BEST_MANDATE} LIMIT 1`,
      [accountId, documentId],
    );
    return row?.mandate_id;
  }
}
