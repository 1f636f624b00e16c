import { Injectable } from '@nestjs/common';
import type { Currency } from '../../../kernel/currency.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import { IS_UNDONE } from './undone-refunds.js';

/** Money that settles a document, as its client may know it. */
export interface Settlement {
  /** The part of a payment that the document has. */
  amount: Money;
  /** The part that was above what was due, and became credit. */
  credited: Money;
  method: PaymentMethod;
  paidAt: Date;
}

/** Payments of a document, with what is found by looking at all of them. */
export interface Settlements {
  /** The newest hundred, oldest first. */
  payments: Settlement[];
  /** The parts that became credit. */
  credited: Money;
  /** The part of what came before the issue that it still has, or that is credit. */
  prepaidHere: Money;
}

export interface SettledBack {
  amount: Money;
  at: Date;
}

interface SettlementColumns extends Pick<
  Row<'payments', { method: PaymentMethod }>,
  'method' | 'paid_at'
> {
  /** @derived */
  amount: bigint;
  /** @derived */
  credited: bigint;
  /** @derived */
  all_credited: bigint;
  /** @derived */
  prepaid_here: bigint;
}

/** More of them would be a page that nobody reads. */
const MOST = 100;

/**
 * Of account $1 and document $2. A payment that a provider took back in part has lost of its credit
 * first. Those of an issue were written in its transaction (decision 254).
 */
const SETTLEMENTS = `
  SELECT s.held AS amount, s.credited, s.method, s.paid_at,
    sum(s.credited) OVER ()::bigint AS all_credited,
    coalesce(sum(s.held + s.credited) FILTER (WHERE s.is_prepaid) OVER (), 0)::bigint AS prepaid_here
  FROM (
    SELECT p.payment_id, p.method, p.paid_at, h.held, p.xact = d.issued_xact AS is_prepaid,
      CASE WHEN p.document_id = $2 AND NOT p.is_reversed
        THEN greatest(0, least(p.amount - p.applied, p.amount - h.taken_back - h.held))
        ELSE 0 END AS credited
    FROM documents d
    CROSS JOIN LATERAL (
      SELECT f.payment_id FROM payments f WHERE f.account_id = $1 AND f.document_id = $2
      UNION
      SELECT m.payment_id FROM allocations m WHERE m.account_id = $1 AND m.document_id = $2
    ) of_it
    JOIN payments p ON (p.account_id, p.payment_id) = ($1, of_it.payment_id)
    CROSS JOIN LATERAL (
      SELECT CASE WHEN p.document_id = $2 THEN p.applied ELSE 0 END + coalesce((
          SELECT sum(m.amount) FROM allocations m
          WHERE (m.account_id, m.payment_id, m.document_id) = ($1, p.payment_id, $2)
        ), 0)::bigint AS held,
        coalesce((
          SELECT sum(v.amount - v.lost) FROM provider_reversals v
          WHERE (v.account_id, v.payment_id) = ($1, p.payment_id)
        ), 0)::bigint AS taken_back
    ) h
    WHERE (d.account_id, d.document_id) = ($1, $2)
  ) s
  WHERE s.held + s.credited > 0 ORDER BY s.payment_id DESC LIMIT ${MOST}`;

/** Payments and refunds of a document for its client: no ids, no notes, and nothing of others. */
@Injectable()
export class SettlementsQuery {
  constructor(private readonly database: Database) {}

  async ofDocument(accountId: Uuid, documentId: Uuid, currency: Currency): Promise<Settlements> {
    const rows = await this.database.query<SettlementColumns>(SETTLEMENTS, [accountId, documentId]);
    const money = (minor = 0n) => Money.of(minor, currency);
    const [row] = rows;
    return {
      payments: rows
        .map((one) => ({
          amount: money(one.amount),
          credited: money(one.credited),
          method: one.method,
          paidAt: one.paid_at,
        }))
        .sort((one, other) => one.paidAt.getTime() - other.paidAt.getTime()),
      credited: money(row?.all_credited),
      prepaidHere: money(row?.prepaid_here),
    };
  }

  /** Those that have arrived, oldest first. */
  async refundsOf(accountId: Uuid, documentId: Uuid): Promise<SettledBack[]> {
    const rows = await this.database.query<{ amount: bigint; currency: string; at: Date }>(
      `SELECT t.amount, d.currency, coalesce(r.settled_at, r.requested_at) AS at
       FROM refund_parts t
       JOIN refunds r USING (account_id, refund_id)
       JOIN documents d ON (d.account_id, d.document_id) = (t.account_id, t.document_id)
       WHERE t.account_id = $1 AND t.document_id = $2
         AND r.status = 'succeeded' AND NOT ${IS_UNDONE}
       ORDER BY at DESC LIMIT ${MOST}`,
      [accountId, documentId],
    );
    return rows
      .map(({ amount, currency, at }) => ({ amount: Money.of(amount, currency), at }))
      .toReversed();
  }
}
