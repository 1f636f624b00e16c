import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Injectable, Module } from '@nestjs/common';
import { defineExtension } from '../../../src/extensions/extension.js';
import { Facts } from '../../../src/extensions/facts.js';
import { Installation } from '../../../src/extensions/installation.js';
import { IntegrityQuery } from '../../../src/integrity/index.js';
import type { ExtensionMigration } from '../../../src/platform/database/extension-migrations.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { sealAll } from '../../support/books.js';
import type { TestClient } from '../../support/client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { startTestService, type TestService } from '../../support/service.js';

/* Tables of an extension that are sealed: append-only, and in the chains of seals as the books are. */

@Injectable()
class Visits {
  constructor(facts: Facts) {
    facts.on('payment.recorded', (tx, { accountId, data: { payment } }) =>
      tx.insert('ext_visits_seen', {
        account_id: accountId,
        payment_id: payment.id,
        amount: payment.amount,
      }),
    );
  }
}

@Module({ providers: [Visits] })
class VisitsModule {}

const SEEN = `CREATE TABLE ext_visits_seen (account_id uuid NOT NULL, payment_id text NOT NULL,
  amount bigint, "An ""odd"" name" text DEFAULT 'x', PRIMARY KEY (account_id, payment_id))`;
const STEP: ExtensionMigration = { name: '1-seen', sql: SEEN, seals: ['ext_visits_seen'] };
const visits = (...migrations: ExtensionMigration[]) =>
  new Installation([
    defineExtension({ name: 'visits', quittance: '^0.2', module: VisitsModule, migrations }),
  ]);

const migrated = async (database: TestDatabase, ...steps: ExtensionMigration[]) =>
  migrate({ app: database.url, owner: database.ownerUrl, reader: null }, visits(...steps).migrated);

