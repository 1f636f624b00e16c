import type { QueryRunner } from 'typeorm';

/**
 * Columns that hold the transaction that wrote a row, or, as `through_xact`, the one before which a
 * row ends. No row begins after it ends, so `from_xact` says nothing more.
 */
const COLUMNS = `
  SELECT quote_ident(c.relname) AS table, quote_ident(a.attname) AS column,
    a.attname = 'through_xact' AS "isEnd"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
    AND NOT a.attisdropped AND a.attname ~ '(^|_)xact$' AND a.attname <> 'from_xact'`;

/**
 * Rows of a dump from another cluster may have higher transaction numbers than this cluster counts.
 * New rows would then stand in windows that are sealed. An offset lets the order go on behind them.
 * It is set at start-up, while nobody writes.
 */
export async function goOnCounting(runner: QueryRunner): Promise<void> {
  // Transactions that have begun, anywhere in the cluster, are below xmax: no row is above it.
  const [{ next, added }] = (await runner.query(
    `SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next, book_xact_offset()::text AS added`,
  )) as [{ next: string; added: string }];
  const columns = (await runner.query(COLUMNS)) as {
    table: string;
    column: string;
    isEnd: boolean;
  }[];
  const ahead = columns.map(({ table, column, isEnd }) => {
    const [last, isAhead] = isEnd ? [`${column} - 1`, '>'] : [column, '>='];
    return `SELECT max(${last}) AS xact FROM ${table} WHERE ${column} ${isAhead} $1`;
  });
  const [{ newest }] = (await runner.query(
    `SELECT max(xact)::text AS newest FROM (${ahead.join(' UNION ALL ')}) ahead`,
    [`${BigInt(next) + BigInt(added)}`],
  )) as [{ newest: string | null }];
  if (newest === null) return;
  await runner.query(`CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint
    LANGUAGE sql STABLE RETURN ${BigInt(newest) + 1n - BigInt(next)}::bigint`);
}
