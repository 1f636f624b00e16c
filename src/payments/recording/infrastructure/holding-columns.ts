import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Row } from '../../../platform/database/row.js';
import type { Holding } from '../domain/holding.js';
import { IS_UNDONE } from './undone-refunds.js';
import { PAYMENT_COLUMNS, type PaymentColumns, toPayment } from './payment-columns.js';

export interface HoldingColumns
  extends PaymentColumns, Pick<Row<'payments'>, 'returned' | 'booked_on'> {
  /** @derived */
  is_reversed: boolean;
  /** The part that a provider took back. @derived */
  taken_back: bigint;
  /** A provider took all of it back, losses included. @derived */
  is_taken_back: boolean;
  /** The part that the provider took back and that is lost. @derived */
  lost: bigint;
  /** @derived */
  disputed: bigint;
  /** The part of that which documents have. @derived */
  disputed_of_documents: bigint;
  /** @derived */
  from_credit: bigint;
  /** Document, amount, and what is refunded, on its way or disputed; the amounts as text. @derived */
  allocations: [Uuid, string, string][];
}

/** Of `payments p`. */
export const HOLDING_COLUMNS = `${PAYMENT_COLUMNS}, p.returned, p.booked_on,
  EXISTS (SELECT FROM payment_reversals v
    WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id)) AS is_reversed,
  (SELECT coalesce(sum(v.amount - v.lost), 0)::bigint FROM provider_reversals v
    WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id)) AS taken_back,
  (SELECT coalesce(sum(v.amount), 0) >= p.amount FROM provider_reversals v
    WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id)) AS is_taken_back,
  (SELECT coalesce(sum(v.lost), 0)::bigint FROM provider_reversals v
    WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id)) AS lost,
  (SELECT coalesce(sum(s.disputed), 0)::bigint FROM dispute_steps s
    WHERE (s.account_id, s.payment_id) = (p.account_id, p.payment_id)) AS disputed,
  (SELECT coalesce(sum(t.amount), 0)::bigint FROM dispute_parts t
    WHERE (t.account_id, t.payment_id) = (p.account_id, p.payment_id)) AS disputed_of_documents,
  (SELECT coalesce(sum(r.from_credit), 0)::bigint FROM refunds r
    WHERE (r.account_id, r.payment_id) = (p.account_id, p.payment_id)
      AND r.status <> 'failed' AND NOT ${IS_UNDONE}) AS from_credit,
  (SELECT coalesce(json_agg(json_build_array(a.document_id, a.amount::text, a.held::text)
      ORDER BY a.document_id), '[]')
    FROM (
      SELECT b.document_id, sum(b.amount) AS amount, (
        SELECT coalesce(sum(t.amount), 0) FROM refunds r JOIN refund_parts t
          ON (t.account_id, t.refund_id) = (r.account_id, r.refund_id)
        WHERE (r.account_id, r.payment_id) = (p.account_id, p.payment_id)
          AND t.document_id = b.document_id AND r.status <> 'failed'
          AND NOT ${IS_UNDONE}) + (
        SELECT coalesce(sum(t.amount), 0) FROM dispute_parts t
        WHERE (t.account_id, t.payment_id) = (p.account_id, p.payment_id)
          AND t.document_id = b.document_id) AS held
      FROM (
        SELECT p.document_id, p.applied AS amount WHERE p.document_id IS NOT NULL
        UNION ALL
        SELECT m.document_id, m.amount FROM allocations m
        WHERE (m.account_id, m.payment_id) = (p.account_id, p.payment_id)
      ) b GROUP BY b.document_id HAVING sum(b.amount) <> 0
    ) a) AS allocations`;

/** One payment, by account and id. */
export const FIND_HOLDING = `SELECT ${HOLDING_COLUMNS} FROM payments p
  WHERE p.account_id = $1 AND p.payment_id = $2`;

/** Payments that were ever for one of the documents $2 of account $1. */
export const HOLDINGS_ON_DOCUMENTS = `SELECT ${HOLDING_COLUMNS} FROM payments p
  WHERE p.account_id = $1 AND p.payment_id IN (
    SELECT f.payment_id FROM payments f WHERE f.account_id = $1 AND f.document_id = ANY ($2)
    UNION
    SELECT m.payment_id FROM allocations m WHERE m.account_id = $1 AND m.document_id = ANY ($2))`;

export function toHolding(row: HoldingColumns): Holding {
  const payment = toPayment(row);
  const money = (minor: bigint) => Money.of(minor, row.currency);
  const allocations = row.allocations.map(([documentId, amount, held]) => ({
    documentId,
    amount: money(BigInt(amount)),
    free: money(BigInt(amount) - BigInt(held)),
  }));
  const allocated = allocations.reduce((sum, { amount }) => sum.plus(amount), money(0n));
  const takenBack = money(row.taken_back);
  const rest = payment.amount.minus(allocated).minus(money(row.from_credit)).minus(takenBack);
  const isReversed = row.is_reversed || row.is_taken_back;
  const zero = money(0n);
  const credit = row.is_reversed || rest.isNegative() ? zero : rest;
  const disputed = money(row.disputed);
  const disputedRest = credit.min(disputed.minus(money(row.disputed_of_documents)));
  return {
    payment,
    bookedOn: row.booked_on,
    returned: row.is_reversed ? zero : money(row.returned),
    takenBack,
    lost: money(row.lost),
    disputed,
    isReversed,
    allocations,
    // Of a payment that a provider took back whole it is what a refund that bounced gave again.
    rest: credit.minus(disputedRest),
    disputedRest,
    beyondRest: rest.isNegative() ? rest.negated() : zero,
  };
}
