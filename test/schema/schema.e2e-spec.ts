import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, type EntityMetadata } from 'typeorm';
import { ConfigError } from '../../src/platform/config/config-error.js';
import { hasPendingMigrations, migrate } from '../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { startTestService, type TestService } from '../support/service.js';
import { sourcesOf } from '../support/source.js';

/** Reached before an account is known, by a key that nobody can guess or that a provider chose. */
const GLOBAL_TABLES = [
  'extension_migrations',
  'extension_seals',
  'api_clients',
  // One mark for the events of all.
  'event_marks',
  // A word for the work of all.
  'held_work',
  'mail_progress',
  'migrations',
  'payment_list_reads',
  'portal_tokens',
  'provider_events',
  'provider_failures',
  'provider_payout_waits',
  'provider_payouts',
  'provider_receipts',
  'refresh_tokens',
  'revocations',
  'token_families',
];

const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname`;

const COLUMNS = `SELECT c.relname AS table, a.attname AS name,
    format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
    coalesce(a.attnum = ANY (i.indkey), false) AS key
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
  WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
    AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, 2`;

const UNIQUE_KEYS = `SELECT c.relname AS table, k.relname AS name,
    pg_get_indexdef(i.indexrelid, 1, true) AS first
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class k ON k.oid = i.indexrelid
  WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace ORDER BY 1, 2`;

const FOREIGN_KEYS = `SELECT conname AS name, conrelid::regclass::text AS table,
    confrelid::regclass::text AS target, array(SELECT attname::text FROM pg_attribute
      WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns,
    array(SELECT attname::text FROM pg_attribute
      WHERE attrelid = confrelid AND attnum = ANY (confkey)) AS targets
  FROM pg_constraint WHERE contype = 'f' ORDER BY 1`;

interface ColumnOf {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
  key: boolean;
}

interface ForeignKey {
  name: string;
  table: string;
  target: string;
  columns: string[];
  targets: string[];
}

let service: TestService;
let database: TestDatabase;
beforeAll(async () => {
  service = await startTestService();
  ({ database } = service);
});
afterAll(() => service.close());

const isTenants = ({ table }: { table: string }) => !GLOBAL_TABLES.includes(table);

describe('the tenant wall', () => {
  it('has every global table by name', async () => {
    const names = (await database.query<{ name: string }>(TABLES)).map(({ name }) => name);
    expect(GLOBAL_TABLES.filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(GLOBAL_TABLES.length);
  });

  it('stands in every other table: account_id, never null', async () => {
    const columns = await database.query<ColumnOf>(COLUMNS);
    const tables = new Set(columns.filter(isTenants).map(({ table }) => table));
    const walled = columns.filter(({ name, nullable }) => name === 'account_id' && !nullable);
    expect([...tables].filter((name) => !walled.some(({ table }) => table === name))).toEqual([]);
  });

  it('begins every primary and unique key', async () => {
    const keys = await database.query<{ table: string; name: string; first: string }>(UNIQUE_KEYS);
    const open = keys.filter((key) => isTenants(key) && key.first !== 'account_id');
    expect(open).toEqual([]);
    const columns = await database.query<ColumnOf>(COLUMNS);
    const tables = new Set(columns.map(({ table }) => table));
    const keyed = new Set(columns.filter(({ key }) => key).map(({ table }) => table));
    expect([...tables].filter((table) => !keyed.has(table))).toEqual([]);
  });

  it('is carried by every foreign key to and from a tenant’s table', async () => {
    const keys = await database.query<ForeignKey>(FOREIGN_KEYS);
    expect(keys.length).toBeGreaterThan(5);
    const open = keys.filter(
      ({ table, target, columns, targets }) =>
        (isTenants({ table }) || isTenants({ table: target })) &&
        !(columns.includes('account_id') && targets.includes('account_id')),
    );
    expect(open).toEqual([]);
  });
});

const rows = (): EntityMetadata[] => service.app.get(DataSource).entityMetadatas;

describe('row classes', () => {
  it('are all known to the data source', () => {
    const files = sourcesOf('src').filter(({ path }) => path.endsWith('.row.ts'));
    const tables = files.map(({ text }) => /@Entity\('(\w+)'/.exec(text)?.[1] ?? 'no table');
    expect(
      rows()
        .map(({ tableName }) => tableName)
        .sort(),
    ).toEqual(tables.sort());
  });

  it('agree with the migrated tables, column by column', async () => {
    const columns = await database.query<ColumnOf>(COLUMNS);
    const { driver } = service.app.get(DataSource);
    for (const row of rows()) {
      const declared = row.columns.map((column) => ({
        table: row.tableName,
        name: column.databaseName,
        type: driver.normalizeType(column) + (column.isArray ? '[]' : ''),
        nullable: column.isNullable,
        key: column.isPrimary,
      }));
      declared.sort((one, other) => (one.name < other.name ? -1 : 1));
      expect(declared).toEqual(columns.filter(({ table }) => table === row.tableName));
    }
  });

  it('make no change of schema, and no relation', async () => {
    const log = await service.app.get(DataSource).driver.createSchemaBuilder().log();
    // TypeORM would drop what it does not know: keys, checks and comments are none of its business.
    const others = /\bDROP (CONSTRAINT|INDEX) |^COMMENT ON /;
    const changes = log.upQueries.filter(({ query }) => !others.test(query));
    expect(changes.map(({ query }) => query)).toEqual([]);
    expect(rows().flatMap(({ relations }) => relations)).toEqual([]);
  });
});

describe('migrations', () => {
  let fresh: TestDatabase;
  beforeAll(async () => {
    fresh = await aDatabase({ migrated: false });
  });
  afterAll(() => fresh.drop());

  const shape = async (of = fresh) => ({
    columns: await of.query(COLUMNS),
    uniqueKeys: await of.query(UNIQUE_KEYS),
    foreignKeys: await of.query(FOREIGN_KEYS),
    rules: await of.query(
      `SELECT conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS rule
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
    ),
    indexes: await of.query(
      `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
    ),
    triggers: await of.query(
      `SELECT pg_get_triggerdef(oid) AS rule FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`,
    ),
    functions: await of.query(
      `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
    ),
  });

  it('make everything once, and the same in another database', async () => {
    const up = await migrate(fresh.url);
    expect(up).toContain('Baseline1795651200000');
    expect(await migrate(fresh.url)).toEqual([]);
    const [first, other] = [await shape(), await aDatabase({ migrated: false })];
    expect(first.columns.length).toBeGreaterThan(300);
    try {
      await migrate(other.url);
      expect(await shape(other)).toEqual(first);
    } finally {
      await other.drop();
    }
  });

  it('refuse a database that was made before them, and leave it as it was', async () => {
    const own = await aDatabase({ migrated: false });
    try {
      await own.query(`CREATE TABLE migrations
        (id serial PRIMARY KEY, timestamp bigint NOT NULL, name text NOT NULL);
        INSERT INTO migrations (timestamp, name) VALUES
          (1764000000000, 'Baseline1764000000000'), (1764647000000, 'ClientsHad1764647000000')`);
      for (const ask of [migrate, hasPendingMigrations]) {
        const refused = ask(own.url);
        await expect(refused).rejects.toBeInstanceOf(ConfigError);
        await expect(refused).rejects.toThrow(
          /before the first release \(it has Baseline1764000000000/,
        );
      }
      expect(await own.query(TABLES)).toEqual([{ name: 'migrations' }]);
    } finally {
      await own.drop();
    }
  });

  it('are run once by processes that start at the same time', async () => {
    const own = await aDatabase({ migrated: false });
    try {
      const ran = await Promise.all([migrate(own.url), migrate(own.url), migrate(own.url)]);
      expect(ran.filter((names) => names.length > 0)).toHaveLength(1);
    } finally {
      await own.drop();
    }
  });
});
