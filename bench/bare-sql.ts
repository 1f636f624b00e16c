/**
 * The statements of a payment and of a webhook, as the service sends them. The bench counts the
 * rows that both servers wrote in each table and fails when they differ.
 */
const DOCUMENT_COLUMNS = `d.account_id, d.document_id, d.kind, d.proforma, d.lifecycle,
  d.number_series, d.number, d.number_period, d.number_sequence, d.external_id, d.currency,
  d.customer_id, d.issue_date, d.due_date, d.payment_terms_days, d.lapses_at, d.net_total,
  d.tax_total, d.rounding, d.total, d.amount_paid, d.amount_refunded, d.amount_waived,
  d.amount_credited, d.credit_notes_total, d.amount_applied, d.origin, d.origin_document_id,
  d.revision, d.accepted_at, d.rejection_reason, d.rejected_at,
  d.rejected_version, d.converted_at, d.written_off_at, d.settled_at, d.version,
  d.event_sequence, d.created_at, d.issued_at, d.voided_at`;

export const LOCK_DOCUMENT = `SELECT ${DOCUMENT_COLUMNS} FROM documents d
  WHERE d.account_id = $1 AND d.document_id = $2 FOR NO KEY UPDATE`;

export const LOCK_DOCUMENT_OF_LINK = `SELECT ${DOCUMENT_COLUMNS} FROM documents d
  WHERE (d.account_id, d.document_id) = (
    SELECT l.account_id, l.document_id FROM payment_links l WHERE l.payment_link_id = $1)
  FOR NO KEY UPDATE`;

export const FIND_LINK = 'SELECT * FROM payment_links WHERE payment_link_id = $1';

export const FIND_EVENT =
  'SELECT fingerprint, outcome FROM provider_events WHERE gateway = $1 AND event_id = $2';

export const FIND_RECEIPT = `SELECT unmatched_reason AS unmatched FROM provider_receipts
  WHERE gateway = $1 AND provider_payment_id = $2`;

export const FIND_KEY = `SELECT status, body, request_sha256 FROM idempotency_keys
  WHERE account_id = $1 AND client_id = $2 AND route = $3 AND key = $4`;

export const INSERT_PAYMENT = `INSERT INTO payments
  (account_id, payment_id, document_id, customer_id, currency, amount, applied, fee, method,
   reference, note, metadata, paid_at, recorded_at, client_id, gateway, provider_payment_id,
   payment_link_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`;

export const INSERT_TRANSFER = `INSERT INTO transfers
  (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency, document_id,
   customer_id, effective_on, recorded_at)
  SELECT $1, l.transfer_id, $2, $3, l.debit, l.credit, l.amount, $4, l.document_id, $5,
    coalesce($6::date, ($7::timestamptz AT TIME ZONE a.time_zone)::date), $8
  FROM accounts a, (VALUES ($9::uuid, $10, $11, $12::bigint, $13::uuid))
    AS l (transfer_id, debit, credit, amount, document_id)
  WHERE a.account_id = $1`;

export const UPDATE_DOCUMENT = `UPDATE documents SET amount_paid = $3, amount_refunded = $4,
    amount_waived = $5, amount_credited = $6, credit_notes_total = $7, settled_at = $8,
    version = $9, event_sequence = $10
  WHERE account_id = $1 AND document_id = $2`;

const EVENT_COLUMNS = 9;

export function insertEvents(rows: number): string {
  const places = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: EVENT_COLUMNS }, (_, column) => `$${row * EVENT_COLUMNS + column + 1}`),
  );
  return `INSERT INTO events
    (account_id, event_id, type, document_id, sequence, data, occurred_at, actor_type, actor_id)
    VALUES (${places.map((row) => row.join(', ')).join('), (')})`;
}

export const INSERT_KEY = `INSERT INTO idempotency_keys
  (account_id, client_id, route, key, request_sha256, status, body, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

export const MARK_LINK_PAID = `UPDATE payment_links
  SET status = 'paid', paid_at = $3, canceled_at = NULL
  WHERE account_id = $1 AND payment_link_id = $2`;

export const INSERT_RECEIPT = `INSERT INTO provider_receipts
  (gateway, provider_payment_id, account_id, payment_link_id, payment_id, amount, currency,
   unmatched_reason, event_id, link_reference, paid_at, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;

export const INSERT_PROVIDER_EVENT = `INSERT INTO provider_events
  (gateway, event_id, event_type, fingerprint, outcome, review, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

export const INSERT_DELIVERY = `INSERT INTO gateway_deliveries
  (account_id, delivery_id, gateway, received_at, sealed_delivery, names, event_types, reports, outcome)
  VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 'ok')`;