let database: TestDatabase;
let service: TestService;
let client: TestClient;
beforeAll(async () => {
  database = await aDatabase();
  await migrated(database, STEP);
  service = await startTestService({ installation: visits(STEP), database });
  client = await service.aClient();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function differences(by: TestService = service) {
  const { differences: found } = await by.app.get(IntegrityQuery).differences();
  return found.map(({ check }) => check);
}

/** As the owner, who can turn triggers off. */
async function tamper(sql: string, table = 'ext_visits_seen') {
  await database.query(
    `ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql}; ALTER TABLE ${table} ENABLE TRIGGER USER`,
  );
}

const CHANGED = 'what was sealed of ext_visits_seen is what is there';

describe('a sealed table of an extension', () => {
  it('is in the chain of its account, and agrees', async () => {
    const paid = await client.pay(await client.anInvoice(), { amount: 2500 });
    expect(paid.status).toBe(201);
    expect(await differences()).toEqual([]);
    const [open] = await database.query('SELECT count(*) AS n FROM ext_visits_seen');
    expect(open).toEqual({ n: 1n });
    await sealAll(service);
    const [seal] = await database.query(
      `SELECT contents->'ext_visits_seen'->>'rows' AS rows FROM seals
       WHERE contents ? 'ext_visits_seen'`,
    );
    expect(seal).toEqual({ rows: '1' });
    expect(await differences()).toEqual([]);
    const found = await service.app.get(IntegrityQuery).differences();
    expect(found.unsealed).toBe(0n);
  });

  it.each([
    'UPDATE ext_visits_seen SET amount = 1',
    'DELETE FROM ext_visits_seen',
    'TRUNCATE ext_visits_seen',
  ])('refuses its owner %s', async (sql) => {
    await expect(database.query(sql)).rejects.toThrow('on ext_visits_seen is refused');
  });

  it.each([
    [
      'changed',
      'UPDATE ext_visits_seen SET amount = amount + 1',
      'UPDATE ext_visits_seen SET amount = amount - 1',
    ],
    [
      'moved',
      'UPDATE ext_visits_seen SET xact = xact - 1',
      'UPDATE ext_visits_seen SET xact = xact + 1',
    ],
    [
      'added',
      `INSERT INTO ext_visits_seen SELECT account_id, 'x', 1, 'y', xact FROM ext_visits_seen`,
      `DELETE FROM ext_visits_seen WHERE payment_id = 'x'`,
    ],
  ])('tells a row that was %s behind its triggers', async (_, change, back) => {
    await tamper(change);
    expect(await differences()).toEqual([CHANGED]);
    await tamper(back);
    expect(await differences()).toEqual([]);
  });

  it('stays sealed while its extension is away', async () => {
    const alone = await startTestService({ database });
    try {
      expect(await differences(alone)).toEqual([]);
      await tamper('UPDATE ext_visits_seen SET amount = amount + 1');
      expect(await differences(alone)).toEqual([CHANGED]);
      await tamper('UPDATE ext_visits_seen SET amount = amount - 1');
    } finally {
      await alone.close();
    }
  });

  it('cannot be taken out of the list, nor be taken away, unseen', async () => {
    await tamper(
      `CREATE TABLE kept AS SELECT * FROM extension_seals; DELETE FROM extension_seals`,
      'extension_seals',
    );
    expect(await differences()).toEqual(['each table that was sealed is known']);
    await database.query('INSERT INTO extension_seals SELECT * FROM kept; DROP TABLE kept');
    await database.query('ALTER TABLE ext_visits_seen RENAME TO ext_visits_gone');
    expect(await differences()).toContain(CHANGED);
    // The books of all others are sealed meanwhile.
    await (await service.aClient()).anInvoice();
    await sealAll(service);
    await database.query('ALTER TABLE ext_visits_gone RENAME TO ext_visits_seen');
    expect(await differences()).toEqual([]);
  });

  it('may be sealed later, with the rows that it has', async () => {
    const later = await aDatabase();
    try {
      await migrated(later, { name: '1-seen', sql: SEEN });
      await later.query(
        `INSERT INTO ext_visits_seen SELECT gen_random_uuid(), n::text, n FROM generate_series(1, 3) n`,
      );
      const second = { name: '2-sealed', sql: 'SELECT 1', seals: ['ext_visits_seen'] };
      await migrated(later, { name: '1-seen', sql: SEEN }, second);
      const other = await startTestService({ database: later });
      await (await other.aClient()).anInvoice();
      await sealAll(other);
      expect(await differences(other)).toEqual([]);
      const [row] = await later.query(
        `SELECT count(*) AS n FROM seals WHERE contents ? 'ext_visits_seen'`,
      );
      expect(row).toEqual({ n: 3n });
      await other.close();
    } finally {
      await later.drop();
    }
  });
});

const wrong = async (sql: string, seals: string[], first: ExtensionMigration[] = []) => {
  const own = await aDatabase();
  try {
    return await migrated(own, ...first, { name: 'wrong', sql, seals });
  } finally {
    await own.drop();
  }
};

describe('a step that seals', () => {
  it.each<[string, string, string[], string]>([
    [
      'what is no table',
      'SELECT 1',
      ['ext_visits_gone'],
      'seals ext_visits_gone, which is no table',
    ],
    [
      'the table of another',
      'SELECT 1',
      ['ext_other_seen'],
      'ext_other_seen, which is not its own',
    ],
    [
      'a table of no account',
      'CREATE TABLE ext_visits_all (id int)',
      ['ext_visits_all'],
      'needs a column account_id uuid NOT NULL',
    ],
    [
      'a table with a type of its own',
      'CREATE TABLE ext_visits_all (account_id uuid NOT NULL, of transfers)',
      ['ext_visits_all'],
      'has columns of types that PostgreSQL does not bring: of',
    ],
    [
      'a table twice',
      'CREATE TABLE ext_visits_all (account_id uuid NOT NULL)',
      ['ext_visits_all', 'ext_visits_all'],
      'has a column xact already',
    ],
  ])('%s is refused', async (_, sql, seals, sentence) => {
    await expect(wrong(sql, seals)).rejects.toThrow(sentence);
  });

  it.each([
    'ALTER TABLE ext_visits_seen ADD COLUMN more text',
    'DROP TABLE ext_visits_seen',
    'ALTER TABLE ext_visits_seen DISABLE TRIGGER ext_visits_seen_append_only',
  ])('and a later one that changes what is sealed (%s) is refused', async (sql) => {
    await expect(wrong(sql, [], [STEP])).rejects.toThrow(/which is sealed\. Make another table/);
  });

  it('is not the step that ran without it', async () => {
    const own = await aDatabase();
    try {
      await migrated(own, { name: '1-seen', sql: SEEN });
      await expect(migrated(own, STEP)).rejects.toThrow('has run with another text');
    } finally {
      await own.drop();
    }
  });
});
