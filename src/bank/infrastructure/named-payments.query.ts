import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import type { BankEntry } from '../domain/bank-entry.js';
import type { NamedPayment } from '../domain/named-payment.js';

interface NamedPaymentColumns extends Pick<Row<'payments'>, 'payment_id' | 'reference'> {
  /** As it came in, also if that was in another currency. @derived */
  amount: bigint;
  /** @derived */
  currency: string;
  /** @derived */
  paid_on: IsoDate;
  /** @derived */
  is_by_hand: boolean;
  /** @derived */
  has_entry: boolean;
  /** @derived */
  is_reversed: boolean;
  /** @derived */
  by_document: boolean;
  /** @derived */
  by_end_to_end_id: boolean;
}

const MOST = 20;

/** Of `payments p`, by `found (payment_id, reasons)`. */
const COLUMNS = `p.payment_id, coalesce(x.amount, p.amount) AS amount,
  coalesce(x.currency, p.currency) AS currency,
  (p.paid_at AT TIME ZONE a.time_zone)::date AS paid_on, p.reference,
  num_nonnulls(p.gateway, p.receipt_id, p.bank_entry_id) = 0
    AND p.method <> 'credit_balance' AS is_by_hand,
  EXISTS (SELECT FROM bank_entries e WHERE e.account_id = $1 AND e.payment_id = p.payment_id
    AND e.status IN ('booked', 'recorded')) AS has_entry,
  EXISTS (SELECT FROM payment_reversals r
    WHERE r.account_id = $1 AND r.payment_id = p.payment_id) AS is_reversed`;

/** Payments that an entry may be, or may take back. */
@Injectable()
export class NamedPaymentsQuery {
  /**
   * Payments of the documents that the entry names, and the one with its end-to-end id; no locks.
   */
  async of(
    read: SnapshotRead,
    entry: BankEntry,
    documents: readonly Uuid[],
  ): Promise<NamedPayment[]> {
    if (documents.length === 0 && entry.endToEndId === null) return [];
    const rows = await read<NamedPaymentColumns>(
      `SELECT ${COLUMNS}, found.by_document,
         found.by_end_to_end_id FROM (
         SELECT payment_id, bool_or(reason = 'document') AS by_document,
           bool_or(reason = 'end_to_end_id') AS by_end_to_end_id FROM (
           SELECT payment_id, 'document' AS reason FROM payments
           WHERE account_id = $1 AND document_id = ANY ($2::uuid[])
           UNION ALL
           SELECT payment_id, 'document' FROM allocations
           WHERE account_id = $1 AND document_id = ANY ($2::uuid[])
           UNION ALL
           SELECT payment_id, 'end_to_end_id' FROM bank_entries
           WHERE account_id = $1 AND end_to_end_id = $3 AND payment_id IS NOT NULL
             AND status IN ('booked', 'recorded')
         ) named GROUP BY payment_id ORDER BY payment_id DESC LIMIT ${MOST}
       ) found JOIN payments p ON p.account_id = $1 AND p.payment_id = found.payment_id
         JOIN accounts a ON a.account_id = $1
         LEFT JOIN conversions x ON x.account_id = $1 AND x.conversion_id = p.payment_id
       ORDER BY p.payment_id DESC`,
      [entry.accountId, documents, entry.endToEndId],
    );
    return rows.map(toNamedPayment);
  }

  /** Locks the payment's row until the transaction ends. */
  async findForUpdate(tx: Tx, accountId: Uuid, paymentId: Uuid): Promise<NamedPayment | undefined> {
    await tx.read(
      'SELECT 1 FROM payments WHERE account_id = $1 AND payment_id = $2 FOR NO KEY UPDATE',
      [accountId, paymentId],
    );
    const [row] = await tx.read<NamedPaymentColumns>(
      `SELECT ${COLUMNS}, false AS by_document, false AS by_end_to_end_id FROM payments p JOIN accounts a USING (account_id)
         LEFT JOIN conversions x ON (x.account_id, x.conversion_id) = (p.account_id, p.payment_id)
       WHERE p.account_id = $1 AND p.payment_id = $2`,
      [accountId, paymentId],
    );
    return row && toNamedPayment(row);
  }

  /** Whether an entry of the bank took it back; the payment is locked. */
  async isReturned(tx: Tx, accountId: Uuid, paymentId: Uuid): Promise<boolean> {
    const rows = await tx.read(
      `SELECT 1 FROM bank_entries
       WHERE account_id = $1 AND payment_id = $2 AND status = 'returned'`,
      [accountId, paymentId],
    );
    return rows.length > 0;
  }
}

function toNamedPayment(row: NamedPaymentColumns): NamedPayment {
  return {
    paymentId: row.payment_id,
    amount: Money.of(row.amount, row.currency),
    paidOn: row.paid_on,
    reference: row.reference,
    isByHand: row.is_by_hand,
    hasEntry: row.has_entry,
    isReversed: row.is_reversed,
    reasons: [
      ...(row.by_document ? (['document'] as const) : []),
      ...(row.by_end_to_end_id ? (['end_to_end_id'] as const) : []),
    ],
  };
}
