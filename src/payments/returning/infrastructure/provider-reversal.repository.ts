import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { Database } from '../../../platform/database/database.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Payment } from '../../recording/domain/payment.js';
import type { LooseReversal, ProviderReversal } from '../domain/provider-reversal.js';
import type { UnmatchedReceipt } from '../../recording/domain/unmatched-receipt.js';

/** Money that a provider took, and its home with us. */
export interface ProviderMoney {
  accountId: Uuid | null;
  paymentId: Uuid | null;
  receiptId: Uuid | null;
  paymentLinkId: Uuid | null;
  amount: Money;
  paidAt: Date;
  /** The part that was taken back before. */
  takenBack: Money;
  references: string[];
  /** It was assigned for an amount in another currency, which only a person can take back. */
  isConverted: boolean;
}

/** The reversals of a payment that come of one dispute, or of none. */
export interface ReversalSource extends Pick<
  ProviderReversal,
  'disputeId' | 'gateway' | 'providerPaymentId' | 'reason'
> {
  /** The part that documents and credit gave. */
  taken: Money;
  lost: Money;
  /** The facts of the ledger that took the money. */
  factIds: readonly Uuid[];
}

/** A part of a document that a payment from credit has paid. */
export interface CreditPart {
  paymentId: Uuid;
  documentId: Uuid;
  amount: Money;
}

/** Money that providers took back. */
@Injectable()
export class ProviderReversalRepository {
  constructor(private readonly database: Database) {}

  async findMoney(
    tx: Tx,
    gateway: string,
    providerPaymentId: string,
  ): Promise<ProviderMoney | undefined> {
    const [row] = await tx.read<{
      account_id: Uuid | null;
      payment_id: Uuid | null;
      receipt_id: Uuid | null;
      payment_link_id: Uuid | null;
      amount: bigint;
      currency: string;
      paid_at: Date;
      taken_back: bigint;
      references_known: string[];
      is_converted: boolean;
    }>(
      `SELECT coalesce(r.account_id, u.account_id) AS account_id, u.receipt_id,
         -- If somebody reversed the payment of a link, the money is a receipt, and the link stays.
         CASE WHEN u.receipt_id IS NULL THEN r.payment_id END AS payment_id,
         CASE WHEN u.receipt_id IS NULL OR r.payment_id IS NULL THEN r.payment_link_id END
           AS payment_link_id, r.amount, r.currency, r.paid_at,
         coalesce(sum(v.amount), 0)::bigint AS taken_back,
         coalesce(array_agg(v.reference) FILTER (WHERE v.reference IS NOT NULL), '{}')
           AS references_known,
         EXISTS (SELECT FROM payments p JOIN conversions x
             ON (x.account_id, x.conversion_id) = (p.account_id, p.payment_id)
           WHERE (p.account_id, p.receipt_id) = (u.account_id, u.receipt_id) AND NOT p.is_reversed)
           AS is_converted
       FROM provider_receipts r
         LEFT JOIN unmatched_receipts u USING (gateway, provider_payment_id)
         LEFT JOIN provider_reversals v USING (gateway, provider_payment_id)
       WHERE r.gateway = $1 AND r.provider_payment_id = $2
       GROUP BY r.gateway, r.provider_payment_id, u.account_id, u.receipt_id`,
      [gateway, providerPaymentId],
    );
    if (!row) return undefined;
    return {
      accountId: row.account_id,
      paymentId: row.payment_id,
      receiptId: row.receipt_id,
      paymentLinkId: row.payment_link_id,
      amount: Money.of(row.amount, row.currency),
      paidAt: row.paid_at,
      takenBack: Money.of(row.taken_back, row.currency),
      references: row.references_known,
      isConverted: row.is_converted,
    };
  }

  /** The part of a receipt that a provider took back and that is lost; with its last word. */
  async lostOfReceipt(
    tx: Tx,
    { accountId, id, amount }: Pick<UnmatchedReceipt, 'accountId' | 'id' | 'amount'>,
  ): Promise<{ lost: Money; reason: string }> {
    const [row] = await tx.read<{ lost: bigint; reason: string | null }>(
      `SELECT coalesce(sum(lost), 0)::bigint AS lost,
         (array_agg(reason ORDER BY reversal_id DESC))[1] AS reason
       FROM provider_reversals WHERE account_id = $1 AND receipt_id = $2`,
      [accountId, id],
    );
    return { lost: Money.of(row?.lost ?? 0n, amount.currency), reason: row?.reason ?? '' };
  }

  /** The reversals that no dispute made. */
  async withoutDispute(
    tx: Tx,
    gateway: string,
    providerPaymentId: string,
  ): Promise<LooseReversal[]> {
    const rows = await tx.read<{
      reference: string | null;
      amount: bigint;
      lost: bigint;
      currency: string;
    }>(
      `SELECT reference, amount, lost, currency FROM provider_reversals
       WHERE gateway = $1 AND provider_payment_id = $2 AND dispute_id IS NULL AND amount > 0
       ORDER BY reversal_id`,
      [gateway, providerPaymentId],
    );
    return rows.map((row) => ({
      reference: row.reference,
      amount: Money.of(row.amount, row.currency),
      lost: Money.of(row.lost, row.currency),
    }));
  }

