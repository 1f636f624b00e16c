import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Row } from '../../../platform/database/row.js';
import { IS_UNDONE } from './undone-refunds.js';
import { type UnmatchedReceipt } from '../domain/unmatched-receipt.js';
import type { UnmatchedReason } from '../../port/domain/webhook-outcome.js';
import { PaymentRefusal } from '../../port/domain/payment-refusals.js';

export interface UnmatchedReceiptColumns extends Omit<
  Row<'unmatched_receipts', { reason: UnmatchedReason }>,
  'booked_fee' | 'xact'
> {
  /** @derived */
  refunded: bigint;
  /** @derived */
  taken_back: bigint;
  /** @derived */
  disputed: bigint;
  /** @derived */
  payment_id: Uuid | null;
}

/** Receipts with what became of them; a condition on `u` follows. */
export const SELECT_UNMATCHED_RECEIPTS = `SELECT u.*, p.payment_id,
    (SELECT coalesce(sum(r.amount - r.lost), 0)::bigint FROM refunds r
      WHERE r.account_id = u.account_id AND r.receipt_id = u.receipt_id
        AND r.status = 'succeeded' AND NOT ${IS_UNDONE}) AS refunded,
    (SELECT coalesce(sum(v.amount - v.lost), 0)::bigint FROM provider_reversals v
      WHERE v.account_id = u.account_id AND v.receipt_id = u.receipt_id) AS taken_back,
    (SELECT coalesce(sum(s.disputed), 0)::bigint FROM dispute_steps s
      WHERE s.account_id = u.account_id AND s.receipt_id = u.receipt_id)
    + (SELECT coalesce(sum(s.disputed), 0)::bigint FROM dispute_steps s
      WHERE s.account_id = p.account_id AND s.payment_id = p.payment_id) AS disputed
  FROM unmatched_receipts u
    LEFT JOIN payments p ON p.account_id = u.account_id AND p.receipt_id = u.receipt_id
      AND NOT p.is_reversed`;

/** Of a provider's money that nobody could place, as it was kept first. */
export interface ProviderReceipt {
  accountId: Uuid | null;
  unmatched: UnmatchedReason | null;
  amount: Money;
  linkReference: string | null;
  paidAt: Date;
  receivedAt: Date;
}

/** Receipts that no document could take. Every change holds the row's lock. */
@Injectable()
export class UnmatchedReceiptRepository {
  /** Locks it until the transaction ends. @throws `receipt_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<UnmatchedReceipt> {
    const key = [accountId, id];
    await tx.read(
      `SELECT 1 FROM unmatched_receipts
       WHERE account_id = $1 AND receipt_id = $2 FOR NO KEY UPDATE`,
      key,
    );
    // Read after the lock, so that it sees what was written while we waited.
    const [row] = await tx.read<UnmatchedReceiptColumns>(
      `${SELECT_UNMATCHED_RECEIPTS} WHERE u.account_id = $1 AND u.receipt_id = $2`,
      key,
    );
    if (!row) throw PaymentRefusal.receipt_not_found.of();
    return toUnmatchedReceipt(row);
  }

  insert(tx: Tx, receipt: UnmatchedReceipt): void {
    tx.insert('unmatched_receipts', {
      account_id: receipt.accountId,
      receipt_id: receipt.id,
      gateway: receipt.gateway,
      provider_payment_id: receipt.providerPaymentId,
      amount: receipt.amount.minor,
      fee: receipt.fee?.minor ?? null,
      booked_fee: receipt.fee?.minor ?? 0n,
      currency: receipt.amount.currency,
      reason: receipt.reason,
      document_id: receipt.documentId,
      payment_link_id: receipt.paymentLinkId,
      link_reference: receipt.linkReference,
      paid_at: receipt.paidAt,
      received_at: receipt.receivedAt,
    });
  }

  addSettled(tx: Tx, { accountId, id }: UnmatchedReceipt, amount: Money): void {
    tx.write(
      `UPDATE unmatched_receipts SET settled = settled + $3
       WHERE account_id = $1 AND receipt_id = $2`,
      [accountId, id, amount.minor],
    );
  }

  /** Whether money of it is on its way back; read under its lock. */
  async hasRefundUnderWay(tx: Tx, { accountId, id }: UnmatchedReceipt): Promise<boolean> {
    const rows = await tx.read(
      `SELECT 1 FROM refunds WHERE account_id = $1 AND receipt_id = $2
         AND status IN ('pending', 'unknown') LIMIT 1`,
      [accountId, id],
    );
    return rows.length > 0;
  }

  /**
   * A provider's payment as it was told, by the provider's own id. Locks that id, so that one
   * account gets it: the row is append-only, and the service's role may not lock what it may not
   * change. Undefined when no such thing was told.
   */
  async lockProviderReceipt(
    tx: Tx,
    gateway: string,
    providerPaymentId: string,
  ): Promise<(ProviderReceipt & { isClaimed: boolean; isTakenBack: boolean }) | undefined> {
    const key = [gateway, providerPaymentId];
    await tx.read(`SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))`, key);
    const [row] = await tx.read<{
      account_id: Uuid | null;
      unmatched_reason: UnmatchedReason | null;
      amount: bigint;
      currency: string;
      link_reference: string | null;
      paid_at: Date;
      received_at: Date;
      is_taken_back: boolean;
    }>(
      `SELECT account_id, unmatched_reason, amount, currency, link_reference, paid_at, received_at,
         EXISTS (SELECT FROM provider_failures f
           WHERE (f.gateway, f.provider_payment_id) = (r.gateway, r.provider_payment_id)
             AND (f.kind = 'unpaid_again' OR f.kind = 'failed' AND f.failed_at > r.paid_at))
           AS is_taken_back
       FROM provider_receipts r WHERE gateway = $1 AND provider_payment_id = $2`,
      key,
    );
    if (!row) return undefined;
    const claims = await tx.read(
      'SELECT 1 FROM unmatched_receipts WHERE gateway = $1 AND provider_payment_id = $2',
      key,
    );
    return {
      accountId: row.account_id,
      unmatched: row.unmatched_reason,
      amount: Money.of(row.amount, row.currency),
      linkReference: row.link_reference,
      paidAt: row.paid_at,
      receivedAt: row.received_at,
      isClaimed: claims.length > 0,
      isTakenBack: row.is_taken_back,
    };
  }

  async accountExists(tx: Tx, accountId: Uuid): Promise<boolean> {
    const rows = await tx.read('SELECT 1 FROM accounts WHERE account_id = $1', [accountId]);
    return rows.length > 0;
  }
}

export function toUnmatchedReceipt(row: UnmatchedReceiptColumns): UnmatchedReceipt {
  const money = (minor: bigint) => Money.of(minor, row.currency);
  return {
    id: row.receipt_id,
    accountId: row.account_id,
    gateway: row.gateway,
    providerPaymentId: row.provider_payment_id,
    amount: money(row.amount),
    fee: row.fee === null ? null : money(row.fee),
    reason: row.reason,
    documentId: row.document_id,
    paymentLinkId: row.payment_link_id,
    linkReference: row.link_reference,
    settled: money(row.settled),
    refunded: money(row.refunded),
    takenBack: money(row.taken_back),
    disputed: money(row.disputed),
    paymentId: row.payment_id,
    paidAt: row.paid_at,
    receivedAt: row.received_at,
  };
}
