import { Injectable } from '@nestjs/common';
import { taxPartsOf } from '../../documents/sql.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { type SnapshotRead, Snapshots } from '../../platform/database/snapshots.js';
import { billed } from './billed-sql.js';
import type { Days } from '../domain/period.js';
import type { TaxLine } from '../domain/tax-report.js';

/** The method of the invoices of a day, as `vatMethodOn` has it. $1 is the account. */
const methodOn = (day: string) => `coalesce((SELECT v.method FROM vat_methods v
  WHERE v.account_id = $1 AND v.from_day <= ${day} ORDER BY v.method_id DESC LIMIT 1), 'accrual')`;

const isOn = (side: string, accounts: readonly string[]) =>
  `split_part(${side}, '/', 1) IN (${accounts.map((account) => `'${account}'`).join(', ')})`;

/** The claims on a client, and what beside money changes them. */
const CLAIMS = ['receivables', 'rejected_receivables', 'bad_debt'];
const NO_MONEY = [
  ...CLAIMS,
  'payment_differences',
  'credit_notes',
  'revenue',
  'tax_payable',
  'rounding',
];

/** Each invoice and credit note with the day on which it was issued or void: of the period. */
const ISSUED = billed('account_id = $1 AND effective_on BETWEEN $2::date AND $3::date');
/** The same of all days until its end, of the customers of `cash`: their transfers have an index. */
const ISSUED_UNTIL = billed(`account_id = $1 AND effective_on <= $3::date
  AND customer_id IN (SELECT customer_id FROM cash)`);

/** By invoice: a credit note follows its own, and one without an invoice is due as it is issued. */
const METHOD_OF = `CASE WHEN d.kind = 'credit_note' AND d.origin IS DISTINCT FROM 'credit'
  THEN 'accrual' ELSE ${methodOn('coalesce(o.issue_date, d.issue_date)')} END`;

const WITH_INVOICE = `LEFT JOIN documents o ON d.origin = 'credit' AND o.account_id = d.account_id
  AND o.document_id = d.origin_document_id`;

/** Of the customer of `documents d`. */
const COUNTRY = `(SELECT c.customer->>'country' FROM document_contents c
  WHERE c.account_id = d.account_id AND c.document_id = d.document_id)`;

const INVOICED = `
  SELECT d.currency, ${COUNTRY} AS country, g.tax_category, g.tax_rate,
    sum(i.sign * g.base) AS base, sum(i.sign * g.tax) AS tax, 0 AS relief
  FROM (${ISSUED}) i JOIN documents d ON d.account_id = $1 AND d.document_id = i.fact_id
  ${WITH_INVOICE}
  JOIN document_tax_groups g ON g.account_id = $1 AND g.document_id = d.document_id
  WHERE ${METHOD_OF} = 'accrual' GROUP BY 1, 2, 3, 4
  UNION ALL
  SELECT d.currency, ${COUNTRY}, r.tax_category, r.tax_rate, -sum(r.base), -sum(r.tax),
    sum(r.tax)
  FROM tax_reliefs r JOIN documents d USING (account_id, document_id)
  WHERE r.account_id = $1 AND r.effective_on BETWEEN $2::date AND $3::date
    AND ${methodOn('d.issue_date')} = 'accrual' GROUP BY 1, 2, 3, 4`;

/**
 * Invoices whose tax is due as they are paid, at the end of the day before and of the last day. An
 * account that never chose that has its documents not read for it.
 */
const cashInvoices = (which: string) => `
  SELECT d.document_id, d.customer_id, d.currency, ${COUNTRY} AS country, d.total, ends.day,
    ends.sign
  FROM documents d
  CROSS JOIN (VALUES ($2::date - 1, -1), ($3::date, 1)) AS ends (day, sign)
  WHERE d.account_id = $1 AND d.kind = 'invoice' AND d.issued_at IS NOT NULL
    AND EXISTS (SELECT FROM vat_methods v WHERE v.account_id = $1 AND v.method = 'cash')
    AND ${methodOn('d.issue_date')} = 'cash' AND ${which}`;

/** By themselves or by a credit note: others are the same at both ends. */
const IS_MOVED = `d.document_id IN (
  SELECT CASE m.origin WHEN 'credit' THEN m.origin_document_id ELSE m.document_id END
  FROM transfers t JOIN documents m ON m.account_id = $1 AND m.document_id = t.document_id
  WHERE t.account_id = $1 AND t.effective_on BETWEEN $2::date AND $3::date)`;

/** By invoice and end: money that came for it, less what went back. */
const KEPT = `
  SELECT t.document_id, c.day, sum(CASE WHEN ${isOn('t.credit', CLAIMS)} THEN t.amount
    ELSE -t.amount END) AS kept
  FROM cash c JOIN transfers t ON t.account_id = $1 AND t.customer_id = c.customer_id
    AND t.document_id = c.document_id AND t.effective_on <= c.day
  WHERE ${isOn('t.credit', CLAIMS)} AND NOT ${isOn('t.debit', NO_MONEY)}
    OR ${isOn('t.debit', CLAIMS)} AND NOT ${isOn('t.credit', NO_MONEY)}
  GROUP BY 1, 2`;

