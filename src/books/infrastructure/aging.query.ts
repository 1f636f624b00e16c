import { Injectable } from '@nestjs/common';
import { DUE, REFUNDED_SQL } from '../../documents/sql.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { type SnapshotRead, Snapshots } from '../../platform/database/snapshots.js';
import { type AgedBalance, type AgedCustomer, type AgedDocument, AGES } from '../domain/aging.js';
import { CLAIMS, IS_OF_CLAIMS } from './claims-sql.js';
import { claimsUntil, summedThrough } from './summed-transfers.js';

export interface AgingFilter {
  /** The end of this day, by the days that transfers count for. */
  date: IsoDate;
  currency?: Currency;
  customerId?: Uuid;
}

/** The place of a customer's line: one for each currency. */
export interface CustomerPlace {
  customerId: Uuid;
  currency: Currency;
}

export interface DocumentPlace {
  customerId: Uuid;
  documentId: Uuid;
}

/** Lines that an export reads at once. */
const LINES_AT_ONCE = 1000;

/**
 * Receivables by age. Customers come in the order of their ids. An index has the transfers in that
 * order, so that a page reads those of its own customers only.
 */
@Injectable()
export class AgingQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** A page of customers; on the first one also the totals. */
  async customers(
    accountId: Uuid,
    filter: AgingFilter,
    after: CustomerPlace | null,
    count: number,
  ): Promise<{ lines: AgedCustomer[]; totals: AgedBalance[] | null }> {
    return this.snapshots.run(async (read) => ({
      lines: await customersIn(read, accountId, filter, after, count),
      totals: after ? null : await totalsIn(read, accountId, filter),
    }));
  }

  async documents(
    accountId: Uuid,
    filter: AgingFilter,
    after: DocumentPlace | null,
    count: number,
  ): Promise<{ lines: AgedDocument[]; totals: AgedBalance[] | null }> {
    return this.snapshots.run(async (read) => ({
      lines: await documentsIn(read, accountId, filter, after, count),
      totals: after ? null : await totalsIn(read, accountId, filter),
    }));
  }

  allCustomers(accountId: Uuid, filter: AgingFilter): AsyncGenerator<AgedCustomer[], void> {
    return this.snapshots.pages<AgedCustomer>(LINES_AT_ONCE, async (read, last) =>
      customersIn(read, accountId, filter, last, LINES_AT_ONCE),
    );
  }

  allDocuments(accountId: Uuid, filter: AgingFilter): AsyncGenerator<AgedDocument[], void> {
    return this.snapshots.pages<AgedDocument>(LINES_AT_ONCE, async (read, last) =>
      documentsIn(read, accountId, filter, last, LINES_AT_ONCE),
    );
  }
}

type Bind = (value: unknown) => string;

/** A document's due date never changes. Rejected claims have no age. */
const BUCKET = `CASE WHEN d.due_date IS NULL OR d.due_date >= $2::date THEN 'not_due'
  WHEN d.due_date >= $2::date - 30 THEN 'days_1_30'
  WHEN d.due_date >= $2::date - 60 THEN 'days_31_60'
  WHEN d.due_date >= $2::date - 90 THEN 'days_61_90'
  ELSE 'days_over_90' END`;

/**
 * The transfers that count. $1 is the account, $2 the day.
 * @param from the first customer, where it is not the first of all
 */
function among({ currency, customerId }: AgingFilter, from: Uuid | undefined, bind: Bind): string {
  return [
    't.account_id = $1',
    't.effective_on <= $2::date',
    ...(currency === undefined ? [] : [`t.currency = ${bind(currency)}`]),
    ...(customerId === undefined ? [] : [`t.customer_id = ${bind(customerId)}`]),
    ...(from === undefined ? [] : [`t.customer_id >= ${bind(from)}`]),
    IS_OF_CLAIMS,
  ].join(' AND ');
}

/** Of one customer, its documents only: an index has them. */
function documentsOf(part: 'p' | 't', { customerId }: AgingFilter, bind: Bind): string {
  const own = customerId === undefined ? '' : ` AND d.customer_id = ${bind(customerId)}`;
  return `LEFT JOIN documents d
    ON d.account_id = $1 AND d.document_id = ${part}.document_id${own}`;
}

/** Each document's part of receivables and credit, with its age. */
function aged(filter: AgingFilter, from: Uuid | undefined, bind: Bind): string {
  return `
    SELECT p.*, d.number, d.issue_date, d.due_date,
      CASE WHEN ${REFUNDED_SQL.none} THEN 'none' WHEN ${REFUNDED_SQL.partial} THEN 'partial'
        ELSE 'full' END AS refund_status,
      least(d.amount_undecided, ${DUE}) AS undecided, greatest($2::date - d.due_date, 0) AS days,
      ${BUCKET} AS bucket
    FROM (
      SELECT t.customer_id, t.currency, t.document_id, sum(${CLAIMS.owed}) AS owed,
        sum(${CLAIMS.rejected}) AS rejected, sum(${CLAIMS.credit}) AS credit
      FROM transfers t WHERE ${among(filter, from, bind)} GROUP BY 1, 2, 3
    ) p ${documentsOf('p', filter, bind)}
    WHERE p.owed <> 0 OR p.rejected <> 0 OR p.credit <> 0`;
}

