/** Roles other than the owner: the service's own, and one that reads for reports. */
export type Role = 'app' | 'reader';

/** A privilege that a role has and should not have, or lacks. */
export interface PrivilegeDifference {
  table: string;
  /** Null: the table as a whole. */
  column: string | null;
  privilege: string;
  wanted: boolean;
}

/**
 * The rights of a role ($1, by name) of a kind ($2) to each table, where they are not as they
 * should be. Nothing is listed by hand. Nobody is granted what `refuse_change` refuses whatever the
 * row: a table that comes with its trigger is as protected as the others. TRUNCATE would pass the
 * triggers of rows, TRIGGER and REFERENCES could add some. Tables and columns with secrets are not
 * for reports.
 */
export const PRIVILEGE_DIFFERENCES = `
  WITH guards AS (
    SELECT tgrelid AS oid, tgattr::int2[] AS columns, tgtype & 8 > 0 AS deletes,
      tgtype & 16 > 0 AS updates
    FROM pg_trigger WHERE tgfoid = to_regproc('refuse_change') AND tgqual IS NULL
  ), columns AS (
    SELECT attrelid AS oid, attname, attnum, attname ~ '(secret|token|password|sealed)'
        AND atttypid IN ('bytea'::regtype, 'text'::regtype, 'jsonb'::regtype) AS secret,
      EXISTS (SELECT FROM guards g WHERE g.oid = attrelid AND g.updates
        AND attnum = ANY (g.columns)) AS frozen
    FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped
  ), tables AS (
    SELECT oid, relname, relname = 'idempotency_keys' AS private,
      relname IN ('migrations', 'extension_migrations', 'extension_seals') OR relkind IN ('v', 'm') AS read_only,
      EXISTS (SELECT FROM guards g WHERE g.oid = c.oid AND g.deletes) AS stays,
      EXISTS (SELECT FROM guards g WHERE g.oid = c.oid AND g.updates) AS guarded,
      EXISTS (SELECT FROM guards g WHERE g.oid = c.oid AND g.updates
        AND cardinality(g.columns) = 0) AS frozen,
      EXISTS (SELECT FROM columns a WHERE a.oid = c.oid AND a.secret) AS secrets
    FROM pg_class c
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
  ), privileges AS (
    SELECT oid, relname, NULL::name AS "column", privilege, CASE
        WHEN privilege = 'SELECT' THEN $2 = 'app' OR NOT (secrets OR private)
        WHEN $2 <> 'app' OR read_only THEN false
        WHEN privilege = 'INSERT' THEN true
        WHEN privilege = 'UPDATE' THEN NOT guarded
        WHEN privilege = 'DELETE' THEN NOT stays
        ELSE false END AS wanted,
      has_table_privilege($1, oid, privilege) AS has
    FROM tables, unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) privilege
    UNION ALL
    SELECT oid, relname, attname, 'UPDATE', $2 = 'app' AND NOT a.frozen AND NOT t.frozen,
      has_column_privilege($1, oid, attnum, 'UPDATE')
    FROM tables t JOIN columns a USING (oid) WHERE guarded
    UNION ALL
    SELECT oid, relname, attname, 'SELECT', NOT (secret OR private),
      has_column_privilege($1, oid, attnum, 'SELECT')
    FROM tables JOIN columns a USING (oid) WHERE (secrets OR private) AND $2 = 'reader'
  )
  SELECT relname::text AS "table", "column"::text, privilege, wanted
  FROM privileges WHERE wanted <> has ORDER BY 1, 2 NULLS FIRST, 3`;