  /** The sums that reversals of a payment took and lost, by the dispute that they come of; the newest last. */
  async sourcesOf(tx: Tx, { accountId, id, amount }: Payment): Promise<ReversalSource[]> {
    const rows = await tx.read<{
      dispute_id: Uuid | null;
      taken: bigint;
      lost: bigint;
      gateway: string;
      provider_payment_id: string;
      reason: string;
      fact_ids: Uuid[];
    }>(
      `SELECT v.dispute_id, sum(v.amount - v.lost)::bigint AS taken, sum(v.lost)::bigint AS lost,
         (array_agg(v.gateway ORDER BY v.reversal_id DESC))[1] AS gateway,
         (array_agg(v.provider_payment_id ORDER BY v.reversal_id DESC))[1] AS provider_payment_id,
         (array_agg(v.reason ORDER BY v.reversal_id DESC))[1] AS reason,
         -- A dispute that adopted a reversal has taken its money by the payment's fact, too.
         array_remove(ARRAY[v.dispute_id, CASE WHEN v.dispute_id IS NULL
           OR EXISTS (SELECT FROM dispute_steps s WHERE s.account_id = $1
             AND s.dispute_id = v.dispute_id AND s.adopted > 0) THEN $2::uuid END], NULL) AS fact_ids
       FROM provider_reversals v WHERE v.account_id = $1 AND v.payment_id = $2
       GROUP BY v.dispute_id ORDER BY max(v.reversal_id::text)`,
      [accountId, id],
    );
    return rows.map((row) => ({
      disputeId: row.dispute_id,
      taken: Money.of(row.taken, amount.currency),
      lost: Money.of(row.lost, amount.currency),
      gateway: row.gateway,
      providerPaymentId: row.provider_payment_id,
      reason: row.reason,
      factIds: row.fact_ids,
    }));
  }

  /** With what it took off the payment or the receipt, whose row is locked. */
  insert(tx: Tx, reversal: ProviderReversal): void {
    const { accountId, of, amount, lost } = reversal;
    const isOfPayment = 'paymentId' in of;
    tx.insert('provider_reversals', {
      account_id: accountId,
      reversal_id: tx.newId(),
      payment_id: isOfPayment ? of.paymentId : null,
      receipt_id: isOfPayment ? null : of.receiptId,
      dispute_id: reversal.disputeId,
      gateway: reversal.gateway,
      provider_payment_id: reversal.providerPaymentId,
      reference: reversal.reference,
      currency: amount.currency,
      amount: amount.minor,
      from_credit: reversal.fromCredit.minor,
      lost: lost.minor,
      reason: reversal.reason,
      failed_at: reversal.failedAt,
      recorded_at: reversal.recordedAt,
    });
    const taken = amount.minus(lost).minor;
    if (isOfPayment) {
      tx.write(
        'UPDATE payments SET returned = returned + $3 WHERE account_id = $1 AND payment_id = $2',
        [accountId, of.paymentId, taken],
      );
    } else {
      tx.write(
        'UPDATE unmatched_receipts SET settled = settled + $3 WHERE account_id = $1 AND receipt_id = $2',
        [accountId, of.receiptId, taken],
      );
    }
  }

  /** The parts of documents that a customer's credit has paid, the newest payment first. */
  async spentCredit(
    { accountId, customerId, amount }: Payment,
    count: number,
  ): Promise<CreditPart[]> {
    const rows = await this.database.query<{
      payment_id: Uuid;
      document_id: Uuid;
      amount: bigint;
    }>(
      `SELECT payment_id, document_id, sum(amount)::bigint AS amount FROM (
         SELECT p.payment_id, p.document_id, p.applied AS amount FROM payments p
         WHERE ${SPENT} AND p.document_id IS NOT NULL
         UNION ALL
         SELECT p.payment_id, a.document_id, a.amount
         FROM payments p JOIN allocations a USING (account_id, payment_id) WHERE ${SPENT}
       ) parts GROUP BY 1, 2 HAVING sum(amount) > 0 ORDER BY 1 DESC, 2 LIMIT $4`,
      [accountId, customerId, amount.currency, count],
    );
    return rows.map((row) => ({
      paymentId: row.payment_id,
      documentId: row.document_id,
      amount: Money.of(row.amount, amount.currency),
    }));
  }
}

/** Payments from credit, of $1, customer $2 and currency $3, that stand. */
const SPENT = `p.account_id = $1 AND p.customer_id = $2 AND p.currency = $3
  AND p.method = 'credit_balance' AND p.client_id IS NOT NULL AND p.gateway IS NULL
  AND NOT EXISTS (SELECT FROM payment_reversals v
    WHERE (v.account_id, v.payment_id) = (p.account_id, p.payment_id))`;
