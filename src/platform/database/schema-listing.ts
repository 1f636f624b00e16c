import { createHash } from 'node:crypto';
import migrated from './migrated-schema.json' with { type: 'json' };

export interface SchemaListing {
  /** Of each table. */
  columns: Readonly<Record<string, Readonly<Record<string, ListedColumn>>>>;
  /** By name: `trigger transfers_append_only on transfers` and what it does. */
  definitions: Readonly<Record<string, string>>;
}

interface ListedColumn {
  /** In the words of PostgreSQL. */
  type: string;
  notNull?: boolean;
  /** Collation, generation, default. */
  more?: string;
}

export interface SchemaReader {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** `npm run schema` writes what the migrations make. */
export const MIGRATED_SCHEMA: SchemaListing = migrated;

/** Longer ones are listed as their SHA-256: nobody reads a function in a difference. */
const LONGEST_SHOWN = 400;

const TABLES = `
  SELECT c.oid, c.relname, c.relrowsecurity, c.relpersistence,
    EXISTS (SELECT FROM pg_inherits WHERE oid IN (inhrelid, inhparent)) AS inherits
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`;

/** Functions that belong to an extension are not ours. */
const FUNCTIONS = `
  SELECT p.oid, p.proname, pg_get_function_identity_arguments(p.oid) AS arguments
  FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind IN ('f', 'p')
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
      AND d.objid = p.oid AND d.deptype = 'e')`;

/** NOT NULL stands with its column, because only PostgreSQL 18 has constraints for it. */
const COLUMNS = `
  SELECT t.relname::text AS "table", a.attname::text AS name,
    replace(format_type(a.atttypid, a.atttypmod), 'timestamp with time zone', 'timestamptz') AS type,
    a.attnotnull AS "notNull", concat_ws(' ',
      CASE WHEN a.attcollation <> y.typcollation THEN
        (SELECT format('COLLATE %I', collname) FROM pg_collation c WHERE c.oid = a.attcollation) END,
      CASE a.attidentity WHEN '' THEN NULL ELSE 'GENERATED AS IDENTITY' END,
      CASE WHEN d.adbin IS NOT NULL THEN
        CASE a.attgenerated WHEN '' THEN 'DEFAULT ' ELSE 'GENERATED ALWAYS AS ' END
          || pg_get_expr(d.adbin, d.adrelid) END) AS more
  FROM (${TABLES}) t JOIN pg_attribute a ON a.attrelid = t.oid JOIN pg_type y ON y.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
  WHERE a.attnum > 0 AND NOT a.attisdropped
  ORDER BY t.relname COLLATE "C", a.attname COLLATE "C"`;

/**
 * Everything else that keeps bad rows out: constraints, unique indexes, triggers and whether they
 * are on. Functions, domains, rules and policies are in it, too. Nothing of it depends on owners, grants,
 * ids of the catalog or the search path. The offset of transactions is set at start-up, and its
 * value is no part of the schema.
 */
const DEFINITIONS = `
  WITH tables AS MATERIALIZED (${TABLES}), functions AS MATERIALIZED (${FUNCTIONS})
  SELECT format('table %s', relname) AS name, concat_ws(', ',
      CASE relpersistence WHEN 'p' THEN 'permanent' ELSE 'not permanent' END,
      CASE WHEN relrowsecurity THEN 'row security' END,
      CASE WHEN inherits THEN 'inherits' END) AS definition FROM tables
  UNION ALL
  SELECT format('constraint %s on %s', c.conname, t.relname), pg_get_constraintdef(c.oid)
    || CASE WHEN EXISTS (SELECT FROM pg_trigger g WHERE g.tgconstraint = c.oid
      AND g.tgenabled <> 'O') THEN ', switched off' ELSE '' END
  FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype IN ('c', 'f', 'p', 'u', 'x')
  UNION ALL
  SELECT format('unique index %s on %s', k.relname, t.relname), pg_get_indexdef(i.indexrelid)
    || CASE WHEN i.indisvalid AND i.indisready THEN '' ELSE ', not valid' END
  FROM tables t JOIN pg_index i ON i.indrelid = t.oid JOIN pg_class k ON k.oid = i.indexrelid
  WHERE i.indisunique
  UNION ALL
  SELECT format('trigger %s on %s', g.tgname, t.relname), pg_get_triggerdef(g.oid)
    || CASE g.tgenabled WHEN 'O' THEN '' ELSE ', switched off' END
  FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
  UNION ALL
  SELECT format('rule %s on %s', r.rulename, t.relname), pg_get_ruledef(r.oid)
  FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid
  UNION ALL
  SELECT format('policy %s on %s', p.polname, t.relname),
    concat_ws(' / ', pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
  FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
  UNION ALL
  SELECT format('function %s(%s)', proname, arguments), CASE proname WHEN 'book_xact_offset'
    THEN regexp_replace(pg_get_functiondef(oid), 'RETURN \\(?''?\\d+''?\\)?::bigint', 'RETURN a number')
    WHEN 'book_history'
    THEN regexp_replace(pg_get_functiondef(oid), 'RETURN ''[0-9a-f-]*''::text', 'RETURN a text')
    WHEN 'book_timeline'
    THEN regexp_replace(pg_get_functiondef(oid), 'RETURN \\d+', 'RETURN a number')
    ELSE pg_get_functiondef(oid) END FROM functions
  UNION ALL
  SELECT format('domain %s', t.typname), concat_ws(' ', format_type(t.typbasetype, t.typtypmod),
      CASE WHEN t.typnotnull THEN 'NOT NULL' END, 'DEFAULT ' || t.typdefault)
  FROM pg_type t WHERE t.typnamespace = 'public'::regnamespace AND t.typtype = 'd'
  UNION ALL
  SELECT format('constraint %s of domain %s', c.conname, t.typname), pg_get_constraintdef(c.oid)
  FROM pg_constraint c JOIN pg_type t ON t.oid = c.contypid
  WHERE t.typnamespace = 'public'::regnamespace AND c.contype = 'c'`;

/**
 * The schema of the database now. The connection is in a transaction: names are written in full.
 */
export async function listSchema(client: SchemaReader): Promise<SchemaListing> {
  const rowsOf = async <Row>(text: string, values?: unknown[]) =>
    (await client.query(text, values)).rows as Row[];
  const [before] = await rowsOf<{ path: string }>(`SELECT current_setting('search_path') AS path`);
  await client.query(`SELECT set_config('search_path', '', true)`);
  const columns = await rowsOf<Required<ListedColumn> & { table: string; name: string }>(COLUMNS);
  const definitions = await rowsOf<{ name: string; definition: string }>(
    `SELECT name, definition FROM (${DEFINITIONS}) listed ORDER BY name COLLATE "C"`,
  );
  await client.query(`SELECT set_config('search_path', $1, true)`, [before?.path]);
  const listed: Record<string, Record<string, ListedColumn>> = {};
  for (const { table, name, type, notNull, more } of columns) {
    listed[table] ??= {};
    listed[table][name] = { type, ...(notNull && { notNull }), ...(more && { more: shown(more) }) };
  }
  return {
    columns: listed,
    definitions: Object.fromEntries(
      definitions.map(({ name, definition }) => [name, shown(definition)]),
    ),
  };
}

const shown = (definition: string) =>
  definition.length <= LONGEST_SHOWN
    ? definition
    : `sha256 ${createHash('sha256').update(definition).digest('hex')}`;

/** A table or function that an operator added, and that nothing of ours uses, is no difference. */
const MAY_BE_ADDED = /^(table|function|domain) /;
const OF_TABLE = /^column (\w+)\.| on (\w+)$/;
const OF_ITSELF = /^(?:table|function|domain) (\w+)/;

/** The table that a part belongs to; of a table, function or domain, its name. */
export function ownerOf(part: string): string {
  const [, column, other] = OF_TABLE.exec(part) ?? OF_ITSELF.exec(part) ?? [];
  return column ?? other ?? part;
}

export interface SchemaDifference {
  name: string;
  found: string;
  made: string;
}

type Parts = Readonly<Record<string, string>>;

/** The parts that are other, new or gone. */
export function differencesOf(found: Parts, made: Parts): SchemaDifference[] {
  const names = [...new Set([...Object.keys(made), ...Object.keys(found)])].sort();
  return names
    .filter((name) => found[name] !== made[name])
    .map((name) => ({ name, found: found[name] ?? 'missing', made: made[name] ?? 'nothing' }));
}

/** The parts that are missing, other or more than the migrations made. */
export function schemaDifferences(
  listed: SchemaListing,
  migrations: SchemaListing,
): SchemaDifference[] {
  const made = partsOf(migrations);
  return differencesOf(partsOf(listed), made).filter(
    ({ name }) => name in made || concernsOurs(name, made),
  );
}

/** Each part by its name, `column documents.total`, with what it is. */
export function partsOf({ columns, definitions }: SchemaListing): Parts {
  const all = { ...definitions };
  for (const [table, ofTable] of Object.entries(columns)) {
    for (const [name, { type, notNull, more }] of Object.entries(ofTable)) {
      all[`column ${table}.${name}`] = [type, notNull && 'NOT NULL', more]
        .filter(Boolean)
        .join(' ');
    }
  }
  return all;
}

function concernsOurs(name: string, made: Parts): boolean {
  if (MAY_BE_ADDED.test(name)) return false;
  return `table ${ownerOf(name)}` in made;
}
