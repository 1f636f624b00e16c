import { CITIES, COUNTRIES, FIRST_NAMES, FORMS, GOODS, TRADES } from './data-words.js';

/*
 * The SQL of `npm run bench:data`. Values look random, and are hashes of the document's place: each
 * run makes the same documents, whichever connection makes which.
 */

/** From 0 to 2^62. */
const hash = (place: string, purpose: number) =>
  `(hashint8extended(${place}, ${purpose}) & 4611686018427387903)`;

/** From 0 to below 1. */
const share = (place: string, purpose: number) => `(${hash(place, purpose)} % 1000000 / 1e6)`;

const oneOf = (values: readonly string[], place: string, purpose: number) => {
  const quoted = values.map((value) => `'${value}'`).join(', ');
  return `(ARRAY[${quoted}])[1 + ${hash(place, purpose)} % ${values.length}]`;
};

/** A UUIDv7 of an instant. */
const uuidAt = (instant: string, seed: string) =>
  `overlay(overlay(md5(${seed}) PLACING
     lpad(to_hex((extract(epoch FROM ${instant}) * 1000)::bigint), 12, '0') || '7' FROM 1 FOR 13)
     PLACING '8' FROM 17 FOR 1)::uuid`;

const bitsOf = (uuid: string) => `('x' || replace(${uuid}::text, '-', ''))::bit(128)`;

/** The public form of an id (TypeID) of 128 bits: 26 digits, the first of 3 bits, then of 5. */
const publicId = (prefix: string, bits: string) => {
  const digits = Array.from({ length: 26 }, (_, place) => {
    const part = place === 0 ? 'FROM 1 FOR 3' : `FROM ${place * 5 - 1} FOR 5`;
    return `substr('0123456789abcdefghjkmnpqrstvwxyz', substring(${bits} ${part})::int + 1, 1)`;
  });
  return `('${prefix}_' || ${digits.join(' || ')})`;
};

const inMilliseconds = (instant: string) => `date_trunc('milliseconds', ${instant})`;

/** Beside the tables of the service, and dropped again when the documents are there. */
export const CREATE_PLAN = `
  DROP SCHEMA IF EXISTS bench CASCADE;
  CREATE SCHEMA bench;
  CREATE UNLOGGED TABLE bench.accounts (
    account int PRIMARY KEY, account_id uuid, client_id uuid, client text, customers int);
  CREATE UNLOGGED TABLE bench.customers (
    account int, customer int, customer_id uuid, public_id text, profile jsonb,
    PRIMARY KEY (account, customer));
  CREATE UNLOGGED TABLE bench.documents (
    n bigint PRIMARY KEY, account int, kind text, customer int, created_at timestamptz,
    issue_date date, period text, sequence bigint)`;

export const DROP_PLAN = 'DROP SCHEMA bench CASCADE';

/** $1 place of the account, $2 to $4 its id and its client's two, $5 how many customers it has. */
export const PLAN_ACCOUNT = 'INSERT INTO bench.accounts VALUES ($1, $2, $3, $4, $5)';

const PROFILE = `jsonb_build_object(
  'name', ${oneOf(FIRST_NAMES, 'seed', 1)} || ' ' || ${oneOf(TRADES, 'seed', 2)} || ' '
    || ${oneOf(FORMS, 'seed', 3)},
  'legal_name', null, 'contact_name', null, 'email', 'billing@customer-' || seed || '.example',
  'phone', null, 'address', jsonb_build_array('Main street ' || 1 + seed % 200),
  'postal_code', (10000 + ${hash('seed', 4)} % 89999)::text,
  'city', ${oneOf(CITIES, 'seed', 5)}, 'region', null, 'country', ${oneOf(COUNTRIES, 'seed', 5)},
  'tax_id', null, 'tax_ids', '[]'::jsonb, 'registration_id', null, 'electronic_address', null,
  'language', null, 'reference', 'CC-' || seed % 900, 'shipping_address', null)`;

