import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../support/database.js';

// A database of the version before customers had routes is migrated with what is in it.

const ACCOUNT = '0193b5a0-0000-7000-8000-00000000aaaa';
const CUSTOMER = '0193b5a0-0000-7000-8000-000000000001';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const { migrations, ...options } = dataSourceOptions({ url: database.url, ...limits });
  const earlier = migrations.filter(({ name }) => name.slice(-13) < '1763740000000');
  const before = await new DataSource({ ...options, migrations: earlier }).initialize();
  await before.runMigrations();
  await before.destroy();
});
afterAll(() => database.drop());

describe('the migration of customers', () => {
  it('keeps them, and has them found and sorted', async () => {
    await database.query(
      `INSERT INTO accounts (account_id, name, seller, currency, time_zone, created_at)
       VALUES ($1, 'Acme', '{}', 'EUR', 'UTC', now())`,
      [ACCOUNT],
    );
    await database.query(
      `INSERT INTO customers (account_id, customer_id, profile, created_at)
       VALUES ($1, $2, $3, '2026-01-02T03:04:05Z')`,
      [ACCOUNT, CUSTOMER, { name: 'Müller & Söhne', email: 'a@b.example', tax_id: null }],
    );
    expect(await migrate(database.url)).toContain('Customers1763740100000');
    const rows = await database.query(
      `SELECT customer_id, profile->>'name' AS name, sort_name, version, metadata, currency,
         external_id, archived_at, updated_at = created_at AS untouched,
         search @@ search_query($1, 'MULLER b.exam') AS found, search @@ search_query($1, 'x') AS lost
       FROM customers`,
      [ACCOUNT],
    );
    expect(rows).toEqual([
      {
        customer_id: CUSTOMER,
        name: 'Müller & Söhne',
        sort_name: 'muller & sohne',
        version: 1,
        metadata: {},
        currency: null,
        external_id: null,
        archived_at: null,
        untouched: true,
        found: true,
        lost: false,
      },
    ]);
  });

  it('lets a process of the version before write on, while it is being replaced', async () => {
    const id = CUSTOMER.replace(/1$/, '2');
    await database.query(
      'INSERT INTO customers (account_id, customer_id, profile, created_at) VALUES ($1, $2, $3, now())',
      [ACCOUNT, id, { name: 'Late' }],
    );
    const [row] = await database.query(
      'SELECT version, sort_name FROM customers WHERE customer_id = $1',
      [id],
    );
    expect(row).toEqual({ version: 1, sort_name: 'late' });
  });

  it.each([
    `external_id = 'K-1'`,
    `external_id = ''`,
    `currency = 'eur'`,
    'payment_terms_days = -1',
    'payment_terms_days = 3651',
    'version = 0',
    `profile = profile - 'name'`,
  ])('has the schema refuse %s', async (assignment) => {
    const other = CUSTOMER.replace(/1$/, '2');
    await database.query(`UPDATE customers SET external_id = 'K-1' WHERE customer_id = $1`, [
      CUSTOMER,
    ]);
    const change = database.query(`UPDATE customers SET ${assignment} WHERE customer_id = $1`, [
      other,
    ]);
    await expect(change).rejects.toThrow(/violates (check|unique|not-null) constraint/);
  });
});
