import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Payment } from '../../recording/domain/payment.js';
import type { Dispute, DisputedMoney, DisputeStep } from '../domain/dispute.js';
import type { ToldDispute } from '../../port/domain/told-dispute.js';
import type { DisputedPart } from '../domain/disputed-parts.js';
import { type DisputeColumns, SELECT_DISPUTES, toDispute } from './dispute-columns.js';

/** Disputes for writing; what was told of the provider's payment holds its lock. */
@Injectable()
export class DisputeRepository {
  /** All disputes of a provider's payment, oldest first. */
  async ofMoney(tx: Tx, gateway: string, providerPaymentId: string): Promise<Dispute[]> {
    const rows = await tx.read<DisputeColumns>(
      `${SELECT_DISPUTES} WHERE d.gateway = $1 AND d.provider_payment_id = $2
       ORDER BY d.dispute_id`,
      [gateway, providerPaymentId],
    );
    return rows.map(toDispute);
  }

  /** Whether the provider told of the same dispute before, and named another payment. */
  async isOfAnother(
    tx: Tx,
    accountId: Uuid,
    gateway: string,
    { disputeId, providerPaymentId }: Pick<ToldDispute, 'disputeId' | 'providerPaymentId'>,
  ): Promise<boolean> {
    const rows = await tx.read(
      `SELECT 1 FROM disputes WHERE account_id = $1 AND gateway = $2 AND provider_dispute_id = $3
         AND provider_payment_id <> $4`,
      [accountId, gateway, disputeId, providerPaymentId],
    );
    return rows.length > 0;
  }

  /** Those of a payment of ours, oldest first, with the parts of documents that each has now. */
  async ofPayment(
    tx: Tx,
    { accountId, id }: Pick<Payment, 'accountId' | 'id'>,
  ): Promise<{ dispute: Dispute; parts: DisputedPart[] }[]> {
    const [rows, parts] = await Promise.all([
      tx.read<DisputeColumns>(
        `${SELECT_DISPUTES} WHERE d.account_id = $1 AND l.payment_id = $2 ORDER BY d.dispute_id`,
        [accountId, id],
      ),
      tx.read<{ dispute_id: Uuid; document_id: Uuid; amount: bigint }>(
        `SELECT dispute_id, document_id, sum(amount)::bigint AS amount FROM dispute_parts
         WHERE account_id = $1 AND payment_id = $2
         GROUP BY dispute_id, document_id HAVING sum(amount) <> 0 ORDER BY document_id`,
        [accountId, id],
      ),
    ]);
    return rows.map(toDispute).map((dispute) => ({
      dispute,
      parts: parts
        .filter((part) => part.dispute_id === dispute.id)
        .map((part) => ({
          documentId: part.document_id,
          amount: Money.of(part.amount, dispute.amount.currency),
        })),
    }));
  }

  /** The part of what a dispute took that a receipt gave, before the rest of it was assigned. */
  async takenFromReceipt(
    tx: Tx,
    { accountId, id, gateway, providerPaymentId, references, amount, adoptedUnnamed }: Dispute,
  ): Promise<{ amount: Money; lost: Money }> {
    const [row] = await tx.read<{ amount: bigint; lost: bigint }>(
      // A loss may be regained since by a refund that came back, which is no dispute's. A reversal
      // without a name is of all the money: it is of the dispute that took one over.
      `SELECT coalesce(sum(amount) FILTER (WHERE is_own), 0)::bigint AS amount,
         least(coalesce(sum(lost) FILTER (WHERE is_own), 0), coalesce(sum(lost), 0))::bigint AS lost
       FROM (
         SELECT amount, lost,
           coalesce(dispute_id = $4 OR dispute_id IS NULL AND
             (reference = ANY ($5) OR $6 AND reference IS NULL), false) AS is_own
         FROM provider_reversals
         WHERE account_id = $1 AND gateway = $2 AND provider_payment_id = $3
           AND receipt_id IS NOT NULL
       ) taken`,
      [accountId, gateway, providerPaymentId, id, references, adoptedUnnamed.isPositive()],
    );
    const money = (minor: bigint | undefined) => Money.of(minor ?? 0n, amount.currency);
    return { amount: money(row?.amount), lost: money(row?.lost) };
  }

  insert(
    tx: Tx,
    dispute: Pick<
      Dispute,
      'accountId' | 'id' | 'gateway' | 'providerDisputeId' | 'providerPaymentId' | 'recordedAt'
    >,
    currency: string,
  ): void {
    tx.insert('disputes', {
      account_id: dispute.accountId,
      dispute_id: dispute.id,
      gateway: dispute.gateway,
      provider_dispute_id: dispute.providerDisputeId,
      provider_payment_id: dispute.providerPaymentId,
      currency,
      recorded_at: dispute.recordedAt,
    });
  }

  /** @param parts changes of what is disputed of documents */
  insertStep(
    tx: Tx,
    { accountId, id, of }: { accountId: Uuid; id: Uuid; of: DisputedMoney },
    step: DisputeStep & { step: number; recordedAt: Date; bookedOn: IsoDate | null },
    parts: readonly DisputedPart[],
  ): void {
    const paymentId = 'paymentId' in of ? of.paymentId : null;
    tx.insert('dispute_steps', {
      account_id: accountId,
      dispute_id: id,
      step: step.step,
      payment_id: paymentId,
      receipt_id: 'receiptId' in of ? of.receiptId : null,
      status: step.status,
      amount: step.amount.minor,
      reason: step.reason,
      evidence_due_by: step.evidenceDueBy,
      said_at: step.at,
      disputed: step.disputed.minor,
      withdrawn: step.withdrawn.minor,
      adopted: step.adopted.minor,
      fee: step.fee.minor,
      reference: step.reference,
      recorded_at: step.recordedAt,
      booked_on: step.bookedOn,
    });
    tx.insertLists(
      'dispute_parts',
      { account_id: accountId, dispute_id: id, step: step.step, payment_id: paymentId },
      parts.map(({ documentId, amount }) => ({ document_id: documentId, amount: amount.minor })),
    );
  }
}