const SUMS = `
  ${AGES.map(
    (name) => `coalesce(sum(a.owed) FILTER (WHERE a.bucket = '${name}'), 0)::bigint AS ${name}`,
  ).join(', ')},
  sum(a.rejected)::bigint AS rejected, sum(a.owed)::bigint AS total, sum(a.credit)::bigint AS credit`;

async function customersIn(
  read: SnapshotRead,
  accountId: Uuid,
  filter: AgingFilter,
  after: CustomerPlace | null,
  count: number,
): Promise<AgedCustomer[]> {
  const values: unknown[] = [accountId, filter.date];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const behind = after
    ? `(a.customer_id, a.currency) > (${bind(after.customerId)}, ${bind(after.currency)})`
    : 'true';
  return read<AgedCustomer>(
    // Materialized, here and below: where the planner takes an account's customers for few, it would
    // find the page anew for each of them.
    `WITH s AS MATERIALIZED (SELECT a.customer_id AS "customerId", a.currency, ${SUMS}
       FROM (${aged(filter, after?.customerId, bind)}) a WHERE ${behind}
       GROUP BY 1, 2 HAVING sum(a.credit) <> 0 OR bool_or(a.owed <> 0 OR a.rejected <> 0)
       ORDER BY 1, 2 LIMIT ${bind(count)})
     SELECT s.*, c.profile->>'name' AS "customerName"
     FROM s JOIN customers c ON c.account_id = $1 AND c.customer_id = s."customerId"
     ORDER BY 1, 2`,
    values,
  );
}

async function documentsIn(
  read: SnapshotRead,
  accountId: Uuid,
  filter: AgingFilter,
  after: DocumentPlace | null,
  count: number,
): Promise<AgedDocument[]> {
  const values: unknown[] = [accountId, filter.date];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const behind = after
    ? `(a.customer_id, a.document_id) > (${bind(after.customerId)}, ${bind(after.documentId)})`
    : 'true';
  return read<AgedDocument>(
    `WITH a AS MATERIALIZED (SELECT * FROM (${aged(filter, after?.customerId, bind)}) a
       WHERE a.owed + a.rejected <> 0 AND ${behind}
       ORDER BY a.customer_id, a.document_id LIMIT ${bind(count)})
     SELECT a.customer_id AS "customerId", a.document_id AS "documentId", a.number, a.currency,
       a.issue_date AS "issueDate", a.due_date AS "dueDate", a.days AS "daysOverdue",
       CASE WHEN a.rejected = 0 THEN a.bucket ELSE 'rejected' END AS bucket,
       (a.owed + a.rejected)::bigint AS amount, greatest(a.undecided, 0)::bigint AS undecided,
       a.refund_status AS "refundStatus", c.profile->>'name' AS "customerName"
     FROM a JOIN customers c ON c.account_id = $1 AND c.customer_id = a.customer_id
     ORDER BY 1, 2`,
    values,
  );
}

/** `currency, due_date, owed, rejected, credit` of transfers. */
const moved = (join: string, where: string) => `
  SELECT t.currency, coalesce(d.due_date, 'infinity') AS due_date, ${CLAIMS.owed} AS owed,
    ${CLAIMS.rejected} AS rejected, ${CLAIMS.credit} AS credit
  FROM transfers t ${join} WHERE ${where}`;

const totals = (of: string) => `
  SELECT a.currency, ${SUMS}
  FROM (SELECT d.currency, ${BUCKET} AS bucket, sum(d.owed) AS owed, sum(d.rejected) AS rejected,
      sum(d.credit) AS credit
    FROM (${of}) d GROUP BY 1, 2) a
  GROUP BY 1 HAVING sum(a.credit) <> 0 OR bool_or(a.owed <> 0 OR a.rejected <> 0) ORDER BY 1`;

/** $3 is the currency or null, $4 how far there are sums. */
const TOTALS_OF_ALL = totals(`
  SELECT * FROM (${claimsUntil(
    '$2::date',
    moved(
      'LEFT JOIN documents d USING (account_id, document_id)',
      `t.account_id = $1 AND t.effective_on <= $2::date AND t.xact >= $4 AND ${IS_OF_CLAIMS}`,
    ),
  )}) claims WHERE $3::text IS NULL OR currency = $3`);

/** Of one customer from its transfers, of all from the sums. */
async function totalsIn(
  read: SnapshotRead,
  accountId: Uuid,
  filter: AgingFilter,
): Promise<AgedBalance[]> {
  const { date, currency = null, customerId } = filter;
  const values: unknown[] = [accountId, date];
  if (customerId === undefined)
    return read<AgedBalance>(TOTALS_OF_ALL, [...values, currency, await summedThrough(read)]);
  const bind: Bind = (value) => `$${values.push(value)}`;
  const of = moved(documentsOf('t', filter, bind), among(filter, undefined, bind));
  return read<AgedBalance>(totals(of), values);
}
