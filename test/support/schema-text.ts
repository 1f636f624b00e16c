import type pg from 'pg';

// The schema as people read it: docs/schema.sql.

/** Each relation with its comment; `parts` are its lines in the order in which they are read. */
const TABLES = `
  SELECT c.relname AS name, obj_description(c.oid) AS comment,
    ARRAY(SELECT concat(
        format('%s %s', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod)),
        CASE WHEN a.attnotnull THEN ' NOT NULL' END,
        CASE WHEN d.adbin IS NOT NULL THEN
          CASE a.attgenerated WHEN '' THEN ' DEFAULT ' ELSE ' GENERATED ALWAYS AS ' END
            || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '\\s+', ' ', 'g') END,
        ' -- ', col_description(c.oid, a.attnum))
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
    ) AS columns,
    ARRAY(SELECT format('CONSTRAINT %s %s', conname, pg_get_constraintdef(oid, true))
      FROM pg_constraint WHERE conrelid = c.oid AND contype IN ('p', 'u', 'f', 'c')
      ORDER BY array_position('{p,u,f,c}'::text[], contype::text), conname
    ) AS constraints,
    ARRAY(SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class k ON k.oid = i.indexrelid
      WHERE i.indrelid = c.oid AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid
        AND contype IN ('p', 'u')) ORDER BY k.relname
    ) AS indexes,
    ARRAY(SELECT pg_get_triggerdef(oid, true) FROM pg_trigger
      WHERE tgrelid = c.oid AND NOT tgisinternal ORDER BY tgname
    ) AS triggers
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
  ORDER BY c.relname`;

const DOMAINS = `
  SELECT format('CREATE DOMAIN %s AS %s CONSTRAINT %s %s;', t.typname,
    format_type(t.typbasetype, t.typtypmod), c.conname, pg_get_constraintdef(c.oid, true)) AS text
  FROM pg_type t JOIN pg_constraint c ON c.contypid = t.oid
  WHERE t.typnamespace = 'public'::regnamespace AND c.contype = 'c' ORDER BY 1`;

const FUNCTIONS = `
  SELECT pg_get_functiondef(p.oid) || ';' AS text FROM pg_proc p
  WHERE p.pronamespace = 'public'::regnamespace ORDER BY p.proname`;

interface Table {
  name: string;
  comment: string | null;
  columns: string[];
  constraints: string[];
  indexes: string[];
  triggers: string[];
}

/** Of an empty database that was migrated. The same on each run. */
export async function schemaText(client: pg.ClientBase): Promise<string> {
  const { rows: tables } = await client.query<Table>(TABLES);
  const { rows: domains } = await client.query<{ text: string }>(DOMAINS);
  const { rows: functions } = await client.query<{ text: string }>(FUNCTIONS);
  const parts = [
    '-- Written by `npm run schema`: what the migrations make, to be read. Tables, then domains and\n' +
      '-- functions. Amounts are in minor units, times in UTC. The source is migrations/.',
    ...tables.map(tableText),
    ...[...domains, ...functions].map(({ text }) => text),
  ];
  return `${parts.join('\n\n').replaceAll('public.', '').replaceAll(/ +$/gm, '')}\n`;
}

function tableText({ name, comment, columns, constraints, indexes, triggers }: Table): string {
  const lines = [
    ...columns.map((line) => line.replace(' -- ', constraints.length > 0 ? ', -- ' : ' -- ')),
    ...constraints.map((line, at) => (at < constraints.length - 1 ? `${line},` : line)),
  ];
  const made = `CREATE TABLE ${name} (\n${lines.map((line) => `  ${line}`).join('\n')}\n);`;
  return [`-- ${comment ?? ''}`, made, ...[...indexes, ...triggers].map((line) => `${line};`)].join(
    '\n',
  );
}

/** Tables and columns that nothing is said about. */
export const WITHOUT_COMMENT = `
  SELECT c.relname AS table, a.attname AS column
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migrations'
    AND (col_description(c.oid, a.attnum) IS NULL OR obj_description(c.oid, 'pg_class') IS NULL)
  ORDER BY 1, a.attnum`;