/** $1 when they came. */
export const PLAN_CUSTOMERS = `
  INSERT INTO bench.customers
  SELECT account, customer, id, ${publicId('cus', bitsOf('id'))}, ${PROFILE}
  FROM (
    SELECT account, n AS customer, 100000::bigint * account + n AS seed,
      ${uuidAt('$1::timestamptz', `'customer ' || account || '-' || n`)} AS id
    FROM bench.accounts, generate_series(1, customers) n) c`;

export const INSERT_CUSTOMERS = `
  INSERT INTO customers (account_id, customer_id, profile, created_at, updated_at)
  SELECT account_id, customer_id, profile, $1, $1
  FROM bench.customers JOIN bench.accounts USING (account)`;

/**
 * $1 how many, $2 and $3 the first and the last instant. Nine of ten belong to the first account,
 * and three of ten there to its first customer.
 */
export const PLAN_DOCUMENTS = `
  INSERT INTO bench.documents
  SELECT n, account, kind, customer, created_at, issue_date, period,
    row_number() OVER (PARTITION BY account, kind, period ORDER BY n)
  FROM (
    SELECT n, account, created_at, issue_date, to_char(issue_date, 'YYYY') AS period,
      CASE WHEN ${share('n', 11)} < 0.08 THEN 'quote' ELSE 'invoice' END AS kind,
      CASE WHEN ${share('n', 12)} < 0.3 THEN 1
        ELSE 1 + floor(a.customers * power(${share('n', 13)}, 2)) END AS customer
    FROM generate_series(1, $1::bigint) n
    CROSS JOIN LATERAL (SELECT
      greatest(1, ${hash('n', 10)} % 40 - 34) AS account,
      ${inMilliseconds('$2::timestamptz + ($3::timestamptz - $2) * (n / $1::float8)')} AS created_at) p
    CROSS JOIN LATERAL (SELECT (created_at AT TIME ZONE 'UTC')::date AS issue_date) i
    JOIN bench.accounts a USING (account)) d`;

/** Both count again each year. */
export const INSERT_SERIES = `
  INSERT INTO number_series
    (account_id, series, kind, pattern, reset, is_default, start_at, created_at)
  SELECT account_id, series, kind, pattern, reset, is_default, 1, $1
  FROM bench.accounts, (VALUES
    ('invoice', 'invoice', 'INV-{YYYY}-{SEQ:6}', 'year', true),
    ('quote', 'quote', 'QUO-{YYYY}-{SEQ:6}', 'year', true),
    ('proforma', 'quote', 'PRO-{SEQ:5}', 'never', false),
    ('credit_note', 'credit_note', 'CRN-{SEQ:5}', 'never', true)
  ) built_in (series, kind, pattern, reset, is_default)`;

export const INSERT_COUNTERS = `
  INSERT INTO number_counters (account_id, series, period, first_sequence, last_sequence)
  SELECT account_id, kind, period, 1, max(sequence)
  FROM bench.documents JOIN bench.accounts USING (account) GROUP BY 1, 2, 3`;

/** Each document has as many transactions for itself as it may have steps. */
const XACTS_OF_A_DOCUMENT = 10;

/** The first transaction after that of the last document. */
export const xactAfter = (documents: number): number => XACTS_OF_A_DOCUMENT * (documents + 1);

