import { Injectable } from '@nestjs/common';
import { type IdPrefix, publicId, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';

/** Something that is stored in two ways which do not agree. Amounts in minor units. */
export interface Difference {
  check: string;
  id: string;
  stored: string;
  derived: string;
}

interface Check {
  name: string;
  prefix: IdPrefix;
  /** Rows `id, stored, derived` where the two differ. */
  sql: string;
}

const CHECKS: Check[] = [
  {
    name: 'document amount_paid is the sum of its payments',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.amount_paid AS stored, coalesce(p.applied, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(applied) AS applied FROM payments GROUP BY 1, 2
      ) p USING (account_id, document_id)
      WHERE d.amount_paid <> coalesce(p.applied, 0)`,
  },
  {
    name: 'document subtotal is the sum of its lines',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.subtotal AS stored, coalesce(l.net, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(net) AS net FROM document_lines GROUP BY 1, 2
      ) l USING (account_id, document_id)
      WHERE d.subtotal <> coalesce(l.net, 0)`,
  },
  {
    name: 'document tax_total is the sum of its tax groups',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.tax_total AS stored, coalesce(g.tax, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(tax) AS tax FROM document_tax_groups GROUP BY 1, 2
      ) g USING (account_id, document_id)
      WHERE d.tax_total <> coalesce(g.tax, 0)`,
  },
  {
    name: 'document net_total is the sum of the bases of its tax groups',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.net_total AS stored, coalesce(g.base, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, sum(base) AS base FROM document_tax_groups GROUP BY 1, 2
      ) g USING (account_id, document_id)
      WHERE d.net_total <> coalesce(g.base, 0)`,
  },
  {
    name: 'tax is its base times its rate, or its part of the gross, rounded half up',
    prefix: 'doc',
    sql: `SELECT document_id AS id, g.tax AS stored, due.tax AS derived
      FROM document_tax_groups g JOIN documents d USING (account_id, document_id)
      CROSS JOIN LATERAL (SELECT round(CASE WHEN d.prices_include_tax
        THEN (g.base + g.tax) * g.tax_rate / (100 + g.tax_rate)
        ELSE g.base * g.tax_rate / 100 END) AS tax) due
      WHERE g.tax <> due.tax`,
  },
  {
    name: 'what is credited on an invoice is the sum of its credit notes',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.amount_credited || ' of ' || d.credit_notes_total AS stored,
        coalesce(c.applied, 0) || ' of ' || coalesce(c.total, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, origin_document_id AS document_id, sum(amount_applied) AS applied,
          sum(total) AS total
        FROM documents WHERE origin = 'credit' AND lifecycle = 'open' GROUP BY 1, 2
      ) c USING (account_id, document_id)
      WHERE (d.amount_credited, d.credit_notes_total)
        IS DISTINCT FROM (coalesce(c.applied, 0), coalesce(c.total, 0))`,
  },
  {
    name: 'what a credit note did not apply is customer credit',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, coalesce(c.amount, 0) AS stored, due.amount AS derived
      FROM documents d
      CROSS JOIN LATERAL (SELECT CASE d.lifecycle WHEN 'open'
        THEN d.total - d.amount_applied ELSE 0 END AS amount) due
      LEFT JOIN (
        SELECT account_id, credit_note_id AS document_id, sum(amount) AS amount
        FROM customer_credits WHERE credit_note_id IS NOT NULL GROUP BY 1, 2
      ) c USING (account_id, document_id)
      WHERE d.kind = 'credit_note' AND coalesce(c.amount, 0) <> due.amount`,
  },
  {
    name: 'a customer balance is the sum of the customer credits',
    prefix: 'cus',
    sql: `SELECT customer_id AS id, b.credit AS stored, c.amount AS derived
      FROM customer_balances b FULL JOIN (
        SELECT account_id, customer_id, currency, sum(amount) AS amount
        FROM customer_credits GROUP BY 1, 2, 3
      ) c USING (account_id, customer_id, currency)
      WHERE b.credit IS DISTINCT FROM c.amount`,
  },
  {
    name: 'what a payment did not apply is customer credit',
    prefix: 'pay',
    sql: `SELECT p.payment_id AS id, coalesce(c.amount, 0) AS stored, due.amount AS derived
      FROM payments p
      CROSS JOIN LATERAL (SELECT CASE WHEN p.method = 'credit_balance' AND p.gateway IS NULL
        THEN -p.amount ELSE p.amount - p.applied END AS amount) due
      LEFT JOIN customer_credits c USING (account_id, payment_id)
      WHERE coalesce(c.amount, 0) <> due.amount`,
  },
  {
    name: 'customer credit is never below zero',
    prefix: 'cus',
    sql: `SELECT customer_id AS id, sum(amount) AS stored, 0 AS derived FROM customer_credits
      GROUP BY account_id, customer_id, currency HAVING sum(amount) < 0`,
  },
  {
    name: 'a payment link is paid when a payment came through it',
    prefix: 'plink',
    sql: `SELECT l.payment_link_id AS id, l.status AS stored,
        CASE WHEN p.payment_link_id IS NULL THEN 'not paid' ELSE 'paid' END AS derived
      FROM payment_links l LEFT JOIN (
        SELECT DISTINCT account_id, payment_link_id FROM payments
      ) p USING (account_id, payment_link_id)
      WHERE (l.status = 'paid') <> (p.payment_link_id IS NOT NULL)`,
  },
  {
    name: 'a provider payment and its receipt agree',
    prefix: 'pay',
    sql: `SELECT p.payment_id AS id, p.amount AS stored, coalesce(r.amount, 0) AS derived
      FROM payments p LEFT JOIN provider_receipts r
        ON r.account_id = p.account_id AND r.payment_id = p.payment_id
      WHERE p.gateway IS NOT NULL
        AND (p.amount, p.currency, p.gateway, p.provider_payment_id) IS DISTINCT FROM
          (r.amount, r.currency, r.gateway, r.provider_payment_id)`,
  },
  {
    name: 'a number series has no gap',
    prefix: 'acc',
    sql: `SELECT account_id AS id, format('%s %s: %s to %s', series, period, c.first, c.last) AS stored,
        format('%s numbers, %s to %s', coalesce(d.found, 0), d.first, d.last) AS derived
      FROM (
        SELECT account_id, series, period, first_sequence AS first, last_sequence AS last
        FROM number_counters WHERE last_sequence >= first_sequence
      ) c FULL JOIN (
        SELECT account_id, number_series AS series, number_period AS period, count(*) AS found,
          count(DISTINCT number_sequence) AS distinct_found,
          min(number_sequence) AS first, max(number_sequence) AS last
        FROM documents WHERE number_sequence IS NOT NULL GROUP BY 1, 2, 3
      ) d USING (account_id, series, period)
      WHERE (c.first, c.last, c.last - c.first + 1, c.last - c.first + 1)
        IS DISTINCT FROM (d.first, d.last, d.found, d.distinct_found)`,
  },
  {
    name: 'a document has an event for each step of its history',
    prefix: 'doc',
    sql: `SELECT d.document_id AS id, d.event_sequence AS stored, coalesce(e.events, 0) AS derived
      FROM documents d LEFT JOIN (
        SELECT account_id, document_id, count(*) AS events FROM events GROUP BY 1, 2
      ) e USING (account_id, document_id)
      WHERE d.event_sequence <> coalesce(e.events, 0)`,
  },
];

/** Derives every balance again from the facts; a healthy database has no differences. */
@Injectable()
export class IntegrityQuery {
  constructor(private readonly database: Database) {}

  /** Reads one snapshot, so that payments arriving meanwhile are no difference. */
  async differences(): Promise<{ checks: number; differences: Difference[] }> {
    const client = await this.database.connect();
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await client.query('SET LOCAL statement_timeout = 0');
      const differences: Difference[] = [];
      for (const check of CHECKS) {
        const { rows } = await client.query<{ id: Uuid; stored: string; derived: string }>(
          check.sql,
        );
        for (const row of rows) {
          const id = publicId(check.prefix, row.id);
          const { stored, derived } = row;
          differences.push({ check: check.name, id, stored: `${stored}`, derived: `${derived}` });
        }
      }
      return { checks: CHECKS.length, differences };
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  }
}
