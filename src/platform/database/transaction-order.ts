import type { QueryRunner } from 'typeorm';

/** Columns that hold the transaction that wrote a row; a seal ends before the one that it names. */
const COLUMNS = `
  SELECT quote_ident(c.relname) AS table, quote_ident(a.attname) AS column
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
    AND NOT a.attisdropped AND a.attname ~ '(^|_)xact$' AND c.relname NOT LIKE 'seal%'`;
const SEALED = 'SELECT max(through_xact) - 1 AS xact FROM seals WHERE through_xact > $1';

/**
 * A database that was restored by dump into another cluster has rows of transactions that this
 * cluster has yet to count to: what is written now would stand before them, in windows that are
 * sealed. An offset lets the order go on after them. Only where nobody writes yet: at start-up.
 */
export async function goOnCounting(runner: QueryRunner): Promise<void> {
  // Transactions that have begun, anywhere in the cluster, are below xmax: no row is above it.
  const [{ next, added }] = (await runner.query(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, book_xact_offset()::text AS added`,
  )) as [{ next: string; added: string }];
  const columns = (await runner.query(COLUMNS)) as { table: string; column: string }[];
  const ahead = columns.map(
    ({ table, column }) => `SELECT max(${column}) AS xact FROM ${table} WHERE ${column} >= $1`,
  );
  const [{ newest }] = (await runner.query(
    `SELECT max(xact)::text AS newest FROM (${[SEALED, ...ahead].join(' UNION ALL ')}) ahead`,
    [`${BigInt(next) + BigInt(added)}`],
  )) as [{ newest: string | null }];
  if (newest === null) return;
  await runner.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
    LANGUAGE sql STABLE RETURN ${BigInt(newest) + 1n - BigInt(next)}::bigint`);
}
