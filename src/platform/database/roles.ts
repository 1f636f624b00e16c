import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { clientFor } from './servers/server-client.js';
import { ConfigError } from '../config/config-error.js';

/** One database, as each role reaches it. If one role does everything, the first two are equal. */
export interface DatabaseUrls {
  /** The role of the service: it may not change the schema, nor append-only rows. */
  app: string;
  /** Owns the schema: migrates, and grants the others what they need. */
  owner: string;
  /** May read, except what secrets are known by; null where nobody asked for it. */
  reader: string | null;
}

/** Roles other than the owner: the service's own, and one that reads for reports. */
type Role = 'app' | 'reader';

const VARIABLE = { app: 'DATABASE_URL', reader: 'DATABASE_READER_URL' } satisfies Record<
  Role,
  string
>;
const INSUFFICIENT_PRIVILEGE = '42501';
const SCRAM_ITERATIONS = 4096;
const EXAMINED_WITHIN_MS = 5000;

/** A privilege that a role has and should not have, or lacks. */
interface PrivilegeDifference {
  table: string;
  /** Null: the table as a whole. */
  column: string | null;
  privilege: string;
  wanted: boolean;
}

/**
 * The rights of a role ($1, by name) of a kind ($2) to each table, where they are not as they
 * should be. Nothing is listed by hand. Nobody is granted what `refuse_change` refuses whatever the
 * row: a table that comes with its trigger is as protected as the others. The owner alone may change
 * the place of bytes. TRUNCATE would pass the triggers of rows, TRIGGER and REFERENCES could add
 * some. Tables and columns with secrets are not for reports.
 */
