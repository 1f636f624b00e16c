import { NO_ACCOUNT } from '../../kernel/ids.js';

/**
 * The rows that seals cover, or the part of each that no later transaction changes. A new table or
 * column of money has to be added here; test/e2e/integrity/tampering.e2e-spec.ts tries every column
 * that the catalog has.
 */
export interface SealedTable {
  /** The table; of a table that is sealed in two steps, with the step. */
  name: string;
  /** The text after FROM; `t` is the table. */
  from: string;
  /** The column of the account whose chain seals the row. */
  account: string;
  /** The column with the transaction that made it final. */
  xact: string;
  /** Values of types that PostgreSQL itself has; of a domain, `column::text`. */
  columns: readonly string[];
}

/** How seals are digested. Another way gets another number, and old seals keep theirs. */
export const SEAL_VERSION = 2;

const columns = (text: string): string[] => text.trim().split(/\s+/);

const table = (name: string, sealed: string): SealedTable => ({
  name,
  from: `${name} t`,
  account: 't.account_id',
  xact: 't.xact',
  columns: columns(sealed).map((column) => `t.${column}`),
});

/** A part of a document, final with the document. */
const partOfDocument = (name: string, key: string, sealed: string): SealedTable => ({
  ...table(name, sealed),
  from: `${name} t JOIN documents d ON d.account_id = t.account_id AND d.document_id = t.${key}`,
  xact: 'd.issued_xact',
});

