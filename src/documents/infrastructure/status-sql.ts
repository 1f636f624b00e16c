import type { DocumentRefundStatus } from '../domain/refunded-money.js';
import { type DocumentStatus, PAYABLE } from '../domain/lifecycle.js';

/** Documents that are open and not settled. All of them are in `pending_documents`. */
const PENDING = `d.lifecycle = 'open' AND d.settled_at IS NULL`;

/** Of `documents d`, as `isCollected` and something due. */
export const IS_OWED = `d.kind = 'invoice' AND ${PENDING}`;

/** Of an invoice, as `isPayable`. */
export const TAKES_PAYMENTS = `d.lifecycle IN (${PAYABLE.map((one) => `'${one}'`).join(', ')})`;

const PENDING_STATUSES: ReadonlySet<DocumentStatus> = new Set([
  'partially_paid',
  'open',
  'expired',
  'applied',
]);

/** Whether all documents of these statuses are pending. */
export function arePending(statuses: readonly DocumentStatus[]): boolean {
  return statuses.every((status) => PENDING_STATUSES.has(status));
}

/** Whether `documents_lifecycle` has all documents of these statuses, newest first. */
export function haveOneIndex(statuses: readonly DocumentStatus[]): boolean {
  return statuses.length === 1 && statuses[0] !== 'paid' && !arePending(statuses);
}

/**
 * `documents d` that are pending, beside `pending_documents p`. OFFSET: each is looked up by its id,
 * whatever statistics from before say of the account.
 */
export const PENDING_DOCUMENTS = `pending_documents p CROSS JOIN LATERAL (
  SELECT * FROM documents d
  WHERE d.account_id = p.account_id AND d.document_id = p.document_id OFFSET 0) d`;

/** The public statuses as conditions on what is stored; `lifecycle.ts` derives the same. */
export function statusSql(status: DocumentStatus, now: string): string {
  const conditions: Record<DocumentStatus, string> = {
    draft: `d.lifecycle = 'draft'`,
    accepted: `d.lifecycle = 'accepted'`,
    rejected: `d.lifecycle = 'rejected'`,
    converted: `d.lifecycle = 'converted'`,
    void: `d.lifecycle = 'void'`,
    paid: `${TAKES_PAYMENTS} AND d.settled_at IS NOT NULL`,
    partially_paid: `${IS_OWED} AND d.amount_paid > d.amount_refunded`,
    open:
      `${PENDING} AND CASE d.kind WHEN 'quote' THEN d.lapses_at > ${now} ` +
      `WHEN 'credit_note' THEN d.amount_applied + d.amount_moved < d.total ELSE d.amount_paid = d.amount_refunded END`,
    expired: `${PENDING} AND d.kind = 'quote' AND d.lapses_at <= ${now}`,
    uncollectible: `d.lifecycle = 'uncollectible' AND d.settled_at IS NULL`,
    applied: `${PENDING} AND d.kind = 'credit_note' AND d.amount_applied + d.amount_moved = d.total`,
  };
  return conditions[status];
}

/** The refund statuses as conditions on what is stored; `refundStatusOf` derives the same. */
export const REFUNDED_SQL: Record<DocumentRefundStatus, string> = {
  none: 'd.amount_refunded = 0',
  partial: 'd.amount_refunded > 0 AND d.amount_refunded < d.amount_paid',
  full: 'd.amount_refunded > 0 AND d.amount_refunded >= d.amount_paid',
};

/** The amount due on an invoice of `documents d`, as `Document.amountPayable` has it. */
export const DUE = `d.total - d.amount_paid + d.amount_refunded - d.amount_credited - d.amount_waived`;

/**
 * Whether anybody is asked for it: not for what went back, as long as nobody says that it is owed, and
 * not for what is on its way.
 */
export const IS_ASKED_FOR = `${IS_OWED} AND ${DUE} > d.amount_undecided + d.amount_processing`;

/** Overdue is derived from the due date in the account's time zone: see `lapses_at`. */
export function overdueSql(now: string): string {
  return `${IS_OWED} AND ${DUE} > d.amount_undecided AND d.lapses_at <= ${now}`;
}