const SPEC = `
  SELECT d.*, ${XACTS_OF_A_DOCUMENT} * n AS xact, a.account_id, a.client_id, a.client, o.seller, c.customer_id, c.public_id AS customer_public,
    c.profile, document_id, ${publicId('doc', 'bits')} AS public_id, fate_at,
    CASE WHEN fate_at > $3::timestamptz THEN NULL WHEN kind = 'quote' THEN
        CASE WHEN luck < 0.4 THEN 'accepted' WHEN luck < 0.55 THEN 'rejected' END
      WHEN luck < 0.02 THEN 'void' WHEN luck < 0.03 THEN 'uncollectible'
      WHEN luck < 0.62 THEN 'paid' WHEN luck < 0.67 THEN 'partially_paid' END AS fate,
    CASE kind WHEN 'invoice' THEN 'INV-' ELSE 'QUO-' END || period || '-'
      || lpad(sequence::text, 6, '0') AS number,
    CASE WHEN ${share('n', 21)} < 0.8 THEN 'EUR' WHEN ${share('n', 22)} < 0.7 THEN 'USD'
      ELSE 'CHF' END AS currency,
    CASE WHEN ${share('n', 23)} < 0.3 THEN 'PO-' || ${hash('n', 24)} % 1000000 END AS purchase_order,
    CASE WHEN ${share('n', 25)} < 0.1 THEN 'erp-' || n END AS external_id
  FROM bench.documents d
  JOIN bench.accounts a USING (account)
  JOIN (SELECT account_id, seller FROM accounts) o USING (account_id)
  JOIN bench.customers c USING (account, customer)
  CROSS JOIN LATERAL (SELECT ${share('n', 27)} AS luck,
    ${uuidAt('created_at', `'document ' || n`)} AS document_id) chosen
  CROSS JOIN LATERAL (SELECT ${bitsOf('document_id')} AS bits,
    ${inMilliseconds(`created_at + interval '1 day' * CASE WHEN luck < 0.02 THEN 2
      WHEN luck < 0.03 THEN 150 ELSE 45 * ${share('n', 28)} END`)} AS fate_at) derived
  WHERE n BETWEEN $1 AND $2`;

const LINE = `
  SELECT n, account_id, document_id, position, gen_random_uuid() AS line_id, rate,
    CASE rate WHEN 0 THEN 'Z' ELSE 'S' END AS category, quantity, unit_amount,
    round(quantity * unit_amount)::bigint AS net,
    goods || CASE ${hash('seed', 32)} % 4
      WHEN 0 THEN ', ' || to_char(issue_date, 'FMMonth YYYY')
      WHEN 1 THEN ', SKU-' || ${hash('seed', 33)} % 100000 ELSE '' END AS description
  FROM spec
  CROSS JOIN LATERAL generate_series(1, 1 + ${hash('n', 26)} % 5) position
  CROSS JOIN LATERAL (SELECT n * 8 + position AS seed) place
  CROSS JOIN LATERAL (SELECT ${oneOf(GOODS, 'seed', 31)} AS goods,
    (1 + ${hash('seed', 34)} % 20) / 2.0 AS quantity,
    100 + ${hash('seed', 35)} % 30000 AS unit_amount,
    (ARRAY[19, 19, 19, 7, 0])[1 + ${hash('seed', 36)} % 5] AS rate) drawn`;

const EVENT = `
  SELECT account_id, ${uuidAt('at', `'event ' || n || '-' || step`)}, type, document_id, step,
    jsonb_strip_nulls(jsonb_build_object(
      'document', jsonb_build_object('id', public_id, 'kind', kind, 'number', number,
        'status', status, 'currency', currency, 'customer_id', customer_public, 'total', total,
        'amount_paid', so_far, 'amount_due', total - so_far,
        'version', least(step, 2 + payments)),
      'payment', told, 'previous_status', previous)), at, 'client', client, xact + step
  FROM (
    SELECT n, step, type, status, previous, at, so_far, NULL::jsonb AS told
    FROM document CROSS JOIN LATERAL (VALUES
      (1, 'document.created', 'draft', NULL, created_at, 0),
      (2, 'document.issued', 'open', 'draft', created_at, 0),
      (3 + payments, 'document.' || CASE fate WHEN 'void' THEN 'voided'
        WHEN 'uncollectible' THEN 'written_off' ELSE fate END, fate, 'open', fate_at, paid)
    ) history (step, type, status, previous, at, so_far)
    WHERE type IS NOT NULL
    UNION ALL
    SELECT n, 2 + part, 'payment.recorded', 'partially_paid', 'partially_paid', paid_at, so_far,
      jsonb_build_object('id', ${publicId('pay', bitsOf('payment_id'))}, 'amount', amount,
        'applied', amount, 'credited', 0, 'currency', currency, 'method', 'bank_transfer',
        'reference', number, 'note', null, 'paid_at', paid_at, 'recorded_at', paid_at)
    FROM payment
  ) steps JOIN document USING (n)`;

