import type { QueryRunner } from 'typeorm';

/** Types that PostgreSQL makes itself have these ids in every database and version (decision 49). */
const FIRST_OWN_TYPE = 16_384;

/**
 * From now on its rows stay, and seals cover them, also those that are there. The step of its
 * extension is under way.
 * @returns why it cannot be sealed, to be continued from its name; null: it is
 */
export async function sealTable(
  runner: QueryRunner,
  extension: string,
  table: string,
): Promise<string | null> {
  const columns = (await runner.query(
    `SELECT a.attname::text AS name, a.atttypid::bigint >= ${FIRST_OWN_TYPE} AS "isOwn",
       a.atttypid = 'uuid'::regtype AND a.attnotnull AS "isId"
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.oid = to_regclass($1) AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY a.attnum`,
    [`public.${table}`],
  )) as ColumnOfTable[];
  const fault = faultOf(columns);
  if (fault !== null) return fault;
  await runner.query(`
    ALTER TABLE ${table} ADD COLUMN xact bigint NOT NULL DEFAULT book_xact();
    CREATE INDEX ${table}_xact ON ${table} USING brin (xact)
      WITH (pages_per_range = 128, autosummarize = on);
    CREATE TRIGGER ${table}_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ${table}
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('rows of ${table} are sealed')`);
  await runner.query(
    `INSERT INTO extension_seals (table_name, extension, columns, sealed_at)
     VALUES ($1, $2, $3, now())`,
    [table, extension, [...columns.map(({ name }) => name), 'xact']],
  );
  return null;
}

interface ColumnOfTable {
  name: string;
  /** A type of this database alone. */
  isOwn: boolean;
  isId: boolean;
}

function faultOf(columns: readonly ColumnOfTable[]): string | null {
  if (columns.length === 0) return 'is no table';
  if (columns.some(({ name }) => name === 'xact'))
    return 'has a column xact already, or is sealed already';
  if (!columns.some(({ name, isId }) => name === 'account_id' && isId))
    return 'needs a column account_id uuid NOT NULL';
  const own = columns.filter(({ isOwn }) => isOwn);
  if (own.length > 0)
    return `has columns of types that PostgreSQL does not bring: ${own.map(({ name }) => name).join(', ')}`;
  return null;
}
