import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.js';
import { examineRole } from '../../src/platform/database/roles.js';
import { aDatabase, databaseUrl, type TestDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';

// The role that the service works as, against everything that it must not be able to do.

const DENIED = '42501';

let service: TestService;
let app: pg.Client;

beforeAll(async () => {
  service = await startTestService();
  app = new pg.Client(service.database.url);
  await app.connect();
});
afterAll(async () => {
  await app.end();
  await service.close();
});

/** The SQLSTATE of a statement that the role tries, `none` where it may; undone in any case. */
async function attempt(client: pg.Client, sql: string): Promise<string> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    return 'none';
  } catch (error) {
    return String((error as { code?: string }).code);
  } finally {
    await client.query('ROLLBACK');
  }
}

async function tables(where = 'true'): Promise<string[]> {
  const rows = await service.database.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND ${where} ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const columnOf = async (table: string) => {
  const [column] = await service.database.query<{ name: string }>(
    'SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum = 1',
    [table],
  );
  return column?.name;
};

/** A trigger of the schema that refuses this kind of change whatever the row. */
const refuses = (bit: number, more = '') => `EXISTS (SELECT FROM pg_trigger t
  WHERE t.tgrelid = c.oid AND t.tgtype & ${bit} > 0
    AND t.tgfoid IN ('refuse_change'::regproc, 'refuse_change_but_of_place'::regproc)
    AND t.tgqual IS NULL ${more})`;

describe('the role of the service', () => {
  it('is the one that the tests run as, and is in order', async () => {
    const { rows } = await app.query(`SELECT current_user = session_user AS same,
      (SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls
       FROM pg_roles WHERE rolname = current_user) AS mighty,
      (SELECT count(*)::int FROM pg_auth_members WHERE member = current_user::regrole) AS groups`);
    expect(rows).toEqual([{ same: true, mighty: false, groups: 0 }]);
    expect(await examineRole(service.database.url)).toEqual([]);
    const [{ used } = {}] = await service.database.query(
      `SELECT array_agg(DISTINCT usename::text) AS used FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'quittance'`,
    );
    expect(used).toEqual([new URL(service.database.url).username]);
  });

  it('cannot change or delete what is append-only, nor a frozen column', async () => {
    const stay = await tables(refuses(8));
    const frozen = await tables(refuses(16, "AND t.tgattr = ''"));
    expect(frozen).toEqual(
      expect.arrayContaining(['events', 'transfers', 'seals', 'document_pdfs', 'attachment_files']),
    );
    expect(stay).toEqual(
      // Files of drafts are deleted.
      expect.arrayContaining([
        ...frozen.filter((name) => name !== 'attachment_files'),
        'payments',
        'refunds',
        'bank_entries',
      ]),
    );
    for (const table of stay) {
      expect([table, await attempt(app, `DELETE FROM ${table}`)]).toEqual([table, DENIED]);
    }
    for (const table of frozen) {
      const column = await columnOf(table);
      const change = `UPDATE ${table} SET ${column} = ${column}`;
      expect([table, await attempt(app, change)]).toEqual([table, DENIED]);
    }
    for (const [column, code] of [
      ['amount', DENIED],
      ['xact', DENIED],
      ['returned', 'none'],
    ]) {
      expect(await attempt(app, `UPDATE payments SET ${column} = ${column}`)).toBe(code);
    }
  });

  it('cannot empty, own, lock out or attach anything to any table', async () => {
    for (const table of await tables()) {
      const column = await columnOf(table);
      for (const sql of [
        `TRUNCATE ${table} CASCADE`,
        `DROP TABLE ${table} CASCADE`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${table} DISABLE TRIGGER USER`,
        `ALTER TABLE ${table} ADD COLUMN more text`,
        `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
        `CREATE RULE r AS ON DELETE TO ${table} DO INSTEAD NOTHING`,
        `CREATE INDEX ON ${table} (${column})`,
        `CREATE TRIGGER t BEFORE INSERT ON ${table} EXECUTE FUNCTION refuse_change('x')`,
        `GRANT ALL ON ${table} TO CURRENT_USER`,
      ]) {
        // GRANT by one who has no right to says so in a warning, or changes nothing.
        const code = await attempt(app, sql);
        expect([sql, code]).toEqual([sql, sql.startsWith('GRANT') ? expect.anything() : DENIED]);
      }
    }
    const { rows } = await app.query(`SELECT c.relname, p.privilege FROM pg_class c,
        unnest('{TRUNCATE,REFERENCES,TRIGGER,MAINTAIN}'::text[]) AS p (privilege)
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
        AND has_table_privilege(c.oid, p.privilege)`);
    expect(rows).toEqual([]);
  });

  it('cannot change the schema, its functions, or stand in for a table', async () => {
    const reference = 'REFERENCES accounts (account_id)';
    for (const sql of [
      'CREATE TABLE more (n int)',
      'CREATE SCHEMA more',
      `CREATE TABLE more (account_id uuid ${reference})`,
      // Triggers look into documents by its name alone: a temporary one would be found first.
      'CREATE TEMP TABLE documents (account_id uuid, document_id uuid, lifecycle text)',
      'CREATE FUNCTION more() RETURNS int LANGUAGE sql RETURN 1',
      `CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint LANGUAGE sql RETURN 0::bigint`,
      'DROP FUNCTION book_xact_offset() CASCADE',
      'DROP SCHEMA public CASCADE',
      'ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart',
      'SET session_replication_role = replica',
      'CREATE ROLE more',
      "COPY accounts TO PROGRAM 'cat'",
      "COPY accounts FROM '/etc/passwd'",
      "SELECT pg_read_file('/etc/passwd')",
      'SELECT pg_switch_wal()',
      "SELECT pg_backup_start('mine')",
      "INSERT INTO migrations (timestamp, name) VALUES (1, 'mine')",
      'DELETE FROM migrations',
    ]) {
      expect([sql, await attempt(app, sql)]).toEqual([sql, DENIED]);
    }
  });
});

describe('migrate', () => {
  let database: TestDatabase;
  let given: { app: string; owner: string; reader: string };

  beforeAll(async () => {
    database = await aDatabase({ migrated: false });
    const name = new URL(database.ownerUrl).pathname.slice(1);
    const appUrl = databaseUrl(service.database.url, name);
    given = { app: appUrl, owner: database.ownerUrl, reader: appUrl };
  });
  afterAll(() => database.drop());

  const problems = async () => examineRole(given.app);

  it('grants what is missing and takes back what is too much, and then nothing', async () => {
    const roles = { ...given, reader: null };
    await migrate(roles);
    expect(await problems()).toEqual([]);
    const user = new URL(given.app).username;
    await database.query(`REVOKE INSERT ON payments FROM ${user}; GRANT DELETE ON events TO PUBLIC;
      GRANT UPDATE (amount), TRIGGER ON payments TO ${user}; GRANT CREATE ON SCHEMA public TO ${user}`);
    expect((await problems()).join('; ')).toBe(
      'it may make tables, temporary ones at least; it may do too much: DELETE events, ' +
        'TRIGGER payments, UPDATE payments.amount; it lacks INSERT payments: run migrate as the owner',
    );
    await migrate(roles);
    expect(await problems()).toEqual([]);
    const version = 'SELECT relname, xmin::text FROM pg_class ORDER BY 1';
    const before = await database.query(version);
    await migrate(roles);
    expect(await database.query(version)).toEqual(before);
  });

  it('covers a table that is added later, by what the table says of itself', async () => {
    await database.query(`CREATE TABLE notes (id int PRIMARY KEY, text text);
      CREATE TABLE facts (id int PRIMARY KEY, seen int);
      CREATE TRIGGER facts_stay BEFORE DELETE OR TRUNCATE OR UPDATE OF id ON facts
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('facts stay')`);
    expect((await problems()).join()).toMatch(/lacks .*INSERT facts.*SELECT notes/);
    await migrate({ ...given, reader: null });
    expect(await problems()).toEqual([]);
    const client = new pg.Client(given.app);
    await client.connect();
    const verdicts = [];
    for (const sql of [
      "INSERT INTO notes VALUES (1, 'a')",
      'UPDATE notes SET id = 2',
      'DELETE FROM notes',
      'INSERT INTO facts VALUES (1, 1)',
      'UPDATE facts SET seen = 2',
      'UPDATE facts SET id = 2',
      'DELETE FROM facts',
    ]) {
      verdicts.push(await attempt(client, sql));
    }
    await client.end();
    expect(verdicts).toEqual(['none', 'none', 'none', 'none', 'none', DENIED, DENIED]);
  });

  it('tells the owner of everything that it is, and who is behind that it may not migrate', async () => {
    expect(await examineRole(given.owner)).toEqual([
      "the service's role owns its tables: it could switch off its own guards",
    ]);
    await database.query('DELETE FROM migrations');
    await expect(migrate(given.app)).rejects.toThrow(/DATABASE_OWNER_URL/);
  });

  it('lets a reader read, but nothing that a secret is known by', async () => {
    const own = await aDatabase();
    try {
      const name = new URL(own.ownerUrl).pathname.slice(1);
      const reader = databaseUrl(service.database.url, name);
      const user = new URL(reader).username;
      await own.query(`REVOKE ALL ON ALL TABLES IN SCHEMA public FROM ${user}`);
      await migrate({ app: own.ownerUrl, owner: own.ownerUrl, reader });
      const client = new pg.Client(reader);
      await client.connect();
      const verdicts = [];
      for (const sql of [
        'SELECT * FROM transfers',
        'SELECT * FROM documents',
        'SELECT client_id, name FROM api_clients',
        'SELECT secret_sha256 FROM api_clients',
        'SELECT * FROM portal_tokens',
        'SELECT expires_at FROM portal_tokens',
        'SELECT token_sha256 FROM refresh_tokens',
        'SELECT count(*) FROM idempotency_keys',
        'SELECT outcome FROM gateway_deliveries',
        'SELECT sealed_delivery FROM gateway_deliveries',
        "UPDATE accounts SET name = 'mine'",
        'DELETE FROM documents',
      ]) {
        verdicts.push(await attempt(client, sql));
      }
      await client.end();
      const [yes, no] = ['none', DENIED];
      expect(verdicts).toEqual([yes, yes, yes, no, no, yes, no, no, yes, no, no, no]);
    } finally {
      await own.drop();
    }
  });
});
