import { DOCUMENTS, PAID_BY_CUSTOMER } from './of-customer.js';

/**
 * A table that knows something of a customer: `t` is the table. $1 is the account, $2 the customer, $3
 * has public ids of all that is its, $4 its mailboxes. A test compares the list with docs/privacy.md,
 * which says of each column whether erasure keeps it.
 */
export interface PersonalPlace {
  of: string;
  from: string;
  where: string;
  /** In this order, from page to page; no two rows of a customer have the same. */
  key: string;
}

const OF_DOCUMENT = `t.document_id IN (${DOCUMENTS})`;
const OF_CUSTOMER = 't.customer_id = $2';
const PAID = `SELECT payment_id FROM payments p WHERE p.account_id = $1 AND ${PAID_BY_CUSTOMER}`;
const OF_PAYMENT = `t.payment_id IN (${PAID})`;
const REFUNDED = `SELECT refund_id FROM refunds WHERE account_id = $1 AND customer_id = $2`;
const AT_PROVIDER = `(t.gateway, t.provider_payment_id) IN (
  SELECT p.gateway, p.provider_payment_id FROM payments p
  WHERE p.account_id = $1 AND p.payment_id IN (${PAID}))`;
const MESSAGES = `SELECT m.message_id FROM mail_messages m WHERE m.account_id = $1
  AND (m.document_id IN (${DOCUMENTS}) OR m.document_id IS NULL
    AND (m.change->>'customer' = ANY ($3) OR m.change->>'schedule' = ANY ($3)))`;
const DISPUTED = `SELECT s.dispute_id FROM dispute_steps s
  WHERE s.account_id = $1 AND s.payment_id IN (${PAID})`;
const SCHEDULED = `SELECT schedule_id FROM schedules WHERE account_id = $1 AND customer_id = $2`;
const AGREED = `SELECT mandate_id FROM mandates WHERE account_id = $1 AND customer_id = $2`;
const LINKS = `SELECT payment_link_id FROM payment_links l WHERE l.account_id = $1
  AND l.document_id IN (${DOCUMENTS})`;

const place = (of: string, where: string, key: string, from = `${of} t`): PersonalPlace => ({
  of,
  from,
  where,
  key,
});

/** Without bytes, which their own routes answer, and without digests of secrets; one table is of no account. */
const READ = {
  attachments: `(SELECT account_id, document_id, encode(sha256, 'hex') AS sha256
    FROM attachment_files) t`,
  pdfs: `(SELECT account_id, document_id, language, created_at FROM document_pdfs) t`,
  eInvoices: `(SELECT account_id, document_id, profile, release, created_at FROM e_invoices) t`,
  calls: `(SELECT account_id, delivery_id, gateway, received_at, names, event_types, outcome, problem
    FROM gateway_deliveries) t`,
  tokens: `(SELECT account_id, portal_token_id, document_id, created_at, expires_at, revoked_at,
    first_viewed_at, last_viewed_at FROM portal_tokens) t`,
  failures: `(SELECT $1::uuid AS account_id, f.* FROM provider_failures f) t`,
};

