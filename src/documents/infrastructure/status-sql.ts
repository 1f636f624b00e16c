import type { DocumentStatus } from '../domain/lifecycle.js';

const SETTLED = 'd.settled_at IS NOT NULL';
const COLLECTED = `d.kind = 'invoice' AND d.lifecycle = 'open'`;

/** The public statuses as conditions on what is stored; `lifecycle.ts` derives the same. */
export function statusSql(status: DocumentStatus, now: string): string {
  const conditions: Record<DocumentStatus, string> = {
    draft: `d.lifecycle = 'draft'`,
    accepted: `d.lifecycle = 'accepted'`,
    rejected: `d.lifecycle = 'rejected'`,
    converted: `d.lifecycle = 'converted'`,
    void: `d.lifecycle = 'void'`,
    paid: `d.lifecycle IN ('open', 'uncollectible') AND ${SETTLED}`,
    partially_paid: `${COLLECTED} AND d.settled_at IS NULL AND d.amount_paid > 0`,
    open:
      `d.lifecycle = 'open' AND CASE d.kind WHEN 'quote' THEN d.lapses_at > ${now} ` +
      `WHEN 'credit_note' THEN d.amount_applied < d.total ` +
      `ELSE d.settled_at IS NULL AND d.amount_paid = 0 END`,
    expired: `d.kind = 'quote' AND d.lifecycle = 'open' AND d.lapses_at <= ${now}`,
    uncollectible: `d.lifecycle = 'uncollectible' AND d.settled_at IS NULL`,
    applied: `d.kind = 'credit_note' AND d.lifecycle = 'open' AND d.amount_applied = d.total`,
  };
  return conditions[status];
}

/** Overdue is derived from the due date in the account's time zone: see `lapses_at`. */
export function overdueSql(now: string): string {
  return `${COLLECTED} AND d.settled_at IS NULL AND d.lapses_at <= ${now}`;
}
