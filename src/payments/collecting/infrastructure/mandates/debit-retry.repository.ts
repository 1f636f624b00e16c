import { Injectable } from '@nestjs/common';
import { ofOneClock } from '../../../../clocks/sql.js';
import { IS_ASKED_FOR } from '../../../../documents/sql.js';
import type { IsoDate } from '../../../../kernel/clock.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Database } from '../../../../platform/database/database.js';
import type { Row } from '../../../../platform/database/row.js';
import type { Tx } from '../../../../platform/database/tx.js';
import type {
  DebitRetry,
  DebitRetryStatus,
  RetryCircumstances,
} from '../../domain/mandates/debit-retry.js';
import type { PaymentLink } from '../../domain/payment-link.js';
import { UNDER_WAY } from './collection.repository.js';

type DebitRetryColumns = Row<'debit_retries', { status: DebitRetryStatus }>;
type DocumentOf = Pick<DebitRetry, 'accountId' | 'documentId'>;

/** How it stands with the tries of a document, after a debit by a mandate failed. */
export interface RetryStanding extends Omit<RetryCircumstances, 'collectionMethod'> {
  /** In the zone of the account. */
  today: IsoDate;
  made: number;
  /** Another debit is under way, or not closed at its provider yet. */
  isUnderWay: boolean;
}

const DAYS = `coalesce(s.debit_retry_days, '{}')`;

/** Of the account and document in $1 and $2: an open dispute, or a lost one. */
const IS_DISPUTED = `(
  SELECT amount_disputed > 0 FROM documents WHERE account_id = $1 AND document_id = $2
) OR coalesce((
  SELECT sum(v.amount) FROM provider_reversals v
  WHERE v.account_id = $1 AND v.dispute_id IS NOT NULL AND v.payment_id IN (
    SELECT payment_id FROM allocations WHERE account_id = $1 AND document_id = $2)), 0) > 0`;

const STANDING = `SELECT m.status AS "mandateStatus", ${DAYS} AS days,
    ($5::timestamptz AT TIME ZONE a.time_zone)::date AS today, ${IS_DISPUTED} AS "isDisputed",
    (SELECT count(*)::int FROM debit_retries
      WHERE account_id = $1 AND document_id = $2) AS made,
    EXISTS (SELECT FROM payment_links l JOIN collections c USING (account_id, payment_link_id)
      WHERE l.account_id = $1 AND l.document_id = $2 AND ${UNDER_WAY}
        AND l.payment_link_id IS DISTINCT FROM $4) AS "isUnderWay"
  FROM mandates m JOIN accounts a USING (account_id) LEFT JOIN payment_settings s USING (account_id)
  WHERE m.account_id = $1 AND m.mandate_id = $3`;

/** A debit of the document of `debit_retries r` is under way, or other money for it. */
const MONEY_MAY_COME = `EXISTS (
  SELECT FROM payment_links l LEFT JOIN collections c USING (account_id, payment_link_id)
  WHERE (l.account_id, l.document_id) = (r.account_id, r.document_id)
    AND (l.status = 'processing' OR c.mandate_id IS NOT NULL AND ${UNDER_WAY}))`;

/**
 * Those whose day has come; and at once those that are never made, so that somebody hears of it. Each account
 * has its turn: the first of all come before the second of any.
 */
const dueOf = (accountId: Uuid | null) => `
  SELECT account_id, document_id FROM (
    SELECT r.account_id, r.document_id, r.try_on,
      row_number() OVER (PARTITION BY r.account_id ORDER BY r.try_on, r.document_id) AS turn
    FROM debit_retries r JOIN accounts a USING (account_id) JOIN mandates m USING (account_id, mandate_id)
      LEFT JOIN payment_settings s USING (account_id)
    WHERE r.status = 'planned' AND ${ofOneClock('r.account_id', accountId, '$2')}
      AND (m.ended_at IS NOT NULL OR r.number > cardinality(${DAYS})
        OR r.try_on <= ($1::timestamptz AT TIME ZONE a.time_zone)::date AND NOT ${MONEY_MAY_COME})
  ) due ORDER BY turn, try_on, document_id LIMIT $3`;

