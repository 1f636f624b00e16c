import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  type CompletedLine,
  isUnknownLine,
  type KnownThing,
  type Payout,
  type PayoutLine,
  type PayoutStatus,
  type PayoutUndoing,
} from '../domain/payouts/payout.js';
import {
  type PayoutColumns,
  type PayoutLineColumns,
  SELECT_PAYOUTS,
  toPayout,
  toPayoutLine,
} from './payout-columns.js';
import { BankRefusal } from '../domain/refusals.js';

/** The words of whoever undoes a payout. */
export interface PayoutUndone {
  kind: PayoutUndoing;
  on: IsoDate;
  reason: string | null;
  clientId: Uuid | null;
  at: Date;
}

/** Whether a payout has booked the fee of a thing; `l` is its line. */
const booked = (id: string) => `EXISTS (SELECT FROM payout_lines l
  WHERE l.account_id = $1 AND l.${id} = t.${id} AND l.booked_fee <> 0 AND NOT l.is_reversed)`;

/** Of gateway $2, one of $3, by the provider's ids. */
const WITH_PAYMENT = `EXISTS (SELECT FROM provider_receipts r
  WHERE r.gateway = $2 AND r.provider_payment_id = ANY ($3::text[])
    AND r.account_id = a.account_id)`;
const WITH_REFUND = `(EXISTS (SELECT FROM refunds r WHERE r.account_id = a.account_id
    AND r.gateway = $2 AND r.provider_refund_id = ANY ($3::text[]))
  OR EXISTS (SELECT FROM refund_names n WHERE n.account_id = a.account_id
    AND n.gateway = $2 AND n.provider_refund_id = ANY ($3::text[])))`;

/** Payouts for writing. */
@Injectable()
export class PayoutRepository {
  /** The payout with this id of the provider's, unless it is reversed. */
  async findByProviderId(
    tx: Tx,
    accountId: Uuid,
    gateway: string,
    providerPayoutId: string,
  ): Promise<Payout | undefined> {
    const [row] = await tx.read<PayoutColumns>(
      `${SELECT_PAYOUTS} WHERE o.account_id = $1 AND o.gateway = $2 AND o.provider_payout_id = $3
         AND o.status <> 'reversed'`,
      [accountId, gateway, providerPayoutId],
    );
    return row && toPayout(row);
  }

  /** Those that are recorded under this id of the provider's, whosever they are. */
  async recordedAs(
    tx: Tx,
    { gateway, providerPayoutId }: Pick<Payout, 'gateway' | 'providerPayoutId'>,
  ): Promise<Pick<Payout, 'accountId' | 'id'>[]> {
    const rows = await tx.read<{ account_id: Uuid; payout_id: Uuid }>(
      `SELECT account_id, payout_id FROM payouts
       WHERE gateway = $1 AND provider_payout_id = $2 AND status <> 'reversed'`,
      [gateway, providerPayoutId],
    );
    return rows.map((row) => ({ accountId: row.account_id, id: row.payout_id }));
  }

  /** Of all that were recorded under this id of the provider's: `reversed` for each that was wrong. */
  async statusesOf(
    tx: Tx,
    accountId: Uuid,
    { gateway, providerPayoutId }: Pick<Payout, 'gateway' | 'providerPayoutId'>,
  ): Promise<PayoutStatus[]> {
    const rows = await tx.read<{ status: PayoutStatus }>(
      `SELECT status FROM payouts WHERE account_id = $1 AND gateway = $2
         AND provider_payout_id = $3`,
      [accountId, gateway, providerPayoutId],
    );
    return rows.map(({ status }) => status);
  }

  /**
   * At most two of the accounts that a payout may be of: those that may use a gateway, or to whom
   * payments in it belong. If it has none of ours, its refunds tell.
   * @param given null: any account
   */
  async accountsFor(
    tx: Tx,
    given: readonly Uuid[] | null,
    of: { gateway: string; providerIds: readonly string[] } | null,
  ): Promise<Uuid[]> {
    if (of === null) return this.accountsWith(tx, given, 'true', []);
    const values = [of.gateway, of.providerIds];
    const payees = await this.accountsWith(tx, given, WITH_PAYMENT, values);
    return payees.length > 0 ? payees : this.accountsWith(tx, given, WITH_REFUND, values);
  }

  private async accountsWith(
    tx: Tx,
    given: readonly Uuid[] | null,
    which: string,
    values: unknown[],
  ): Promise<Uuid[]> {
    const rows = await tx.read<{ account_id: Uuid }>(
      `SELECT account_id FROM accounts a
       WHERE ($1::uuid[] IS NULL OR account_id = ANY ($1)) AND ${which} LIMIT 2`,
      [given, ...values],
    );
    return rows.map((row) => row.account_id);
  }

  /** Locks it until the transaction ends. */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Payout> {
    const key = [accountId, id];
    await tx.read(
      'SELECT 1 FROM payouts WHERE account_id = $1 AND payout_id = $2 FOR NO KEY UPDATE',
      key,
    );
    const [row] = await tx.read<PayoutColumns>(
      `${SELECT_PAYOUTS} WHERE o.account_id = $1 AND o.payout_id = $2`,
      key,
    );
    if (!row) throw BankRefusal.payout_not_found.of();
    return toPayout(row);
  }