export const SEALED_TABLES: readonly SealedTable[] = [
  table(
    'transfers',
    `account_id transfer_id fact::text fact_id debit::text credit::text amount currency document_id customer_id
     effective_on recorded_at xact`,
  ),
  table(
    'exchange_rates',
    'account_id rate_id day base quote revision rate source client_id recorded_at xact',
  ),
  table(
    'period_closings',
    'account_id closing_id action open_from decided_at known_xact chart_version xact',
  ),
  // returned counts refunds that are under way; refunds are sealed themselves.
  table(
    'payments',
    `account_id payment_id document_id customer_id currency amount applied method reference note
     metadata paid_at recorded_at client_id gateway provider_payment_id payment_link_id receipt_id
     fee bank_entry_id xact`,
  ),
  table(
    'conversions',
    `account_id conversion_id payment_id refund_id amount currency exchange_rate worth worth_currency
     rate_from rate_source rate_day xact`,
  ),
  table(
    'allocations',
    'account_id allocation_id payment_id document_id currency amount reason created_at xact',
  ),
  table('payment_reversals', 'account_id payment_id reason client_id reversed_at xact'),
  table(
    'provider_reversals',
    `account_id reversal_id payment_id receipt_id gateway provider_payment_id reference currency
     amount from_credit lost reason failed_at recorded_at xact`,
  ),
  table(
    'disputes',
    'account_id dispute_id gateway provider_dispute_id provider_payment_id currency recorded_at xact',
  ),
  table(
    'dispute_steps',
    `account_id dispute_id step payment_id receipt_id status amount reason evidence_due_by said_at
     disputed withdrawn adopted fee reference recorded_at xact`,
  ),
  table('dispute_parts', 'account_id dispute_id step document_id payment_id amount xact'),
  table(
    'customer_credits',
    `account_id credit_id customer_id payment_id credit_note_id currency amount created_at xact`,
  ),
  {
    ...table(
      'provider_receipts',
      `gateway provider_payment_id account_id payment_link_id payment_id amount currency
       unmatched_reason event_id link_reference capture_reference paid_at received_at xact`,
    ),
    account: `coalesce(t.account_id, '${NO_ACCOUNT}')`,
  },
  table(
    'unmatched_receipts',
    `account_id receipt_id gateway provider_payment_id amount currency reason document_id
     payment_link_id link_reference paid_at received_at fee xact`,
  ),
  table(
    'refunds',
    `account_id refund_id payment_id receipt_id customer_id currency amount from_credit method
     gateway reference reason client_id requested_at credit_kept xact`,
  ),
  {
    ...table(
      'refunds',
      'account_id refund_id status provider_refund_id failure settled_at settled_xact',
    ),
    name: 'refunds settled',
    xact: 't.settled_xact',
  },
  table('refund_names', 'account_id refund_id gateway provider_refund_id amount named_at xact'),
  table('refund_undoings', 'account_id refund_id kind reason client_id undone_at xact'),
  table(
    'refund_meanings',
    'account_id refund_id step meaning said_by credit_note problem client_id said_at xact',
  ),
  table('refund_credit_notes', 'account_id refund_id document_id credit_note_id made_at xact'),
  table('vat_methods', 'account_id method_id method from_day decided_at xact'),
  table(
    'tax_reliefs',
    `account_id relief_id document_id currency tax_category tax_rate base tax effective_on
     recorded_at loss xact`,
  ),
  table('refund_parts', 'account_id refund_id document_id amount xact'),
  table(
    'payment_links',
    'account_id payment_link_id document_id gateway amount currency created_at expires_at xact',
  ),
  {
    ...table(
      'payment_links',
      'account_id payment_link_id url provider_object_id page_expires_at opened_xact',
    ),
    name: 'payment_links opened',
    xact: 't.opened_xact',
  },
  {
    ...table(
      'provider_events',
      'gateway event_id event_type fingerprint outcome review received_at xact',
    ),
    account: `'${NO_ACCOUNT}'::uuid`,
  },
  {
    ...table(
      'provider_failures',
      `gateway event_id provider_payment_id kind amount currency reference reason failed_at
       dispute_status withdrawn fee evidence_due_by received_at xact`,
    ),
    account: `'${NO_ACCOUNT}'::uuid`,
  },
  table(
    'unmatched_items',
    `account_id item_id gateway subject direction provider_payment_id link_reference amount currency
     told event_id event_type received_at xact`,
  ),
  table('unmatched_item_steps', 'account_id item_id step status reason client_id at xact'),
  table(
    'payouts',
    `account_id payout_id gateway provider_payout_id amount fee booked_fee currency sent_on
     arrives_on descriptor lines client_id recorded_at xact`,
  ),
  table(
    'payout_lines',
    `account_id payout_id position kind amount fee booked_fee provider_id payment_id receipt_id
     refund_id completes xact`,
  ),
  {
    ...table(
      'provider_payouts',
      `gateway event_id event_type provider_payout_id status amount fee currency sent_on arrives_on
       descriptor reason told_at lines received_at xact`,
    ),
    account: `'${NO_ACCOUNT}'::uuid`,
  },
  {
    ...table('provider_payout_waits', 'gateway provider_id kind provider_payout_id since xact'),
    account: `'${NO_ACCOUNT}'::uuid`,
  },
  table('payout_undoings', 'account_id payout_id kind undone_on reason client_id recorded_at xact'),
  // The bytes are compared with their digest.
  table('document_pdfs', 'account_id document_id language sha256 created_at xact'),
  table('e_invoices', 'account_id document_id profile release sha256 created_at xact'),
  table(
    'bank_statements',
    `account_id statement_id sha256 format sections entries known_before pending rejected
     unused_columns hints mapping_id client_id imported_at xact`,
  ),
  table('bank_entry_mentions', 'account_id statement_id entry_id xact'),
  // The bank's words; the entry's own status may change.
  table(
    'bank_entries',
    `account_id entry_id statement_id entry_key direction is_reversal amount currency booked_on
     value_on bank_account counterparty_name counterparty_iban remittance structured_reference
     end_to_end_id bank_reference fee transaction_type return_reason batch_key batch_amount xact`,
  ),
  table(
    'events',
    `account_id event_id type document_id sequence data occurred_at actor_type actor_id xact`,
  ),
  table(
    'audit_entries',
    `account_id entry_id action subject actor_type actor_id address request_id before after
     occurrences occurred_at xact`,
  ),
  {
    ...table(
      'documents',
      `account_id document_id kind number number_series number_period number_sequence currency
       customer_id seller customer issue_date due_date notes purchase_order subtotal discount_total
       charge_total net_total tax_total rounding total issued_at proforma language external_id
       prices_include_tax cash_rounding discounts charges amount_applied origin origin_document_id
       revision lapses_at payment_reference issued_xact`,
    ),
    from: `(SELECT d.*, c.seller, c.customer, c.notes, c.discounts, c.charges
      FROM documents d JOIN document_contents c USING (account_id, document_id)) t`,
    xact: 't.issued_xact',
  },
  // Apart from the rest: what was sealed before there were details has the same digest as then.
  {
    ...table('documents', 'account_id document_id details'),
    name: 'documents.details',
    from: `(SELECT c.*, d.issued_xact
      FROM document_contents c JOIN documents d USING (account_id, document_id)
      WHERE c.details IS NOT NULL) t`,
    xact: 't.issued_xact',
  },
  {
    ...table('documents', 'account_id document_id cash_discounts'),
    name: 'documents.cash_discounts',
    from: '(SELECT * FROM documents WHERE cash_discounts IS NOT NULL) t',
    xact: 't.issued_xact',
  },
  {
    ...table('documents', 'account_id document_id amount_prepaid'),
    name: 'documents.amount_prepaid',
    from: '(SELECT * FROM documents WHERE amount_prepaid <> 0) t',
    xact: 't.issued_xact',
  },
  {
    ...partOfDocument('document_lines', 'document_id', 'account_id document_id position details'),
    name: 'document_lines.details',
    from: `(SELECT * FROM document_lines WHERE details IS NOT NULL) t
      JOIN documents d ON d.account_id = t.account_id AND d.document_id = t.document_id`,
  },
  partOfDocument(
    'document_lines',
    'document_id',
    `account_id document_id position description quantity unit unit_amount tax_category tax_rate
     exemption_reason discounts charges amount net`,
  ),
  partOfDocument(
    'document_tax_groups',
    'document_id',
    'account_id document_id tax_category tax_rate exemption_code exemption_reason base tax',
  ),
  partOfDocument(
    'credited_lines',
    'credit_note_id',
    'account_id credit_note_id invoice_id position amount quantity',
  ),
];

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** A table of an extension, by its name and the columns that it had when it was sealed first. */
export const sealedTableOf = (name: string, columnNames: readonly string[]): SealedTable => ({
  name,
  from: `${quoted(name)} t`,
  account: 't.account_id',
  xact: 't.xact',
  columns: columnNames.map((column) => `t.${quoted(column)}`),
});