/** The accounts that each fact moves, of the chart and without their currency. */
const LEG = `
  SELECT n, 1 AS leg, account_id, xact + 2 AS xact, 'document.issued' AS fact, document_id AS fact_id,
    'receivables' AS debit, 'revenue' AS credit, net AS amount, currency, document_id, customer_id,
    issue_date AS effective_on, created_at AS at
  FROM document WHERE kind = 'invoice'
  UNION ALL
  SELECT n, 2, account_id, xact + 2, 'document.issued', document_id, 'receivables', 'tax_payable',
    tax, currency, document_id, customer_id, issue_date, created_at
  FROM document WHERE kind = 'invoice'
  UNION ALL
  SELECT n, 3, account_id, xact + 3, 'document.voided', document_id, 'revenue', 'receivables', net,
    currency, document_id, customer_id, fate_at::date, fate_at
  FROM document WHERE kind = 'invoice' AND fate = 'void'
  UNION ALL
  SELECT n, 4, account_id, xact + 3, 'document.voided', document_id, 'tax_payable', 'receivables',
    tax, currency, document_id, customer_id, fate_at::date, fate_at
  FROM document WHERE kind = 'invoice' AND fate = 'void'
  UNION ALL
  SELECT n, 5, account_id, xact + 3, 'document.written_off', document_id, 'bad_debt', 'receivables',
    total, currency, document_id, customer_id, fate_at::date, fate_at
  FROM document WHERE fate = 'uncollectible'
  UNION ALL
  SELECT n, 5 + part, account_id, xact, 'payment.recorded', payment_id, 'cash', 'receivables',
    amount, currency, document_id, customer_id, paid_at::date, paid_at
  FROM payment`;

/**
 * $1 and $2 the first and the last of the plan, $3 the present, $4 in how many payments a document is
 * paid. One statement, whose parts the
 * tables of the service take as they are: foreign keys and triggers are off meanwhile.
 */
