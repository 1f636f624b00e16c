import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { Row } from '../../../platform/database/row.js';
import type { Dispute } from '../domain/dispute.js';
import type { DisputeStatus } from '../../port/domain/told-dispute.js';

export interface DisputeColumns extends Omit<Row<'disputes'>, 'xact'> {
  /** @derived */
  payment_id: Uuid | null;
  /** @derived */
  receipt_id: Uuid | null;
  /** @derived */
  steps: number;
  /** @derived */
  status: DisputeStatus;
  /** @derived */
  amount: bigint;
  /** @derived */
  reason: string;
  /** @derived */
  evidence_due_by: Date | null;
  /** @derived */
  said_at: Date;
  /** @derived */
  opened_at: Date;
  /** @derived */
  disputed: bigint;
  /** With what it has adopted of reversals. @derived */
  withdrawn: bigint;
  /** @derived */
  adopted: bigint;
  /** @derived */
  adopted_unnamed: bigint;
  /** @derived */
  fee: bigint;
  /** @derived */
  reversed: bigint;
  /** @derived */
  lost: bigint;
  /** @derived */
  booked_on: IsoDate | null;
  /** @derived */
  references_known: string[];
}

/** Disputes with what all their steps tell; a condition on `d` or on the last step `l` follows. */
export const SELECT_DISPUTES = `SELECT d.account_id, d.dispute_id, d.gateway, d.provider_dispute_id,
    d.provider_payment_id, d.currency, d.recorded_at, l.payment_id, l.receipt_id, l.step AS steps,
    l.status, l.amount, l.reason, l.evidence_due_by, l.said_at, s.opened_at, s.disputed,
    s.withdrawn, s.adopted, s.adopted_unnamed, s.fee, v.reversed, v.lost + least(a.lost, s.adopted) AS lost,
    s.booked_on, s.references_known
  FROM disputes d
    CROSS JOIN LATERAL (
      SELECT * FROM dispute_steps l
      WHERE (l.account_id, l.dispute_id) = (d.account_id, d.dispute_id) ORDER BY step DESC LIMIT 1
    ) l
    CROSS JOIN LATERAL (
      SELECT min(s.said_at) AS opened_at, sum(s.disputed)::bigint AS disputed,
        sum(s.withdrawn + s.adopted)::bigint AS withdrawn, sum(s.adopted)::bigint AS adopted,
        coalesce(sum(s.adopted) FILTER (WHERE s.reference IS NULL), 0)::bigint AS adopted_unnamed,
        sum(s.fee)::bigint AS fee, (array_agg(s.booked_on ORDER BY s.step DESC)
          FILTER (WHERE s.booked_on IS NOT NULL))[1] AS booked_on,
        coalesce(array_agg(s.reference) FILTER (WHERE s.reference IS NOT NULL), '{}')
          AS references_known
      FROM dispute_steps s WHERE (s.account_id, s.dispute_id) = (d.account_id, d.dispute_id)
    ) s
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(v.amount), 0)::bigint AS reversed, coalesce(sum(v.lost), 0)::bigint AS lost
      FROM provider_reversals v WHERE (v.account_id, v.dispute_id) = (d.account_id, d.dispute_id)
    ) v
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(a.lost), 0)::bigint AS lost FROM provider_reversals a
      WHERE (a.account_id, a.gateway, a.provider_payment_id)
          = (d.account_id, d.gateway, d.provider_payment_id)
        AND a.dispute_id IS NULL AND (a.reference = ANY (s.references_known)
          OR a.reference IS NULL AND s.adopted_unnamed > 0)
    ) a`;

export function toDispute(row: DisputeColumns): Dispute {
  const money = (minor: bigint) => Money.of(minor, row.currency);
  return {
    id: row.dispute_id,
    accountId: row.account_id,
    gateway: row.gateway,
    providerDisputeId: row.provider_dispute_id,
    providerPaymentId: row.provider_payment_id,
    of: row.payment_id ? { paymentId: row.payment_id } : { receiptId: row.receipt_id ?? '' },
    steps: row.steps,
    status: row.status,
    amount: money(row.amount),
    reason: row.reason,
    evidenceDueBy: row.evidence_due_by,
    saidAt: row.said_at,
    disputed: money(row.disputed),
    withdrawn: money(row.withdrawn),
    taken: money(row.reversed + row.adopted),
    adopted: money(row.adopted),
    adoptedUnnamed: money(row.adopted_unnamed),
    lost: money(row.lost),
    fee: money(row.fee),
    references: row.references_known,
    bookedOn: row.booked_on,
    openedAt: row.opened_at,
    recordedAt: row.recorded_at,
  };
}
