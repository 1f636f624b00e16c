import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { Retention } from '../../../platform/database/retention.js';
import type { RequestIdentity, Tx } from '../../../platform/database/tx.js';
import type { Payment } from '../../recording/domain/payment.js';
import type { Refund, RefundUndoing } from '../domain/refund.js';
import { insertConversion } from '../../recording/infrastructure/conversion-columns.js';
import { RefundMeaningRepository } from './refunds/refund-meaning.repository.js';
import { type RefundColumns, SELECT_REFUNDS, toRefund } from './refund-columns.js';

/** Refunds for writing. Every change of one happens under the lock of its payment or receipt. */
@Injectable()
export class RefundRepository {
  constructor(
    private readonly database: Database,
    private readonly meanings: RefundMeaningRepository,
    config: Config,
    retention: Retention,
  ) {
    retention.add({
      what: 'keys of refunds',
      keptMs: config.idempotencyHours * 3_600_000,
      statement: `DELETE FROM refund_requests WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM refund_requests WHERE requested_at < $1 LIMIT $2)) RETURNING 1`,
    });
  }

  /** The documents of a payment, that of its newest allocation first; read under its lock. */
  async newestFirst(tx: Tx, { accountId, id }: Payment): Promise<Uuid[]> {
    const rows = await tx.read<{ document_id: Uuid }>(
      `SELECT document_id FROM (
         SELECT document_id, recorded_at AS at FROM payments
         WHERE account_id = $1 AND payment_id = $2 AND document_id IS NOT NULL
         UNION ALL
         SELECT document_id, created_at FROM allocations
         WHERE account_id = $1 AND payment_id = $2 AND amount > 0
       ) a GROUP BY document_id ORDER BY max(at) DESC, document_id DESC`,
      [accountId, id],
    );
    return rows.map((row) => row.document_id);
  }

  /** By its id, under the lock of its payment or receipt. */
  async find(tx: Tx, accountId: Uuid, id: Uuid): Promise<Refund | undefined> {
    const [row] = await tx.read<RefundColumns>(
      `${SELECT_REFUNDS} WHERE r.account_id = $1 AND r.refund_id = $2`,
      [accountId, id],
    );
    return row && toRefund(row);
  }

  insert(tx: Tx, refund: Refund): void {
    const { of } = refund;
    const isOfPayment = of.type === 'payment';
    tx.insert('refunds', {
      account_id: refund.accountId,
      refund_id: refund.id,
      payment_id: isOfPayment ? of.paymentId : null,
      receipt_id: isOfPayment ? null : of.receiptId,
      customer_id: isOfPayment ? of.customerId : null,
      currency: refund.amount.currency,
      amount: refund.amount.minor,
      from_credit: refund.fromCredit.minor,
      lost: refund.lost.minor,
      credit_kept: refund.creditKept.minor,
      method: refund.method,
      gateway: refund.gateway,
      paid_from: refund.paidFrom,
      status: refund.status,
      provider_refund_id: refund.providerRefundId,
      reference: refund.reference,
      reason: refund.reason,
      client_id: refund.clientId,
      requested_at: refund.requestedAt,
      settled_at: refund.settledAt,
      next_look_at: refund.nextLookAt,
    });
    const { accountId, id: refundId, conversion } = refund;
    insertConversion(tx, { accountId, refundId }, conversion);
    if (refund.meaning) this.meanings.insert(tx, refund, refund.meaning);
    tx.insertLists(
      'refund_parts',
      { account_id: refund.accountId, refund_id: refund.id },
      refund.parts.map(({ documentId, amount }) => ({
        document_id: documentId,
        amount: amount.minor,
      })),
    );
  }

  /** The provider's answer, and when it is asked again. */
  update(tx: Tx, refund: Refund): void {
    tx.update(
      'refunds',
      { account_id: refund.accountId, refund_id: refund.id },
      {
        status: refund.status,
        provider_refund_id: refund.providerRefundId,
        failure: refund.failure,
        settled_at: refund.settledAt,
        next_look_at: refund.nextLookAt,
      },
    );
  }

  /** The amount on its way back of the payment or receipt; below zero if it stays after all. */
  addReturned(tx: Tx, { accountId, of }: Refund, amount: Money): void {
    const [id, text] =
      of.type === 'payment'
        ? [
            of.paymentId,
            'UPDATE payments SET returned = returned + $3 WHERE (account_id, payment_id)',
          ]
        : [
            of.receiptId,
            'UPDATE unmatched_receipts SET settled = settled + $3 WHERE (account_id, receipt_id)',
          ];
    tx.write(`${text} = ($1, $2)`, [accountId, id, amount.minor]);
  }

