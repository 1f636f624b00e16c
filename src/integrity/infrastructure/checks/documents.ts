import { skippedNumbers } from '../../../documents/sql.js';
import { type IntegrityCheck, ours } from './integrity-check.js';

/** The columns of a row that its document says for all of its rows. */
const OF_DOCUMENT = "'{account_id,document_id}'::text[]";

/** The sums, taxes, numbers and histories that documents store. */
export const DOCUMENT_CHECKS: readonly IntegrityCheck[] = [
  {
    name: 'document subtotal is the sum of its lines',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.subtotal AS stored, coalesce(l.net, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(net) AS net FROM document_lines l
        WHERE ${ours('l')} GROUP BY 1, 2
      ) l USING (account_id, document_id)
      WHERE ${ours('d')} AND d.subtotal <> coalesce(l.net, 0)`,
  },
  {
    name: 'a line is its quantity times its price, rounded half up, with its discounts and charges',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('line %s: %s', l.position, l.amount) AS stored,
        format('line %s: %s', l.position, due.amount) AS derived
      FROM document_lines l CROSS JOIN LATERAL (SELECT CASE
          WHEN l.details->>'price_base_quantity' IS NULL THEN round(l.quantity * l.unit_amount)
          ELSE sign(l.quantity) * div(2 * abs(l.quantity) * l.unit_amount
              + (l.details->>'price_base_quantity')::numeric,
            2 * (l.details->>'price_base_quantity')::numeric) END
        - CASE WHEN l.discounts = '[]' THEN 0 ELSE (SELECT coalesce(sum((one->>'amount')::numeric), 0)
            FROM jsonb_array_elements(l.discounts) one) END
        + CASE WHEN l.charges = '[]' THEN 0 ELSE (SELECT coalesce(sum((one->>'amount')::numeric), 0)
            FROM jsonb_array_elements(l.charges) one) END AS amount) due
      WHERE ${ours('l')} AND l.amount <>
        coalesce((l.details->>'issued_net_amount_decimal')::numeric, due.amount)`,
  },
  {
    name: 'the totals of a document add up, and only credit notes are applied',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('net %s, total %s, applied %s, moved %s', d.net_total, d.total,
          d.amount_applied, d.amount_moved) AS stored,
        format('net %s, total %s', due.net, due.total) AS derived
      FROM documents d CROSS JOIN LATERAL (SELECT
        d.subtotal - d.discount_total + d.charge_total AS net,
        d.net_total + d.tax_total + d.rounding AS total) due
      WHERE ${ours('d')} AND (d.net_total <> due.net OR d.total <> due.total
        OR (d.amount_applied, d.amount_moved) <> (0, 0) AND d.origin IS DISTINCT FROM 'credit')`,
  },
  {
    name: 'document tax_total and net_total are the sums of its tax groups',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('%s and %s', d.tax_total, d.net_total) AS stored,
        format('%s and %s', coalesce(g.tax, 0), coalesce(g.base, 0)) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(tax) AS tax, sum(base) AS base
        FROM document_tax_groups g WHERE ${ours('g')} GROUP BY 1, 2
      ) g USING (account_id, document_id)
      WHERE ${ours('d')}
        AND (d.tax_total <> coalesce(g.tax, 0) OR d.net_total <> coalesce(g.base, 0))`,
  },
  {
    name: 'tax is its base times its rate, or its part of the gross, rounded half up',
    prefix: 'doc',
    sql: `SELECT document_id AS id, g.tax AS stored, due.tax AS derived
      FROM document_tax_groups g JOIN documents d USING (account_id, document_id)
      CROSS JOIN LATERAL (SELECT round(CASE WHEN d.prices_include_tax
        THEN (g.base + g.tax) * g.tax_rate / (100 + g.tax_rate)
        ELSE g.base * g.tax_rate / 100 END) AS tax) due
      WHERE ${ours('d')} AND ${ours('g')} AND g.tax <> due.tax AND d.origin IS DISTINCT FROM 'credit'
        AND NOT EXISTS (SELECT FROM document_contents c
          CROSS JOIN jsonb_array_elements(c.details->'issued_taxes') one
          WHERE (c.account_id, c.document_id) = (g.account_id, g.document_id)
            AND (one->>'tax_rate')::numeric = g.tax_rate AND (one->>'tax_amount')::bigint = g.tax
            AND coalesce(one->>'tax_category', CASE WHEN g.tax_rate = 0 THEN 'Z' ELSE 'S' END)
              = g.tax_category)`,
  },
  {
    // As running totals: a note that was voided in between may leave a cent more or less to others.
    name: 'the tax of a credit note is its part of the tax of its invoice, to the cent',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, g.tax AS stored, round(due.tax, 2) AS derived
      FROM document_tax_groups g JOIN documents d USING (account_id, document_id)
      LEFT JOIN document_tax_groups i ON i.account_id = d.account_id
        AND i.document_id = d.origin_document_id
        AND (i.tax_category, i.tax_rate) = (g.tax_category, g.tax_rate)
      CROSS JOIN LATERAL (SELECT (g.base + g.tax) * i.tax::numeric / nullif(i.base + i.tax, 0) AS tax) due
      WHERE ${ours('d')} AND ${ours('g')} AND d.origin = 'credit' AND (i.tax IS NULL
        OR abs(g.tax - coalesce(due.tax, 0)) > 1 + (SELECT count(*) FROM documents v
          WHERE v.account_id = d.account_id AND v.origin_document_id = d.origin_document_id
            AND v.origin = 'credit' AND v.lifecycle = 'void'))`,
  },
  {
    name: 'what is credited on an invoice is the sum of its credit notes',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.amount_credited || ' of ' || d.credit_notes_total AS stored,
        coalesce(c.applied, 0) || ' of ' || coalesce(c.total, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, origin_document_id AS document_id, sum(amount_applied + amount_moved) AS applied,
          sum(total) AS total
        FROM documents n WHERE origin = 'credit' AND lifecycle = 'open' AND ${ours('n')}
        GROUP BY 1, 2
      ) c USING (account_id, document_id)
      WHERE ${ours('d')} AND (d.amount_credited <> coalesce(c.applied, 0)
        OR d.credit_notes_total <> coalesce(c.total, 0))`,
  },
  {
    name: 'a number series has no gap but for what was skipped',
    prefix: 'acc',
    sql: `SELECT account_id AS id,
        format('%s %s: %s to %s', series, period, c.first, c.last) AS stored,
        format('%s numbers, %s to %s', coalesce(d.found, 0), d.first, d.last) AS derived
      FROM (
        SELECT account_id, series, period, first_sequence AS first, last_sequence AS last
        FROM number_counters c WHERE last_sequence >= first_sequence AND ${ours('c')}
      ) c FULL JOIN (
        SELECT account_id, series, period, sum(found) AS found, sum(different) AS different,
          min(first) AS first, max(last) AS last
        FROM (
          SELECT account_id, number_series AS series, number_period AS period, count(*) AS found,
            count(DISTINCT number_sequence) AS different, min(number_sequence) AS first,
            max(number_sequence) AS last
          FROM documents d WHERE number_sequence IS NOT NULL AND ${ours('d')} GROUP BY 1, 2, 3
          UNION ALL
          SELECT account_id, series, period, last - first + 1, last - first + 1, first, last
          FROM (${skippedNumbers(ours('s'))}) skipped
        ) given GROUP BY 1, 2, 3
      ) d USING (account_id, series, period)
      WHERE (c.first, c.last, c.last - c.first + 1, c.last - c.first + 1)
        IS DISTINCT FROM (d.first, d.last, d.found, d.different)`,
  },
  {
    name: 'a document has an event for each step of its history',
    prefix: 'doc',
    sql: `SELECT document_id AS id,
        format('%s steps, %s', coalesce(d.event_sequence, 0), d.lifecycle) AS stored,
        format('%s steps up to %s, %s', coalesce(e.events, 0), coalesce(e.last, 0), e.lifecycle)
          AS derived
      FROM (SELECT account_id, document_id, kind, lifecycle, event_sequence FROM documents d
        WHERE ${ours('d')}) d FULL JOIN (
        SELECT account_id, document_id, count(*) AS events, max(sequence) AS last,
          bool_or(type LIKE '%.deleted') AS deleted,
          CASE WHEN bool_or(type LIKE '%.voided') THEN 'void'
            WHEN count(*) FILTER (WHERE type = 'document.written_off')
              > count(*) FILTER (WHERE type = 'document.write_off_reversed') THEN 'uncollectible'
            WHEN bool_or(type = 'document.rejected') THEN 'rejected'
            WHEN bool_or(type LIKE '%.issued') THEN 'open' ELSE 'draft' END AS lifecycle
        FROM events e WHERE document_id IS NOT NULL AND ${ours('e')} GROUP BY 1, 2
      ) e USING (account_id, document_id)
      WHERE e.deleted IS NOT TRUE AND (coalesce(d.event_sequence, 0) <> coalesce(e.events, 0)
        OR coalesce(d.event_sequence, 0) <> coalesce(e.last, 0)
        OR d.kind <> 'quote' AND d.lifecycle <> e.lifecycle)`,
  },
  {
    name: 'a PDF has the SHA-256 that it was stored with',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('%s: %s', language, encode(p.sha256, 'hex')) AS stored,
        format('%s: %s', language, encode(sha256(p.pdf), 'hex')) AS derived
      FROM document_pdfs p WHERE ${ours('p')} AND p.sha256 <> sha256(p.pdf)`,
  },
  {
    name: 'an e-invoice has the SHA-256 that it was stored with',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('%s: %s', profile, encode(e.sha256, 'hex')) AS stored,
        format('%s: %s', profile, encode(sha256(e.xml), 'hex')) AS derived
      FROM e_invoices e WHERE ${ours('e')} AND e.sha256 <> sha256(e.xml)`,
  },
  {
    name: 'a document has the files that it says, and no others, with the bytes that it says',
    prefix: 'doc',
    // Bytes that the store of files has are looked at there: `cli files verify`.
    sql: `SELECT document_id AS id,
        coalesce(sha256 || ': ' || said.size, 'no such attachment') AS stored,
        coalesce(sha256 || ': ' || kept.size, 'no such file') AS derived
      FROM (
        SELECT account_id, document_id, one->>'sha256' AS sha256, one->>'size' AS size
        FROM document_contents c, jsonb_array_elements(c.details->'attachments') one
        WHERE ${ours('c')} AND one ? 'sha256'
      ) said FULL JOIN (
        SELECT account_id, document_id,
          CASE WHEN f.sha256 <> sha256(f.content) THEN 'other bytes than its key says'
            ELSE encode(f.sha256, 'hex') END AS sha256,
          coalesce(length(f.content)::text, 'in the store') AS size
        FROM attachment_files f WHERE ${ours('f')}
      ) kept USING (account_id, document_id, sha256)
      WHERE said.size IS NULL OR kept.size IS NULL
        OR kept.size NOT IN (said.size, 'in the store')`,
  },
  {
    name: 'a document has an event at the time of each step that it says it took',
    prefix: 'doc',
    sql: `SELECT document_id AS id, format('%s %s', step.name, step.at) AS stored,
        'no event of that minute' AS derived
      FROM documents d CROSS JOIN LATERAL (VALUES
        ('accepted_at', d.accepted_at, '%.accepted'),
        ('rejected_at', d.rejected_at, '%.rejected'),
        ('voided_at', d.voided_at, '%.voided'),
        ('written_off_at', d.written_off_at, '%.written_off'),
        ('settled_at', d.settled_at, '%')) AS step (name, at, type)
      WHERE ${ours('d')} AND step.at IS NOT NULL AND NOT EXISTS (
        SELECT FROM events e WHERE (e.account_id, e.document_id) = (d.account_id, d.document_id)
          AND e.type LIKE step.type AND e.occurred_at
            BETWEEN step.at - interval '1 minute' AND step.at + interval '1 minute')`,
  },
  {
    name: 'a document has words, and shows the lines that it has',
    prefix: 'doc',
    sql: `SELECT document_id AS id, left(c.lines::text, 1000) AS stored,
        left(coalesce(l.lines, '[]')::text, 1000) AS derived
      FROM documents d LEFT JOIN document_contents c USING (account_id, document_id) LEFT JOIN (
        SELECT account_id, document_id, jsonb_agg(to_jsonb(l) - ${OF_DOCUMENT} || jsonb_build_object(
            'quantity', trim_scale(quantity)::text, 'unit_amount', trim_scale(unit_amount)::text,
            'tax_rate', trim_scale(tax_rate)::text, 'amount', amount::text, 'net', net::text)
            ORDER BY position) AS lines
        FROM document_lines l WHERE ${ours('l')} GROUP BY 1, 2
      ) l USING (account_id, document_id)
      WHERE ${ours('d')} AND jsonb_strip_nulls(c.lines::jsonb)
          IS DISTINCT FROM jsonb_strip_nulls(coalesce(l.lines, '[]'))`,
  },
  {
    name: 'a document shows the taxes that it has',
    prefix: 'doc',
    sql: `SELECT document_id AS id, c.tax_groups::text AS stored,
        coalesce(g.groups, '[]')::text AS derived
      FROM document_contents c LEFT JOIN (
        SELECT account_id, document_id, jsonb_agg(to_jsonb(g) - ${OF_DOCUMENT} || jsonb_build_object(
            'tax_rate', trim_scale(tax_rate)::text, 'base', base::text, 'tax', tax::text)
            ORDER BY tax_rate DESC, tax_category) AS groups
        FROM document_tax_groups g WHERE ${ours('g')} GROUP BY 1, 2
      ) g USING (account_id, document_id)
      WHERE ${ours('c')} AND c.tax_groups::jsonb
          IS DISTINCT FROM jsonb_strip_nulls(coalesce(g.groups, '[]'))`,
  },
  {
    name: 'pending documents are those that are open and not settled',
    prefix: 'doc',
    sql: `SELECT coalesce(p.document_id, d.document_id) AS id, p::text AS stored, d::text AS derived
      FROM (SELECT account_id, document_id, created_at, due_date, currency, total
        FROM pending_documents p WHERE ${ours('p')}) p FULL JOIN (
        SELECT account_id, document_id, created_at, coalesce(due_date, '9999-12-31') AS due_date,
          currency, total
        FROM documents d WHERE ${ours('d')} AND lifecycle = 'open' AND settled_at IS NULL
      ) d USING (account_id, document_id)
      WHERE p::text IS DISTINCT FROM d::text`,
  },
  {
    name: 'a document was updated when its last event happened',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.updated_at::text AS stored, e.occurred_at::text AS derived
      FROM documents d JOIN events e USING (account_id, document_id)
      WHERE ${ours('d')} AND e.sequence = d.event_sequence AND d.updated_at NOT
        BETWEEN e.occurred_at - interval '1 minute' AND e.occurred_at + interval '1 minute'`,
  },
  {
    name: 'the reason of a rejection is the one that its event tells',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.rejection_reason AS stored, e.reason AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, e.data->'document' ? 'rejection_reason' AS tells,
          e.data->'document'->>'rejection_reason' AS reason
        FROM events e WHERE type LIKE '%.rejected' AND ${ours('e')}
      ) e USING (account_id, document_id)
      WHERE ${ours('d')} AND d.rejection_reason IS NOT NULL
        AND (e.tells IS NULL OR e.tells AND d.rejection_reason <> e.reason)`,
  },
  {
    name: 'a quote was accepted by the one whom its event names',
    prefix: 'doc',
    sql: `SELECT document_id AS id, d.accepted_by AS stored, e.accepted_by AS derived
      FROM documents d LEFT JOIN (
        SELECT DISTINCT ON (account_id, document_id) account_id, document_id,
          e.data->>'by' AS accepted_by
        FROM events e WHERE type LIKE '%.accepted' AND ${ours('e')}
        ORDER BY account_id, document_id, sequence DESC
      ) e USING (account_id, document_id)
      WHERE ${ours('d')} AND d.accepted_by IS NOT NULL
        AND d.accepted_by IS DISTINCT FROM e.accepted_by`,
  },
];
