import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Row } from '../../platform/database/row.js';
import type { PayoutLineKind } from '../../payments/index.js';
import type { Payout, PayoutLine, PayoutStatus } from '../domain/payouts/payout.js';

export interface PayoutColumns extends Omit<
  Row<'payouts', { status: PayoutStatus }>,
  'lines' | 'xact'
> {
  /** @derived */
  bank_entry_id: Uuid | null;
  /** @derived */
  failed_on: IsoDate | null;
  /** @derived */
  undone_reason: string | null;
}

/** Payouts with what became of them; a condition on `o` follows. */
export const SELECT_PAYOUTS = `SELECT o.account_id, o.payout_id, o.gateway, o.provider_payout_id,
    o.amount, o.fee, (o.booked_fee + coalesce((SELECT sum(l.booked_fee) FROM payout_lines l
      WHERE (l.account_id, l.payout_id) = (o.account_id, o.payout_id)
        AND l.completes IS NOT NULL), 0))::bigint AS booked_fee, o.currency, o.sent_on, o.arrives_on, o.descriptor, o.status,
    o.client_id, o.recorded_at, b.entry_id AS bank_entry_id, f.undone_on AS failed_on,
    coalesce(r.reason, f.reason) AS undone_reason
  FROM payouts o
    LEFT JOIN bank_entries b ON b.account_id = o.account_id AND b.payout_id = o.payout_id
    LEFT JOIN payout_undoings f ON f.account_id = o.account_id AND f.payout_id = o.payout_id
      AND f.kind = 'failed'
    LEFT JOIN payout_undoings r ON r.account_id = o.account_id AND r.payout_id = o.payout_id
      AND r.kind = 'reversed'`;

export function toPayout(row: PayoutColumns): Payout {
  const money = (minor: bigint) => Money.of(minor, row.currency);
  return {
    id: row.payout_id,
    accountId: row.account_id,
    gateway: row.gateway,
    providerPayoutId: row.provider_payout_id,
    amount: money(row.amount),
    fee: money(row.fee),
    bookedFee: money(row.booked_fee),
    sentOn: row.sent_on,
    arrivesOn: row.arrives_on,
    descriptor: row.descriptor,
    status: row.status,
    clientId: row.client_id,
    recordedAt: row.recorded_at,
    bankEntryId: row.bank_entry_id,
    failedOn: row.failed_on,
    undoneReason: row.undone_reason,
  };
}

export type PayoutLineColumns = Omit<
  Row<'payout_lines', { kind: PayoutLineKind }>,
  'account_id' | 'completes' | 'is_reversed' | 'payout_id' | 'xact'
>;

export function toPayoutLine(row: PayoutLineColumns, currency: string): PayoutLine {
  const money = (minor: bigint) => Money.of(minor, currency);
  return {
    position: row.position,
    kind: row.kind,
    amount: money(row.amount),
    fee: money(row.fee),
    bookedFee: money(row.booked_fee),
    providerId: row.provider_id,
    paymentId: row.payment_id,
    receiptId: row.receipt_id,
    refundId: row.refund_id,
  };
}