  /** Its key lets a refund be undone once. */
  insertUndoing(tx: Tx, { accountId, id }: Refund, undoing: RefundUndoing): void {
    tx.insert('refund_undoings', {
      account_id: accountId,
      refund_id: id,
      kind: undoing.kind,
      reason: undoing.reason,
      client_id: undoing.clientId,
      undone_at: undoing.at,
    });
  }

  /** Credit that may not be spent while it is on its way back; below zero: it may again. */
  reserveCredit(tx: Tx, { accountId, of }: Refund, amount: Money): void {
    if (amount.isZero() || of.type !== 'payment') return;
    tx.write(
      `UPDATE customer_balances SET reserved = reserved + $4
       WHERE account_id = $1 AND customer_id = $2 AND currency = $3`,
      [accountId, of.customerId, amount.currency, amount.minor],
    );
  }

  /** Credit that went back. @param wasReserved what of it was kept for that */
  takeCredit(tx: Tx, refund: Refund, wasReserved: boolean, at: Date): void {
    const { accountId, of, fromCredit } = refund;
    if (fromCredit.isZero() || of.type !== 'payment') return;
    const { currency, minor } = fromCredit;
    tx.insert('customer_credits', {
      account_id: accountId,
      credit_id: tx.newId(),
      customer_id: of.customerId,
      payment_id: of.paymentId,
      currency,
      amount: -minor,
      created_at: at,
    });
    tx.write(
      `UPDATE customer_balances SET credit = credit - $4, reserved = reserved - $5
       WHERE account_id = $1 AND customer_id = $2 AND currency = $3`,
      [accountId, of.customerId, currency, minor, wasReserved ? minor : 0n],
    );
  }

  /**
   * Takes a request's key for the refund that is about to be made. A repeat that comes meanwhile
   * waits here. @returns the refund that has the key already, and what was asked for it
   */
  async takeKey(
    tx: Tx,
    accountId: Uuid,
    { scope, sha256 }: RequestIdentity,
    refundId: Uuid,
    now: Date,
    forgottenBefore: Date,
  ): Promise<{ refundId: Uuid; sha256: Buffer } | undefined> {
    const values = [accountId, scope, sha256, refundId, now, forgottenBefore];
    const taken = await tx.read(
      `INSERT INTO refund_requests AS q (account_id, scope, request_sha256, refund_id, requested_at)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, scope) DO UPDATE
         SET request_sha256 = $3, refund_id = $4, requested_at = $5 WHERE q.requested_at < $6
       RETURNING 1`,
      values,
    );
    if (taken.length > 0) return undefined;
    const [row] = await tx.read<{ refund_id: Uuid; request_sha256: Buffer }>(
      `SELECT refund_id, request_sha256 FROM refund_requests
       WHERE account_id = $1 AND scope = $2`,
      [accountId, scope],
    );
    return row && { refundId: row.refund_id, sha256: row.request_sha256 };
  }

  /**
   * Takes a refund whose provider is to be asked now, and counts the attempt. Others pass it over
   * until `again`, when it comes up once more should this process die.
   */
  async takeDue(now: Date, again: Date): Promise<Refund | undefined> {
    const [row] = await this.database.query<RefundColumns>(
      `WITH due AS (
         SELECT account_id, refund_id FROM refunds WHERE next_look_at <= $1
         ORDER BY next_look_at LIMIT 1 FOR UPDATE SKIP LOCKED
       ), taken AS (
         UPDATE refunds r SET attempts = r.attempts + 1, next_look_at = $2 FROM due
         WHERE (r.account_id, r.refund_id) = (due.account_id, due.refund_id)
         RETURNING r.account_id, r.refund_id
       )
       ${SELECT_REFUNDS}
         JOIN taken ON taken.account_id = r.account_id AND taken.refund_id = r.refund_id`,
      [now, again],
    );
    return row && toRefund(row);
  }

  /** Refunds of ours that no provider is known to have. */
  async unplaced(): Promise<{ count: number; oldest: Date | null }> {
    const [row] = await this.database.query<{ count: number; oldest: Date | null }>(
      `SELECT count(*)::int AS count, min(requested_at) AS oldest FROM refunds
       WHERE next_look_at IS NOT NULL AND provider_refund_id IS NULL AND client_id IS NOT NULL`,
    );
    return row ?? { count: 0, oldest: null };
  }

  async lookAtUnplaced(now: Date): Promise<void> {
    await this.database.query(
      `UPDATE refunds SET next_look_at = $1
       WHERE next_look_at > $1 AND provider_refund_id IS NULL AND client_id IS NOT NULL`,
      [now],
    );
  }

  /** By its id alone: a provider knows no account. */
  async findAny(id: Uuid): Promise<Refund | undefined> {
    const [row] = await this.database.query<RefundColumns>(
      `${SELECT_REFUNDS} WHERE r.refund_id = $1`,
      [id],
    );
    return row && toRefund(row);
  }
}