  /**
   * Payments, receipts and refunds by the provider's ids. Another payout that books one of their
   * fees at the same time breaks a unique key, and one of the two is run again.
   */
  async known(
    tx: Tx,
    accountId: Uuid,
    gateway: string,
    providerIds: readonly string[],
  ): Promise<KnownThing[]> {
    if (providerIds.length === 0) return [];
    const rows = await tx.read<{
      kind: KnownThing['kind'];
      provider_id: string;
      payment_id: Uuid | null;
      receipt_id: Uuid | null;
      refund_id: Uuid | null;
      has_fee: boolean;
    }>(
      `SELECT 'payment' AS kind, t.provider_payment_id AS provider_id, t.payment_id,
         NULL::uuid AS receipt_id, NULL::uuid AS refund_id,
         t.fee IS NOT NULL OR ${booked('payment_id')} AS has_fee
       FROM payments t WHERE t.account_id = $1 AND t.gateway = $2 AND NOT t.is_reversed
         AND t.receipt_id IS NULL AND t.provider_payment_id = ANY ($3::text[])
       UNION ALL
       SELECT 'payment', t.provider_payment_id, NULL, t.receipt_id, NULL,
         t.fee IS NOT NULL OR ${booked('receipt_id')}
           -- Or with the payment that it was, until somebody reversed that.
           OR EXISTS (SELECT FROM payments p JOIN payout_lines l USING (account_id, payment_id)
             WHERE p.account_id = $1 AND p.gateway = $2
               AND p.provider_payment_id = t.provider_payment_id
               AND l.booked_fee <> 0 AND NOT l.is_reversed)
       FROM unmatched_receipts t WHERE t.account_id = $1 AND t.gateway = $2
         AND t.provider_payment_id = ANY ($3::text[])
       UNION ALL
       SELECT 'refund', t.provider_refund_id, NULL, NULL, t.refund_id, ${booked('refund_id')}
       FROM refunds t WHERE t.account_id = $1 AND t.gateway = $2 AND t.status = 'succeeded'
         AND t.provider_refund_id = ANY ($3::text[])
       UNION ALL
       SELECT 'refund', n.provider_refund_id, NULL, NULL, t.refund_id, ${booked('refund_id')}
       FROM refund_names n JOIN refunds t USING (account_id, refund_id)
       WHERE n.account_id = $1 AND n.gateway = $2 AND t.status = 'succeeded'
         AND n.provider_refund_id = ANY ($3::text[])`,
      [accountId, gateway, providerIds],
    );
    return rows.map((row) => ({
      kind: row.kind,
      providerId: row.provider_id,
      paymentId: row.payment_id,
      receiptId: row.receipt_id,
      refundId: row.refund_id,
      hasFee: row.has_fee,
    }));
  }

  /** The same payout at the same time breaks `payouts_once`. */
  insert(tx: Tx, payout: Payout, lines: readonly PayoutLine[]): void {
    tx.insert('payouts', {
      account_id: payout.accountId,
      payout_id: payout.id,
      gateway: payout.gateway,
      provider_payout_id: payout.providerPayoutId,
      amount: payout.amount.minor,
      fee: payout.fee.minor,
      booked_fee: payout.bookedFee.minor,
      currency: payout.amount.currency,
      sent_on: payout.sentOn,
      arrives_on: payout.arrivesOn,
      descriptor: payout.descriptor,
      lines: lines.length,
      status: payout.status,
      client_id: payout.clientId,
      recorded_at: payout.recordedAt,
    });
    insertLines(tx, payout, lines.map(lineColumns));
  }

  /** Lines about payments and refunds that nobody knows yet, and how many lines it has with those that complete some. */
  async unknownLines(
    tx: Tx,
    { accountId, id, amount }: Pick<Payout, 'accountId' | 'id' | 'amount'>,
  ): Promise<{ unknown: PayoutLine[]; count: number }> {
    const rows = await tx.read<PayoutLineColumns & { completes: number | null }>(
      `SELECT position, kind, amount, fee, booked_fee, provider_id, payment_id, receipt_id,
         refund_id, completes
       FROM payout_lines WHERE account_id = $1 AND payout_id = $2 ORDER BY position`,
      [accountId, id],
    );
    const completed = new Set(rows.map(({ completes }) => completes));
    const unknown = rows
      .filter(({ position }) => !completed.has(position))
      .map((row) => toPayoutLine(row, amount.currency))
      .filter((line) => isUnknownLine(line) && line.providerId !== null);
    return { unknown, count: rows.length };
  }

  /** Its payout's row must be locked. */
  insertCompleted(tx: Tx, payout: Payout, lines: readonly CompletedLine[]): void {
    const completing = lines.map((line) => ({ ...lineColumns(line), completes: line.completes }));
    insertLines(tx, payout, completing);
  }

  /** Its row must be locked. */
  setStatus(tx: Tx, { accountId, id }: Payout, status: PayoutStatus): void {
    tx.update('payouts', { account_id: accountId, payout_id: id }, { status });
  }

  /** Its row must be locked. */
  undo(tx: Tx, payout: Payout, { kind, on, reason, clientId, at }: PayoutUndone): void {
    this.setStatus(tx, payout, kind);
    tx.insert('payout_undoings', {
      account_id: payout.accountId,
      payout_id: payout.id,
      kind,
      undone_on: on,
      reason,
      client_id: clientId,
      recorded_at: at,
    });
    if (kind !== 'reversed') return;
    // Their fees may be booked by another payout then.
    tx.write(
      'UPDATE payout_lines SET is_reversed = true WHERE account_id = $1 AND payout_id = $2',
      [payout.accountId, payout.id],
    );
  }
}

function lineColumns(line: PayoutLine) {
  return {
    position: line.position,
    kind: line.kind,
    amount: line.amount.minor,
    fee: line.fee.minor,
    booked_fee: line.bookedFee.minor,
    provider_id: line.providerId,
    payment_id: line.paymentId,
    receipt_id: line.receiptId,
    refund_id: line.refundId,
  };
}

function insertLines(tx: Tx, { accountId, id }: Payout, lines: readonly object[]): void {
  tx.insertLists('payout_lines', { account_id: accountId, payout_id: id }, lines);
}