/**
 * The bytes of a row that are digested. record_send writes each value with its type and its length,
 * in PostgreSQL's binary form. So they do not depend on time zone, date style, collation or the order
 * of columns. Two different rows never give the same bytes. The ids of PostgreSQL's own types are the
 * same in every database and version of it. Those of domains are not, so none is in the list. Text
 * is in the encoding of the connection, for which our driver always takes UTF-8 (decision 49).
 */
export const rowBytes = ({ columns: list }: SealedTable): string =>
  `record_send(ROW(${list.join(', ')}))`;

const digestOf = (digests: string, order: string): string =>
  `sha256(string_agg(${digests}, ''::bytea ORDER BY ${order}))`;

/** Its rows have no id of ours, and so are digested in one part. */
export const isOnePart = (name: string): boolean =>
  name.startsWith('provider_') || name.startsWith('ext_');

/** By the last digits of the first id: PostgreSQL holds at most 1 GB, and so 33 million, at once. */
export const partOf = ({ name, columns: [, id] }: SealedTable): string =>
  isOnePart(name) ? '0' : `get_byte(uuid_send(${id}), 15) >> 4`;

/**
 * Rows `account_id, place, rows, digest` over those of a table that `where` lets through, in
 * whatever order they are found. OFFSET keeps the digests apart: the sort is over 32 bytes a row,
 * not over all its columns, and each is computed once.
 */
export const digested = (table: SealedTable, place: string, where: string): string => `
  SELECT account_id, place, sum(rows)::bigint AS rows, ${digestOf('digest', 'part')} AS digest
  FROM (
    SELECT place, account_id, part, count(*) AS rows, ${digestOf('digest', 'digest')} AS digest
    FROM (
      SELECT ${place} AS place, ${table.account} AS account_id, ${partOf(table)} AS part,
        sha256(${rowBytes(table)}) AS digest
      FROM ${table.from} WHERE ${where} OFFSET 0
    ) digests GROUP BY 1, 2, 3
  ) parts GROUP BY 1, 2`;

const SEAL_COLUMNS = 'account_id sequence from_xact through_xact contents rows sealed_at version';

/** A seal's digest covers its own columns and the digest of the seal before, `''` for the first. */
export const sealBytes = (previous: string, seal: string): string => {
  const covered = columns(SEAL_COLUMNS).map((column) => `${seal}.${column}`);
  return `record_send(ROW(${previous}::bytea, ${covered.join(', ')}))`;
};

export const sealDigest = (previous: string, seal: string): string =>
  `sha256(${sealBytes(previous, seal)})`;