/** Tries of debits that failed. Every change holds the lock of the document. */
@Injectable()
export class DebitRetryRepository {
  constructor(private readonly database: Database) {}

  /** @param failed the link whose failure is being written */
  async standing(
    tx: Tx,
    { accountId, documentId }: DocumentOf,
    mandateId: Uuid,
    failed: Uuid | null,
  ): Promise<RetryStanding> {
    const values = [accountId, documentId, mandateId, failed, tx.now()];
    const [row] = await tx.read<RetryStanding>(STANDING, values);
    if (!row) throw new Error(`mandate ${mandateId} of a debit is not there`);
    return row;
  }

  /** The one that is to come; a document has one at most. */
  async planned(tx: Tx, { accountId, documentId }: DocumentOf): Promise<DebitRetry | undefined> {
    const [row] = await tx.read<DebitRetryColumns>(
      `SELECT * FROM debit_retries
       WHERE account_id = $1 AND document_id = $2 AND status = 'planned'`,
      [accountId, documentId],
    );
    return row && toDebitRetry(row);
  }

  insert(tx: Tx, retry: DebitRetry): void {
    tx.insert('debit_retries', {
      account_id: retry.accountId,
      document_id: retry.documentId,
      number: retry.number,
      payment_link_id: retry.failedLinkId,
      mandate_id: retry.mandateId,
      try_on: retry.tryOn,
      status: 'planned',
      planned_at: tx.now(),
    });
  }

  move(tx: Tx, retry: DebitRetry, tryOn: IsoDate): void {
    tx.update('debit_retries', keyOf(retry), { try_on: tryOn });
  }

  settle(tx: Tx, retry: DebitRetry, status: 'begun' | 'dropped'): void {
    tx.update('debit_retries', keyOf(retry), { status, settled_at: tx.now() });
  }

  /** Its debit was withdrawn, as less is due than that asks for: it is made again for the rest. */
  reopen(tx: Tx, { accountId, id }: PaymentLink): void {
    tx.write(
      `UPDATE debit_retries r SET status = 'planned', settled_at = NULL FROM collections c
       WHERE c.account_id = $1 AND c.payment_link_id = $2
         AND (r.account_id, r.document_id, r.number) = (c.account_id, c.document_id, c.retry)`,
      [accountId, id],
    );
  }

  /** @param accountId with a test clock; null: of all others */
  async due(accountId: Uuid | null, now: Date, most: number): Promise<DocumentOf[]> {
    const rows = await this.database.query<Pick<DebitRetryColumns, 'account_id' | 'document_id'>>(
      dueOf(accountId),
      [now, accountId, most],
    );
    return rows.map((row) => ({ accountId: row.account_id, documentId: row.document_id }));
  }

  /** The one that a client has to expect. */
  async toCome(
    tx: Tx | null,
    accountId: Uuid,
    documentId: Uuid,
  ): Promise<Pick<DebitRetry, 'mandateId' | 'tryOn'> | undefined> {
    const [row] = await this.database.queryIn<Pick<DebitRetryColumns, 'mandate_id' | 'try_on'>>(
      tx,
      `SELECT r.mandate_id, r.try_on FROM debit_retries r
         JOIN documents d USING (account_id, document_id)
         JOIN mandates m USING (account_id, mandate_id) JOIN payment_settings s USING (account_id)
       WHERE r.account_id = $1 AND r.document_id = $2 AND r.status = 'planned'
         AND m.status = 'active' AND r.number <= cardinality(s.debit_retry_days)
         AND d.collection_method IS DISTINCT FROM 'send_invoice'
         AND ${IS_ASKED_FOR} AND NOT (${IS_DISPUTED}) AND NOT ${MONEY_MAY_COME}`,
      [accountId, documentId],
    );
    return row && { mandateId: row.mandate_id, tryOn: row.try_on };
  }
}

function keyOf({ accountId, documentId, number }: DebitRetry) {
  return { account_id: accountId, document_id: documentId, number };
}

function toDebitRetry(row: DebitRetryColumns): DebitRetry {
  return {
    accountId: row.account_id,
    documentId: row.document_id,
    number: row.number,
    failedLinkId: row.payment_link_id,
    mandateId: row.mandate_id,
    tryOn: row.try_on,
  };
}
