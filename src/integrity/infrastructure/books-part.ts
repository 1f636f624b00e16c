import type pg from 'pg';
import type { Uuid } from '../../kernel/ids.js';
import { MIGRATED_SCHEMA } from '../../platform/database/schema-listing.js';
import { type SqlStatement, toLongQuery } from '../../platform/database/sql-statement.js';
import type { BooksPart } from '../domain/integrity-run.js';
import type { IntegrityCheck } from './checks/integrity-check.js';
import { SEALED_TABLES } from './sealed-tables.js';

/** Ids as arrays in PostgreSQL's own words, each account beside its id. */
interface Pairs {
  accounts: string | null;
  ids: string | null;
}

/** More are not sent to each check: looking at all costs as little then. */
const MOST_TOUCHED = 500_000;

/** The ids that transactions of a part are about. */
export interface Touched {
  /** Too many to be told. */
  isMuch: boolean;
  documents: Pairs;
  /** Those, and what is needed to judge them: their origins, and the credit notes of these. */
  withKin: Pairs;
  payments: Pairs;
  facts: Pairs;
}

type TouchedIds = Exclude<keyof Touched, 'isMuch'>;

const boundsOf = ({ since, again }: BooksPart): bigint[] => [since, again.from, again.to];
const ALL: BooksPart = { since: 0n, again: { from: 0n, to: 0n } };

/** That a transaction is in the part: its bounds are $2, $3 and $4. */
export const xactIn = (xact: string) => `(${xact} >= $2 OR ${xact} >= $3 AND ${xact} < $4)`;

const DOCUMENT_KEYS = ['document_id', 'credit_note_id'];
const FACT_KEYS = [
  'fact_id',
  'payment_id',
  'receipt_id',
  'refund_id',
  'payout_id',
  'dispute_id',
  'relief_id',
];

/** Each sealed row of the part that names one: a change of a document is at least an event. */
const NAMED = SEALED_TABLES.filter(({ name, from }) => from === `${name.split(' ')[0]} t`)
  .flatMap(({ account, columns, from, xact }) =>
    [...DOCUMENT_KEYS, ...FACT_KEYS]
      .filter((key) => columns.includes(`t.${key}`))
      .map(
        (key) => `SELECT ${account} AS account_id, t.${key} AS id,
            ${DOCUMENT_KEYS.includes(key)} AS is_document, ${key === 'payment_id'} AS is_payment
          FROM ${from} WHERE ${xactIn(xact)} AND t.${key} IS NOT NULL
            AND ($1::uuid IS NULL OR ${account} = $1::uuid)`,
      ),
  )
  .join(' UNION ALL ');

const pairs = (name: string, where = 'true') => `
  json_build_object(
    'accounts', (array_agg(account_id ORDER BY id) FILTER (WHERE ${where} AND NOT much))::text,
    'ids', (array_agg(id ORDER BY id) FILTER (WHERE ${where} AND NOT much))::text) AS ${name}`;

const TOUCHED = `
  WITH named AS MATERIALIZED (
    SELECT account_id, id, bool_or(is_document) AS is_document, bool_or(is_payment) AS is_payment
    FROM (${NAMED}) named GROUP BY 1, 2
  ), size AS MATERIALIZED (
    SELECT count(*) > ${MOST_TOUCHED} AS much FROM named
  ), subjects AS MATERIALIZED (
    SELECT account_id, id FROM named WHERE is_document
    UNION SELECT d.account_id, d.origin_document_id FROM documents d
      JOIN named n ON (n.account_id, n.id) = (d.account_id, d.document_id)
      WHERE n.is_document AND d.origin_document_id IS NOT NULL
  ), origins AS MATERIALIZED (
    SELECT account_id, id FROM subjects
    UNION SELECT d.account_id, d.origin_document_id FROM documents d
      JOIN subjects s ON (s.account_id, s.id) = (d.account_id, d.document_id)
      WHERE d.origin_document_id IS NOT NULL
  ), kin AS MATERIALIZED (
    SELECT account_id, id FROM origins
    UNION SELECT d.account_id, d.document_id FROM documents d
      JOIN origins o ON (o.account_id, o.id) = (d.account_id, d.origin_document_id)
  )
  SELECT much AS "isMuch", documents, "withKin", payments, facts FROM size,
    LATERAL (SELECT ${pairs('documents')} FROM subjects) documents,
    LATERAL (SELECT ${pairs('"withKin"')} FROM kin) kin,
    LATERAL (SELECT ${pairs('payments', 'is_payment')}, ${pairs('facts')} FROM named) named`;

/** In the snapshot of `client`; a check that is made later sees as much of them, or more. */
export async function touchedIn(
  client: pg.ClientBase,
  part: BooksPart,
  accountId: Uuid | null,
): Promise<Touched> {
  const values = [accountId, ...boundsOf(part)];
  const { rows } = await client.query<Touched>(toLongQuery({ text: TOUCHED, values }));
  const [touched] = rows;
  if (!touched) throw new Error('one row was read');
  return touched;
}

