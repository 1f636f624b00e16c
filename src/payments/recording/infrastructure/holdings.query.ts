import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Holding } from '../domain/holding.js';
import {
  FIND_HOLDING,
  HOLDING_COLUMNS,
  type HoldingColumns,
  toHolding,
} from './holding-columns.js';

/** The filters of a list of payments. */
export interface PaymentFilter {
  customerId?: Uuid;
  documentId?: Uuid;
  method?: string;
  currency?: string;
  gateway?: string;
  paidFrom?: Date;
  paidTo?: Date;
}

/** Ids of the payments that were ever for document $2 of account $1. */
const OF_DOCUMENT = `
  SELECT f.payment_id FROM payments f WHERE f.account_id = $1 AND f.document_id = $2
  UNION
  SELECT m.payment_id FROM allocations m WHERE m.account_id = $1 AND m.document_id = $2`;

/** Those of one customer, $4: through its documents, which have an index, and those without one. */
const OF_CUSTOMER = `
  SELECT f.payment_id FROM documents d JOIN payments f USING (account_id, document_id)
  WHERE d.account_id = $1 AND d.customer_id = $4
  UNION ALL
  SELECT f.payment_id FROM payments f
  WHERE f.account_id = $1 AND f.customer_id = $4 AND f.document_id IS NULL`;

const FILTER = `p.account_id = $1
  AND ($2::uuid IS NULL OR p.payment_id IN (${OF_DOCUMENT}))
  AND ($3::uuid IS NULL OR p.payment_id < $3)
  AND ($4::uuid IS NULL OR p.payment_id IN (${OF_CUSTOMER}))
  AND ($5::text IS NULL OR p.method = $5)
  AND ($6::text IS NULL OR p.currency = $6)
  AND ($7::text IS NULL OR p.gateway = $7)
  AND ($8::timestamptz IS NULL OR p.paid_at >= $8)
  AND ($9::timestamptz IS NULL OR p.paid_at < $9)`;

function valuesOf(accountId: Uuid, filter: PaymentFilter, after: Uuid | null): unknown[] {
  const { documentId, customerId, method, currency, gateway, paidFrom, paidTo } = filter;
  return [accountId, documentId, after, customerId, method, currency, gateway, paidFrom, paidTo];
}

/** Payments with what became of them, for reading: no locks. */
@Injectable()
export class HoldingsQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, paymentId: Uuid): Promise<Holding | undefined> {
    const [row] = await this.database.query<HoldingColumns>(FIND_HOLDING, [accountId, paymentId]);
    return row && toHolding(row);
  }

  /** Payments that were ever for a document, oldest first. */
  async ofDocument(accountId: Uuid, documentId: Uuid): Promise<Holding[]> {
    const rows = await this.database.query<HoldingColumns>(
      `SELECT ${HOLDING_COLUMNS} FROM payments p
       WHERE p.account_id = $1 AND p.payment_id IN (${OF_DOCUMENT}) ORDER BY p.payment_id`,
      [accountId, documentId],
    );
    return rows.map(toHolding);
  }

  /** Payments that were ever for each of some documents: the newest `most` of each. */
  async ofDocuments(
    accountId: Uuid,
    documentIds: readonly Uuid[],
    most: number,
  ): Promise<Map<Uuid, Holding[]>> {
    const rows = await this.database.query<HoldingColumns & { wanted: Uuid }>(
      `SELECT ${HOLDING_COLUMNS}, w.document_id AS wanted
       FROM unnest($2::uuid[]) w (document_id) CROSS JOIN LATERAL (
         SELECT f.payment_id FROM payments f
         WHERE f.account_id = $1 AND f.document_id = w.document_id
         UNION
         SELECT m.payment_id FROM allocations m
         WHERE m.account_id = $1 AND m.document_id = w.document_id
         ORDER BY payment_id DESC LIMIT $3
       ) of_it JOIN payments p ON (p.account_id, p.payment_id) = ($1, of_it.payment_id)
       ORDER BY p.payment_id DESC`,
      [accountId, [...documentIds], most],
    );
    const found = new Map<Uuid, Holding[]>(documentIds.map((id) => [id, []]));
    for (const row of rows) found.get(row.wanted)?.push(toHolding(row));
    return found;
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: PaymentFilter, most: number): Promise<number> {
    return this.database.countRows(`SELECT FROM payments p WHERE ${FILTER} LIMIT $10`, [
      ...valuesOf(accountId, filter, null),
      most,
    ]);
  }

  /** Newest first, behind the payment `after`. */
  async list(
    accountId: Uuid,
    filter: PaymentFilter,
    after: Uuid | null,
    count: number,
  ): Promise<Holding[]> {
    const rows = await this.database.list<HoldingColumns>(
      `SELECT ${HOLDING_COLUMNS} FROM (
         SELECT * FROM payments p WHERE ${FILTER} ORDER BY p.payment_id DESC LIMIT $10
       ) p ORDER BY p.payment_id DESC`,
      [...valuesOf(accountId, filter, after), count],
    );
    return rows.map(toHolding);
  }
}