export const INSERT_DOCUMENTS = `
  WITH spec AS MATERIALIZED (${SPEC}),
  line AS MATERIALIZED (${LINE}),
  tax_group AS MATERIALIZED (
    SELECT account_id, document_id, category, rate, sum(net)::bigint AS base,
      round(sum(net) * rate / 100)::bigint AS tax
    FROM line GROUP BY 1, 2, 3, 4),
  figures AS (
    SELECT document_id, sum(base)::bigint AS net, sum(tax)::bigint AS tax,
      sum(base + tax)::bigint AS total,
      json_agg(json_build_object('tax_category', category, 'tax_rate', rate::text,
        'base', base::text, 'tax', tax::text) ORDER BY rate DESC, category) AS shown_groups
    FROM tax_group GROUP BY 1),
  wording AS (
    SELECT document_id, string_agg(description, ' ') AS words,
      json_agg(json_build_object('line_id', line_id, 'position', position,
        'description', description, 'quantity', trim_scale(quantity)::text, 'unit', 'C62',
        'unit_amount', unit_amount::text, 'tax_category', category, 'tax_rate', rate::text,
        'amount', net::text, 'net', net::text, 'discounts', '[]'::json, 'charges', '[]'::json,
        'metadata', '{}'::json) ORDER BY position) AS shown_lines
    FROM line GROUP BY 1),
  document AS MATERIALIZED (
    SELECT spec.*, net, tax, total, words, shown_lines, shown_groups,
      CASE fate WHEN 'paid' THEN total WHEN 'partially_paid' THEN total * 2 / 5 ELSE 0 END AS paid,
      CASE WHEN fate IN ('paid', 'partially_paid') THEN $4::int ELSE 0 END AS payments
    FROM spec JOIN figures USING (document_id) JOIN wording USING (document_id)),
  payment AS MATERIALIZED (
    SELECT n, part, account_id, ${uuidAt('fate_at', `'payment ' || n || '-' || part`)} AS payment_id,
      document_id, customer_id, currency, paid * part / payments - paid * (part - 1) / payments
      AS amount, paid * part / payments AS so_far, number, fate_at AS paid_at, client_id,
      xact + 2 + part AS xact
    FROM document CROSS JOIN LATERAL generate_series(1, payments) part),
  inserted AS (
    INSERT INTO documents (account_id, document_id, kind, lifecycle, number_series, number,
      number_period, number_sequence, external_id, currency, customer_id,
      language, issue_date, due_date, payment_terms_days, lapses_at, purchase_order, payment_reference,
      subtotal, net_total, tax_total, total, amount_paid, settled_at, accepted_at, rejected_at,
      rejection_reason, rejected_version, voided_at, written_off_at, version, event_sequence,
      created_at, issued_at, updated_at, issued_xact)
    SELECT account_id, document_id, kind, CASE WHEN paid > 0 OR fate IS NULL THEN 'open' ELSE fate END,
      kind, number, period, sequence, external_id, currency, customer_id,
      'en', issue_date, issue_date + 30, 30, (issue_date + 31)::timestamp AT TIME ZONE 'UTC',
      purchase_order, CASE kind WHEN 'invoice' THEN creditor_reference(number, document_id) END,
      net, net, tax, total, paid,
      CASE fate WHEN 'paid' THEN fate_at END, CASE fate WHEN 'accepted' THEN fate_at END,
      CASE fate WHEN 'rejected' THEN fate_at END, CASE fate WHEN 'rejected' THEN 'Too dear' END,
      CASE fate WHEN 'rejected' THEN 2 END, CASE fate WHEN 'void' THEN fate_at END,
      CASE fate WHEN 'uncollectible' THEN fate_at END,
      CASE WHEN fate IS NULL THEN 2 WHEN paid > 0 THEN 2 + payments ELSE 3 END,
      CASE WHEN fate IS NULL THEN 2 ELSE 3 + payments END, created_at, created_at,
      CASE WHEN fate IS NULL THEN created_at ELSE fate_at END, xact + 2
    FROM document ORDER BY n),
  inserted_contents AS (
    INSERT INTO document_contents (account_id, document_id, seller, customer, metadata, discounts,
      charges, lines, tax_groups, search)
    SELECT account_id, document_id, seller, profile, '{}', '[]', '[]', shown_lines, shown_groups,
      array_to_tsvector(search_lexemes(account_id, concat_ws(' ', number, replace(number, '-', ''),
        sequence, external_id, replace(external_id, '-', ''), purchase_order,
        replace(purchase_order, '-', ''), profile->>'name', profile->>'email',
        profile->>'reference', words)))
    FROM document ORDER BY n),
  inserted_pending AS (
    INSERT INTO pending_documents (account_id, document_id, created_at, due_date, currency, total)
    SELECT account_id, document_id, created_at, issue_date + 30, currency, total
    FROM document WHERE fate IS NULL OR fate = 'partially_paid'),
  inserted_lines AS (
    INSERT INTO document_lines (account_id, document_id, line_id, position, description,
      quantity, unit_amount, tax_category, tax_rate, amount, net)
    SELECT account_id, document_id, line_id, position, description, quantity, unit_amount,
      category, rate, net, net
    FROM line ORDER BY n, position),
  inserted_groups AS (
    INSERT INTO document_tax_groups (account_id, document_id, tax_category, tax_rate, base, tax)
    SELECT account_id, document_id, category, rate, base, tax
    FROM tax_group),
  inserted_payments AS (
    INSERT INTO payments (account_id, payment_id, document_id, customer_id, currency, amount,
      applied, method, reference, metadata, paid_at, recorded_at, client_id, xact)
    SELECT account_id, payment_id, document_id, customer_id, currency, amount, amount,
      'bank_transfer', number, '{}', paid_at, paid_at, client_id, xact
    FROM payment),
  inserted_transfers AS (
    INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount, currency,
      document_id, customer_id, effective_on, recorded_at, xact)
    SELECT account_id, ${uuidAt('at', `'transfer ' || n || '-' || leg`)}, fact, fact_id,
      debit || '/' || currency, credit || '/' || currency, amount, currency, document_id,
      customer_id, effective_on, at, xact
    FROM (${LEG}) legs WHERE amount > 0)
  INSERT INTO events (account_id, event_id, type, document_id, sequence, data, occurred_at,
    actor_type, actor_id, xact) ${EVENT}`;