/** The ids that the rows of a check have, and by which column each table is narrowed to them. */
interface Narrowing {
  /** A difference counts where its id is one of these. */
  subjects: TouchedIds;
  within: TouchedIds;
  column(table: string): string | undefined;
}

const tables = Object.entries(MIGRATED_SCHEMA.columns);

function byColumn(column: string): Pick<Narrowing, 'column'> {
  const having = new Set(tables.filter(([, columns]) => column in columns).map(([name]) => name));
  return { column: (table) => (having.has(table) ? column : undefined) };
}

/** A fact is told by a row, and by others that have its id. */
const OF_FACTS: Readonly<Record<string, string>> = {
  transfers: 'fact_id',
  documents: 'document_id',
  events: 'document_id',
  tax_reliefs: 'relief_id',
  payments: 'payment_id',
  payment_reversals: 'payment_id',
  allocations: 'payment_id',
  refunds: 'refund_id',
  refund_undoings: 'refund_id',
  unmatched_receipts: 'receipt_id',
  payouts: 'payout_id',
  payout_lines: 'payout_id',
  disputes: 'dispute_id',
  dispute_steps: 'dispute_id',
};

const NARROWINGS: Readonly<Record<'documents' | 'payments' | 'facts', Narrowing>> = {
  documents: { subjects: 'documents', within: 'withKin', ...byColumn('document_id') },
  payments: { subjects: 'payments', within: 'payments', ...byColumn('payment_id') },
  facts: { subjects: 'facts', within: 'facts', column: (table) => OF_FACTS[table] },
};

/** Tables that have an index of an account's rows by this. */
export const INDEXED = new Set(
  `documents.document_id document_contents.document_id document_lines.document_id
   document_tax_groups.document_id pending_documents.document_id events.document_id
   payments.document_id payments.payment_id allocations.document_id allocations.payment_id`.split(
    /\s+/,
  ),
);

/**
 * By the index, once for each id; else by one pass over the table. PostgreSQL would multiply how
 * rare an account and an id of it are, and expect one row.
 */
function fewerRows(table: string, column: string | undefined): string[] {
  if (column === undefined) return [];
  const rows = INDEXED.has(`${table}.${column}`)
    ? `within w CROSS JOIN LATERAL (SELECT * FROM ${table} t
        WHERE (t.account_id, t.${column}) = (w.account_id, w.id) OFFSET 0) t`
    : `${table} t JOIN within w ON w.id = t.${column} AND (w.account_id = t.account_id) IS TRUE`;
  return [`${table} AS (SELECT t.* FROM ${rows})`];
}

const BY_PREFIX: Readonly<Record<string, IntegrityCheck['of']>> = {
  doc: 'documents',
  pay: 'payments',
  xfer: 'transfers',
};
export const partKindOf = ({ of, prefix }: Pick<IntegrityCheck, 'of' | 'prefix'>) =>
  of ?? BY_PREFIX[prefix ?? ''] ?? 'all';

/** A check of all books. */
export const whole = (check: IntegrityCheck, accountId: Uuid | null): SqlStatement => ({
  text: check.sql,
  values: partKindOf(check) === 'windows' ? [accountId, ...boundsOf(ALL)] : [accountId],
});

/**
 * A check of a part of them, or undefined where there is none. A table that it reads has fewer rows
 * under the same name, so one text makes both. It can say that nothing differs; what differs is told
 * by the whole check, which sees all.
 */
export function ofPart(
  check: IntegrityCheck,
  accountId: Uuid | null,
  part: BooksPart,
  touched: Touched,
): SqlStatement | undefined {
  const { sql } = check;
  const of = partKindOf(check);
  if (of === 'all') return undefined;
  const bounded = [accountId, ...boundsOf(part)];
  if (of === 'windows') return { text: sql, values: bounded };
  if (of === 'transfers') {
    const rows = `transfers AS (SELECT * FROM transfers t WHERE ${xactIn('t.xact')})`;
    return { text: `WITH ${rows} ${sql}`, values: bounded };
  }
  if (touched.isMuch) return undefined;
  const { subjects, within, column } = NARROWINGS[of];
  const words = new Set(sql.match(/\w+/g));
  const fewer = tables
    .filter(([table]) => words.has(table))
    .flatMap(([table]) => fewerRows(table, column(table)));
  const text = `WITH within AS (SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS w (account_id, id)),
    ${fewer.join(', ')}, found AS MATERIALIZED (${sql})
    SELECT * FROM found WHERE id IN (SELECT unnest($4::uuid[]))`;
  const { accounts, ids } = touched[within];
  return { text, values: [accountId, accounts, ids, touched[subjects].ids] };
}