/** By invoice and end: the credit notes that stand. */
const CREDITED = `
  SELECT c.document_id, c.day, n.document_id AS note_id, n.total
  FROM cash c JOIN documents n ON n.account_id = $1 AND n.origin_document_id = c.document_id
    AND n.origin = 'credit'
  JOIN (${ISSUED_UNTIL}) i ON i.fact_id = n.document_id AND i.day <= c.day
  GROUP BY 1, 2, 3, 4 HAVING sum(-i.sign) > 0`;

const CASH_KEY = 'document_id, sign, currency, country';

/** The taxes that credit notes left of each invoice, with the part of them that is paid. */
const CASH_TAXES = `
  SELECT c.document_id, c.sign, c.currency, c.country, g.tax_category, g.tax_rate,
    g.base - coalesce(n.base, 0) AS base, g.tax - coalesce(n.tax, 0) AS tax,
    coalesce(k.kept, 0) AS part, c.total - coalesce(w.total, 0) AS whole
  FROM cash c JOIN document_tax_groups g ON g.account_id = $1 AND g.document_id = c.document_id
  LEFT JOIN kept k ON (k.document_id, k.day) = (c.document_id, c.day)
  LEFT JOIN (SELECT document_id, day, sum(total) AS total FROM credited GROUP BY 1, 2) w
    ON (w.document_id, w.day) = (c.document_id, c.day)
  LEFT JOIN (
    SELECT e.document_id, e.day, m.tax_category, m.tax_rate, sum(m.base) AS base, sum(m.tax) AS tax
    FROM credited e JOIN document_tax_groups m ON m.account_id = $1 AND m.document_id = e.note_id
    GROUP BY 1, 2, 3, 4
  ) n ON (n.document_id, n.day, n.tax_category, n.tax_rate)
    = (c.document_id, c.day, g.tax_category, g.tax_rate)`;

/** The taxes in what is paid of each invoice, at both ends. */
const paid = (which: string) => `
  WITH cash AS MATERIALIZED (${cashInvoices(which)}), kept AS (${KEPT}), credited AS (${CREDITED}),
    paid AS (${taxPartsOf(CASH_TAXES, CASH_KEY)})`;

const line = (method: string, from: string) => `
  SELECT '${method}' AS method, currency, country, tax_category AS category,
    trim_scale(tax_rate)::text AS rate, sum(base)::bigint AS base, sum(tax)::bigint AS tax,
    sum(relief)::bigint AS relief
  FROM (${from}) lines GROUP BY currency, country, tax_category, tax_rate
  HAVING sum(base) <> 0 OR sum(tax) <> 0 OR sum(relief) <> 0
  ORDER BY currency, country NULLS FIRST, tax_rate DESC, tax_category`;

/** Tax that is booked for these invoices and their credit notes, less what is due for payments. */
const NOT_DUE = `
  SELECT currency, (booked - due)::bigint AS amount FROM (
    SELECT c.currency, sum(CASE WHEN ${isOn('t.credit', ['tax_payable'])} THEN t.amount
      ELSE -t.amount END) AS booked
    FROM transfers t JOIN documents d ON d.account_id = $1 AND d.document_id = t.document_id
    JOIN cash c ON c.sign = 1 AND c.document_id = CASE d.origin WHEN 'credit'
      THEN d.origin_document_id ELSE d.document_id END
    WHERE t.account_id = $1 AND t.effective_on <= $3::date
      AND (${isOn('t.credit', ['tax_payable'])} OR ${isOn('t.debit', ['tax_payable'])})
    GROUP BY 1
  ) b JOIN (SELECT currency, sum(tax) AS due FROM paid WHERE sign = 1 GROUP BY 1) p
    USING (currency)
  WHERE booked <> due`;

const CASH_LINES = `SELECT currency, country, tax_category, tax_rate, sign * base AS base,
  sign * tax AS tax, 0 AS relief FROM paid`;

/** Tax that is due, from the ledger and the tax groups of documents: no locks. */
@Injectable()
export class TaxReportQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** Both days belong to it. */
  async read(
    accountId: Uuid,
    from: IsoDate,
    to: IsoDate,
  ): Promise<{ lines: TaxLine[]; notDue: Map<Currency, bigint> }> {
    const values = [accountId, from, to];
    return this.snapshots.run(async (read) => {
      const lines = await linesOf(read, values);
      const notDue = await read<{ currency: Currency; amount: bigint }>(
        `${paid('true')} ${NOT_DUE}`,
        values,
      );
      return { lines, notDue: new Map(notDue.map(({ currency, amount }) => [currency, amount])) };
    });
  }

  /** The lines of each of some times, as they all stand at one moment. */
  async readEach(accountId: Uuid, times: readonly Days[]): Promise<TaxLine[][]> {
    return this.snapshots.run(async (read) => {
      const found: TaxLine[][] = [];
      for (const { from, to } of times) found.push(await linesOf(read, [accountId, from, to]));
      return found;
    });
  }
}

async function linesOf(read: SnapshotRead, values: unknown[]): Promise<TaxLine[]> {
  const accrual = await read<TaxLine>(line('accrual', INVOICED), values);
  const cash = await read<TaxLine>(`${paid(IS_MOVED)} ${line('cash', CASH_LINES)}`, values);
  return [...accrual, ...cash];
}
