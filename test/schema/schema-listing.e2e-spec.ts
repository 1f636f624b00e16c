import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/platform/database/migrate.js';
import {
  listSchema,
  MIGRATED_SCHEMA,
  schemaDifferences,
} from '../../src/platform/database/schema-listing.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { schemaText, WITHOUT_COMMENT } from '../support/schema-text.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

/** After a change that is taken back again. */
async function differencesAfter(sql: string, of = database) {
  const client = await of.connect();
  try {
    await client.query('BEGIN');
    await client.query(sql);
    return schemaDifferences(await listSchema(client), MIGRATED_SCHEMA);
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

/** Each trigger, check, default, function and partial index, made anew of its printed form. */
const MADE_OF_PRINT = `DO $$ DECLARE one record; BEGIN
  FOR one IN
    SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS gone,
      pg_get_triggerdef(oid) AS printed
    FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
        pg_get_constraintdef(oid))
    FROM pg_constraint
    WHERE contype = 'c' AND conrelid <> 0 AND connamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('ALTER DOMAIN %s DROP CONSTRAINT %I', contypid::regtype, conname),
      format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', contypid::regtype, conname,
        pg_get_constraintdef(oid))
    FROM pg_constraint
    WHERE contype = 'c' AND contypid <> 0 AND connamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT', adrelid::regclass, attname),
      format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', adrelid::regclass, attname,
        pg_get_expr(adbin, adrelid))
    FROM pg_attrdef JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum)
    WHERE attgenerated = '' AND attidentity = ''
    UNION ALL
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class c ON c.oid = indexrelid
    WHERE indpred IS NOT NULL AND relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'SELECT 1', pg_get_functiondef(p.oid)
    FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')
      AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass
        AND d.objid = p.oid AND d.deptype = 'e')
  LOOP
    EXECUTE one.gone;
    EXECUTE one.printed;
  END LOOP;
END $$`;

describe('docs/schema.sql', () => {
  it('is what the migrations make; `npm run schema` writes it', async () => {
    const client = await database.connect();
    const text = await schemaText(client).finally(() => client.end());
    expect(await readFile(new URL('../../docs/schema.sql', import.meta.url), 'utf8')).toBe(text);
  });

  it('says something of each table and column, and names each rule', async () => {
    expect(await database.query(WITHOUT_COMMENT)).toEqual([]);
    const checks = await database.query<{ name: string }>(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'c'
         AND connamespace = 'public'::regnamespace`,
    );
    expect(checks.length).toBeGreaterThan(80);
    // PostgreSQL's own name for a CHECK without a name.
    expect(checks.filter(({ name }) => /_check\d*$/.test(name))).toEqual([]);
  });
});

describe('the listed schema', () => {
  it('is what the migrations make; `npm run schema` writes it', async () => {
    expect(await differencesAfter('SELECT 1')).toEqual([]);
    const { columns, definitions } = MIGRATED_SCHEMA;
    expect(Object.values(columns).flatMap(Object.keys).length).toBeGreaterThan(800);
    expect(Object.keys(definitions).length).toBeGreaterThan(700);
  });

  it('is the same where the catalog has other ids, and names are found on another path', async () => {
    const other = await aDatabase({ migrated: false });
    try {
      await other.query(`CREATE SCHEMA apart; CREATE DOMAIN apart.ledger_fact AS text;
        CREATE DOMAIN apart.ledger_account AS text`);
      await migrate(other.url);
      expect(await differencesAfter('SET search_path = apart, public', other)).toEqual([]);
    } finally {
      await other.drop();
    }
  });

  it('is the same after a dump, which makes everything of what PostgreSQL prints', async () => {
    expect(await differencesAfter(MADE_OF_PRINT)).toEqual([]);
  });

  it('leaves the search path of the connection as it was', async () => {
    const client = await database.connect();
    await client.query('BEGIN');
    await listSchema(client);
    const { rows } = await client.query('SHOW search_path');
    await client.end();
    expect(rows).toEqual([{ search_path: '"$user", public' }]);
  });

  it('does not say how far the offset of transactions is', async () => {
    for (const offset of ['12345', '1234567890123']) {
      const differences = await differencesAfter(`CREATE OR REPLACE FUNCTION book_xact_offset()
        RETURNS bigint LANGUAGE sql STABLE RETURN ${offset}::bigint`);
      expect(differences).toEqual([]);
    }
  });

  it.each([
    'CREATE TABLE reports_of_mine (a integer PRIMARY KEY CHECK (a > 0))',
    'CREATE FUNCTION of_mine() RETURNS integer LANGUAGE sql RETURN 1',
    'CREATE INDEX of_mine ON payments (recorded_at)',
    'CREATE VIEW of_mine AS SELECT * FROM payments',
    'COMMENT ON TABLE payments IS $$ours$$',
  ])('lets an operator add what changes nothing: %s', async (sql) => {
    expect(await differencesAfter(sql)).toEqual([]);
  });

  it.each([
    [
      'DROP TRIGGER transfers_append_only ON transfers',
      'trigger transfers_append_only on transfers',
    ],
    [
      'ALTER TABLE transfers DISABLE TRIGGER transfers_append_only',
      'trigger transfers_append_only on transfers',
    ],
    [
      `CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
         AS 'BEGIN RETURN NULL; END'`,
      'function refuse_change()',
    ],
    [
      `CREATE OR REPLACE FUNCTION transfer_is_sound(debit text, credit text, amount bigint,
         currency text) RETURNS boolean LANGUAGE sql IMMUTABLE RETURN true`,
      'function transfer_is_sound(debit text, credit text, amount bigint, currency text)',
    ],
    [
      `CREATE FUNCTION swallow() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
       CREATE TRIGGER swallow BEFORE INSERT ON transfers FOR EACH ROW EXECUTE FUNCTION swallow()`,
      'trigger swallow on transfers',
    ],
    ['CREATE RULE keep AS ON UPDATE TO documents DO INSTEAD NOTHING', 'rule keep on documents'],
    ['ALTER TABLE payments ENABLE ROW LEVEL SECURITY', 'table payments'],
    ['CREATE POLICY few ON payments USING (amount > 5)', 'policy few on payments'],
    ['ALTER TABLE events SET UNLOGGED', 'table events'],
    ['CREATE TABLE more () INHERITS (transfers)', 'table transfers'],
    [
      'ALTER TABLE transfers DROP CONSTRAINT transfers_sound',
      'constraint transfers_sound on transfers',
    ],
    [
      `ALTER TABLE transfers DROP CONSTRAINT transfers_sound,
         ADD CONSTRAINT transfers_sound CHECK (amount > -5)`,
      'constraint transfers_sound on transfers',
    ],
    [
      'ALTER TABLE refund_parts DROP CONSTRAINT refund_parts_account_id_document_id_fkey',
      'constraint refund_parts_account_id_document_id_fkey on refund_parts',
    ],
    ['ALTER TABLE documents ALTER currency DROP NOT NULL', 'column documents.currency'],
    ['ALTER TABLE allocations ALTER reason TYPE varchar', 'column allocations.reason'],
    [`ALTER TABLE documents ALTER currency SET DEFAULT 'EUR'`, 'column documents.currency'],
    ['ALTER TABLE transfers ALTER xact SET DEFAULT 1', 'column transfers.xact'],
    ['ALTER TABLE documents ADD COLUMN hidden text', 'column documents.hidden'],
    ['ALTER TABLE customers DROP COLUMN search CASCADE', 'column customers.search'],
    ['DROP INDEX payments_bank_entry', 'unique index payments_bank_entry on payments'],
    [
      'ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known',
      'constraint ledger_fact_known of domain ledger_fact',
    ],
    ['ALTER DOMAIN ledger_fact SET DEFAULT $$x$$', 'domain ledger_fact'],
    ['DROP TABLE held_work', 'table held_work'],
    [
      `CREATE OR REPLACE FUNCTION book_xact_offset() RETURNS bigint LANGUAGE sql STABLE
         RETURN -(SELECT max(xact) FROM events)`,
      'function book_xact_offset()',
    ],
  ])('does not agree after: %s', async (sql, name) => {
    const names = (await differencesAfter(sql)).map((one) => one.name);
    expect(names).toContain(name);
    const isOfTable = /^(DROP TABLE|CREATE TABLE)/.test(sql);
    expect(names.length).toBeLessThan(isOfTable ? 20 : 5);
  });
});