export const PERSONAL_PLACES: readonly PersonalPlace[] = [
  place('customers', OF_CUSTOMER, 't.customer_id'),
  place('debtors', OF_CUSTOMER, 't.customer_id'),
  place('documents', OF_CUSTOMER, 't.document_id'),
  place('document_contents', OF_DOCUMENT, 't.document_id'),
  place('attachment_files', OF_DOCUMENT, `t.document_id || t.sha256`, READ.attachments),
  place('document_pdfs', OF_DOCUMENT, 't.document_id || t.language', READ.pdfs),
  place('e_invoices', OF_DOCUMENT, 't.document_id || t.profile', READ.eInvoices),
  place('portal_tokens', OF_DOCUMENT, 't.portal_token_id', READ.tokens),
  place('payment_links', OF_DOCUMENT, 't.payment_link_id'),
  place('mandates', OF_CUSTOMER, 't.mandate_id'),
  place('collections', `t.mandate_id IN (${AGREED})`, 't.payment_link_id'),
  place('payments', OF_PAYMENT, 't.payment_id'),
  place('conversions', `${OF_PAYMENT} OR t.refund_id IN (${REFUNDED})`, 't.conversion_id'),
  place('allocations', OF_PAYMENT, 't.allocation_id'),
  place('payment_reversals', OF_PAYMENT, 't.payment_id'),
  place('provider_reversals', OF_PAYMENT, 't.reversal_id'),
  place('provider_receipts', OF_PAYMENT, 't.gateway || t.provider_payment_id'),
  place('provider_failures', AT_PROVIDER, 't.gateway || t.event_id', READ.failures),
  place('unmatched_items', AT_PROVIDER, 't.item_id'),
  place(
    'unmatched_receipts',
    `${OF_DOCUMENT} OR t.receipt_id IN (SELECT p.receipt_id FROM payments p
      WHERE p.account_id = $1 AND p.payment_id IN (${PAID}))`,
    't.receipt_id',
  ),
  place('refunds', OF_CUSTOMER, 't.refund_id'),
  place('refund_undoings', `t.refund_id IN (${REFUNDED})`, 't.refund_id'),
  place('refund_meanings', `t.refund_id IN (${REFUNDED})`, `t.refund_id || lpad(t.step::text, 9)`),
  place('customer_credits', OF_CUSTOMER, 't.credit_id'),
  place('customer_balances', OF_CUSTOMER, 't.currency'),
  place('disputes', `t.dispute_id IN (${DISPUTED})`, 't.dispute_id'),
  place('dispute_steps', `t.dispute_id IN (${DISPUTED})`, `t.dispute_id || lpad(t.step::text, 9)`),
  place(
    'gateway_deliveries',
    `EXISTS (SELECT FROM jsonb_to_recordset(t.names) AS n(payment text, link uuid, refund uuid)
      WHERE n.link IN (${LINKS}) OR n.refund IN (${REFUNDED})
        OR n.payment IN (SELECT p.provider_payment_id FROM payments p
          WHERE p.account_id = $1 AND p.payment_id IN (${PAID})))`,
    't.delivery_id',
    READ.calls,
  ),
  place(
    'bank_entries',
    `t.entry_id IN (SELECT p.bank_entry_id FROM payments p
      WHERE p.account_id = $1 AND p.payment_id IN (${PAID})) OR ${OF_PAYMENT}`,
    't.entry_id',
  ),
  place('schedules', OF_CUSTOMER, 't.schedule_id'),
  place(
    'schedule_periods',
    `t.schedule_id IN (${SCHEDULED})`,
    't.schedule_id || t.period_start::text',
  ),
  place('schedule_usage', `t.schedule_id IN (${SCHEDULED})`, 't.usage_id'),
  place('dunning_states', OF_DOCUMENT, 't.document_id'),
  place('dunning_charges', OF_DOCUMENT, 't.charge_id'),
  place('reminders', OF_CUSTOMER, 't.reminder_id'),
  place('mail_messages', `t.message_id IN (${MESSAGES})`, 't.message_id'),
  place(
    'mail_letters',
    `t.message_id IN (${MESSAGES})`,
    `t.message_id || t.counted_at::text || lpad(t.position::text, 9)`,
  ),
  place('mail_refusals', 't.address = ANY ($4)', 't.address'),
  place(
    'events',
    `${OF_DOCUMENT} OR t.document_id IS NULL AND EXISTS (SELECT FROM unnest($3) AS id
      WHERE id ~ '^(cus|mand|sch|rem|pay|rfnd|dsp)_' AND position(id IN t.data::text) > 0)`,
    't.event_id',
  ),
  place(
    'audit_entries',
    `t.subject = ANY ($3) OR t.after->>'document_id' = ANY ($3)`,
    't.entry_id',
  ),
];
