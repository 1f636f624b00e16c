import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { PaymentMethod } from '../../../kernel/payment-method.js';
import type { Row } from '../../../platform/database/row.js';
import type { Refund, RefundAccount, RefundStatus, RefundUndoing } from '../domain/refund.js';
import {
  conversionOf,
  type ConversionJson,
  toConversion,
} from '../../recording/infrastructure/conversion-columns.js';
import {
  MEANING_COLUMNS,
  type StoredMeaning,
  type StoredRefundNote,
  toMeaning,
  toRefundNote,
} from './refunds/refund-meaning-columns.js';

export interface RefundColumns extends Omit<
  Row<'refunds', { method: PaymentMethod; paid_from: RefundAccount; status: RefundStatus }>,
  'provider_refund_id' | 'settled_xact' | 'xact'
> {
  /** Its own, or the first that the provider gave to what was recorded before. @derived */
  provider_refund_id: string | null;
  /** @derived */
  provider_payment_id: string | null;
  /** @derived */
  undone_as: RefundUndoing['kind'] | null;
  /** @derived */
  undone_reason: string | null;
  /** @derived */
  undone_by: Uuid | null;
  /** @derived */
  undone_at: Date | null;
  /** @derived */
  undone_booked_on: IsoDate | null;
  /** Amounts as text: JSON numbers are not exact enough. @derived */
  parts: { document_id: Uuid; amount: string }[];
  /** @derived */
  conversion: ConversionJson | null;
  /** @derived */
  meaning: StoredMeaning | null;
  /** @derived */
  credit_notes: StoredRefundNote[];
}

/** Refunds with what they take from which document; a condition on `r` follows. */
export const SELECT_REFUNDS = `SELECT r.account_id, r.refund_id, r.payment_id, r.receipt_id,
    r.customer_id, r.currency, r.amount, r.from_credit, r.lost, r.credit_kept, r.method, r.gateway,
    r.paid_from, r.status, r.failure,
    coalesce(r.provider_refund_id, (SELECT min(n.provider_refund_id) FROM refund_names n
      WHERE (n.account_id, n.refund_id) = (r.account_id, r.refund_id))) AS provider_refund_id,
    r.reference, r.reason, r.client_id, r.requested_at,
    r.settled_at, r.attempts, r.next_look_at, v.kind AS undone_as, v.reason AS undone_reason,
    v.client_id AS undone_by, v.undone_at,
    r.booked_on, v.booked_on AS undone_booked_on,
    coalesce(p.provider_payment_id, u.provider_payment_id) AS provider_payment_id,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('document_id', t.document_id,
        'amount', t.amount::text) ORDER BY t.document_id), '[]')
      FROM refund_parts t WHERE t.account_id = r.account_id AND t.refund_id = r.refund_id) AS parts,
    ${conversionOf('r.account_id', 'r.refund_id')} AS conversion,${MEANING_COLUMNS}
  FROM refunds r
    LEFT JOIN payments p ON p.account_id = r.account_id AND p.payment_id = r.payment_id
    LEFT JOIN unmatched_receipts u ON u.account_id = r.account_id AND u.receipt_id = r.receipt_id
    LEFT JOIN refund_undoings v ON v.account_id = r.account_id AND v.refund_id = r.refund_id`;

export function toRefund(row: RefundColumns): Refund {
  return {
    id: row.refund_id,
    accountId: row.account_id,
    of:
      row.payment_id === null
        ? { type: 'receipt', receiptId: row.receipt_id ?? '' }
        : { type: 'payment', paymentId: row.payment_id, customerId: row.customer_id ?? '' },
    amount: Money.of(row.amount, row.currency),
    conversion: toConversion(row.conversion),
    fromCredit: Money.of(row.from_credit, row.currency),
    parts: row.parts.map(({ document_id: documentId, amount }) => ({
      documentId,
      amount: Money.of(BigInt(amount), row.currency),
    })),
    creditKept: Money.of(row.credit_kept, row.currency),
    lost: Money.of(row.lost, row.currency),
    method: row.method,
    gateway: row.gateway,
    paidFrom: row.paid_from,
    providerPaymentId: row.provider_payment_id,
    status: row.status,
    providerRefundId: row.provider_refund_id,
    failure: row.failure,
    reference: row.reference,
    reason: row.reason,
    clientId: row.client_id,
    requestedAt: row.requested_at,
    settledAt: row.settled_at,
    bookedOn: row.booked_on,
    attempts: row.attempts,
    nextLookAt: row.next_look_at,
    undoing: undoingOf(row),
    meaning: toMeaning(row.meaning),
    notes: row.credit_notes.map(toRefundNote),
  };
}

function undoingOf(row: RefundColumns): RefundUndoing | null {
  const { undone_as: kind, undone_reason: reason, undone_by: clientId, undone_at: at } = row;
  return kind && at && { kind, reason, clientId, at, bookedOn: row.undone_booked_on };
}