const PRIVILEGE_DIFFERENCES = `
  WITH guards AS (
    SELECT tgrelid AS oid, tgattr::int2[] AS columns, tgtype & 8 > 0 AS deletes,
      tgtype & 16 > 0 AS updates
    FROM pg_trigger WHERE tgqual IS NULL
      AND tgfoid IN (to_regproc('refuse_change'), to_regproc('refuse_change_but_of_place'))
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

/**
 * Makes the roles that are missing and grants what each needs and no more, from what the schema
 * says of itself. Says nothing and changes nothing where all is as it should be.
 */
export async function grantRoles(runner: QueryRunner, urls: DatabaseUrls): Promise<void> {
  const owner = userOf(urls.owner);
  for (const role of ['app', 'reader'] as const) {
    const url = urls[role];
    if (url === null || userOf(url) === owner) continue;
    await ensureRole(runner, role, url);
    await grantTables(runner, role, userOf(url));
  }
}

/** The name of the role that an address is for. */
function userOf(url: string): string {
  return clientFor(url).user ?? '';
}

async function ensureRole(runner: QueryRunner, role: Role, url: string): Promise<void> {
  const { user = '', password } = clientFor(url);
  const found = (await runner.query('SELECT FROM pg_roles WHERE rolname = $1', [user])) as object[];
  if (found.length > 0) return;
  const name = pg.escapeIdentifier(user);
  const secret = typeof password === 'string' ? ` PASSWORD '${scramVerifier(password)}'` : '';
  await runner.query(`CREATE ROLE ${name} LOGIN${secret}`).catch((error: unknown) => {
    if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new ConfigError(
      `${VARIABLE[role]}: there is no role ${name}, and the owner may not make one. As an ` +
        `administrator, run CREATE ROLE ${name} LOGIN PASSWORD '...', then migrate again.`,
    );
  });
}

async function grantTables(runner: QueryRunner, role: Role, user: string): Promise<void> {
  const name = pg.escapeIdentifier(user);
  const different = (await runner.query(PRIVILEGE_DIFFERENCES, [
    user,
    role,
  ])) as PrivilegeDifference[];
  const [{ database, loose }] = (await runner.query(SURROUNDINGS, [user])) as [
    { database: string; loose: boolean },
  ];
  const statements = [
    // A temporary table could stand in for one that a trigger looks into.
    ...(loose
      ? [
          `REVOKE CREATE, TEMPORARY ON DATABASE ${database} FROM PUBLIC, ${name}`,
          `REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${name}`,
          `GRANT CONNECT ON DATABASE ${database} TO ${name}`,
          `GRANT USAGE ON SCHEMA public TO ${name}`,
        ]
      : []),
    ...[...new Set(different.map(({ table }) => table))].map(
      (table) => `REVOKE ALL ON ${pg.escapeIdentifier(table)} FROM PUBLIC, ${name}`,
    ),
  ];
  if (statements.length === 0) return;
  await runner.startTransaction();
  try {
    for (const statement of statements) await runner.query(statement);
    const missing = (await runner.query(PRIVILEGE_DIFFERENCES, [
      user,
      role,
    ])) as PrivilegeDifference[];
    for (const statement of grantsOf(missing, name)) await runner.query(statement);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}

function grantsOf(missing: PrivilegeDifference[], name: string): string[] {
  return missing
    .filter(({ wanted }) => wanted)
    .map(({ table, column, privilege }) => {
      const of = column === null ? '' : ` (${pg.escapeIdentifier(column)})`;
      return `GRANT ${privilege}${of} ON ${pg.escapeIdentifier(table)} TO ${name}`;
    });
}

const SURROUNDINGS = `
  SELECT quote_ident(current_database()) AS database,
    has_database_privilege($1, current_database(), 'TEMPORARY')
      OR has_database_privilege($1, current_database(), 'CREATE')
      OR has_schema_privilege($1, 'public', 'CREATE')
      OR NOT has_database_privilege($1, current_database(), 'CONNECT')
      OR NOT has_schema_privilege($1, 'public', 'USAGE') AS loose`;

/** RFC 5802, as PostgreSQL stores it: the password itself never reaches the server or its log. */
export function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, SCRAM_ITERATIONS, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}

/**
 * The rights that a role has and should not have, and the other way round, in words for the
 * operator. It is empty if the last line of defence, the database, also holds against the service
 * itself.
 */
export async function examineRole(url: string): Promise<string[]> {
  const limits = { connectionTimeoutMillis: EXAMINED_WITHIN_MS, query_timeout: EXAMINED_WITHIN_MS };
  const client = clientFor(url, limits);
  await client.connect();
  try {
    return await powersOf(client);
  } finally {
    await client.end();
  }
}

async function powersOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<Record<'super' | 'owns' | 'makes', boolean>>(OWN_POWERS);
  const powers = rows[0];
  if (powers?.super) return ['the role of DATABASE_URL is a superuser: no guard holds against it'];
  if (powers?.owns) {
    return ["the service's role owns its tables: it could switch off its own guards"];
  }
  const { rows: different } = await client.query<PrivilegeDifference>(PRIVILEGE_DIFFERENCES, [
    client.user,
    'app',
  ]);
  const told = (wanted: boolean) =>
    different
      .filter((one) => one.wanted === wanted)
      .map(({ privilege, table, column }) => `${privilege} ${table}${column ? `.${column}` : ''}`);
  const [missing, tooMuch] = [told(true), told(false)];
  return [
    ...(powers?.makes ? ['it may make tables, temporary ones at least'] : []),
    ...(tooMuch.length > 0 ? [`it may do too much: ${tooMuch.join(', ')}`] : []),
    ...(missing.length > 0 ? [`it lacks ${missing.join(', ')}: run migrate as the owner`] : []),
  ];
}

const OWN_POWERS = `
  SELECT rolsuper AS super,
    EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace
      AND pg_has_role(relowner, 'MEMBER')) AS owns,
    has_database_privilege(current_database(), 'TEMPORARY')
      OR has_schema_privilege('public', 'CREATE') AS makes
  FROM pg_roles WHERE rolname = current_user`;
