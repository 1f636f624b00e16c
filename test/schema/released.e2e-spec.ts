import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../src/integrity/index.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { booksOfEverything, sealAll } from '../support/books.js';
import type { TestClient } from '../support/client.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { anOlderCopy, aRestoredCopy } from '../support/restore.js';
import { startTestService, type TestService } from '../support/service.js';

// A migration has to work on what each released version left: released/README.md says what to add
// with a release.

const FOLDER = new URL('./released/', import.meta.url);
const RELEASED = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

/** The first migration after `updated_at` of documents: lines had no ids, documents no details. */
const BEFORE_DETAILS = 1_764_602_100_000;

/** The first migration after charts of closed months: bank accounts and tills had no numbers. */
const BEFORE_CASH_ACCOUNTS = 1_764_644_000_000;

const services: TestService[] = [];
const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  for (const database of databases.splice(0)) await database.drop();
});

async function serviceOn(database?: TestDatabase): Promise<TestService> {
  const service = await startTestService(database ? { database } : {});
  services.push(service);
  return service;
}

/** Migrated, its books agree, and it works on. */
async function goesOn(database: TestDatabase): Promise<TestService> {
  databases.push(database);
  await migrate(database.url);
  const service = await serviceOn(database);
  const { differences } = await service.app.get(IntegrityQuery).differences();
  expect(differences).toEqual([]);
  const client = await service.aClient();
  expect((await client.pay(await client.anInvoice(), { amount: 100 })).status).toBe(201);
  return service;
}

/** Lines of payments in the journal. */
const paymentLines = async (by: TestClient) => {
  const path = '/v1/finance/reports/journal?from=2026-11-01&to=2026-11-30';
  return (await by.get(path)).text.split('\r\n').filter((line) => line.includes('payment.'));
};

describe('a database with data in it', () => {
  it.each(RELEASED)('of %s is migrated, and goes on', async (file) => {
    const database = await aDatabase({ migrated: false });
    // Lines with a backslash are psql's, not PostgreSQL's.
    const dump = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll(/^\\.*$/gm, '');
    await database.query(`${dump}; SET search_path = public`);
    await goesOn(database);
  });

  it('of the baseline, before any release, is migrated with rows in the tables of money, and goes on', async () => {
    const made = await serviceOn();
    await booksOfEverything(made, await made.aClient());
    await sealAll(made);
    const tables = ['payments', 'allocations', 'refunds', 'refund_parts', 'customer_credits'];
    tables.push('transfers', 'bank_entries', 'unmatched_receipts', 'document_pdfs', 'seals');
    const copy = await aRestoredCopy(made.database);
    for (const table of tables) {
      const count = `SELECT count(*) AS rows FROM ${table}`;
      const [[kept], [given]] = [await copy.query(count), await made.database.query(count)];
      expect([table, kept]).toEqual([table, given]);
      expect(kept).not.toEqual({ rows: 0n });
    }
    await goesOn(copy);
  });

  it('of before there were details keeps what was issued: JSON, PDF and seals', async () => {
    const made = await serviceOn();
    const client = await made.aClient();
    const invoices = [await client.anInvoice({ lines: 2 }), await client.anInvoice()];
    invoices.push(await client.anInvoice({ kind: 'quote' }));
    await client.pay(invoices[0]!, { amount: 2500 });
    await client.void(invoices[1]!);
    const shown = async (by: TestClient) =>
      Promise.all(
        invoices.map(async ({ id }) => {
          const { bytes } = await by.get(`/v1/finance/documents/${id}/pdf?as_issued=true`);
          const { lines, ...read } = await by.read({ id });
          // Only the ids of lines are new.
          return { bytes, read, lines: lines.map((line) => ({ ...line, id: null })) };
        }),
      );
    const before = await shown(client);
    await sealAll(made);
    const copy = await anOlderCopy(made.database, BEFORE_DETAILS);
    expect(await copy.query('SELECT count(*) AS rows FROM seals')).not.toEqual([{ rows: 0n }]);
    const service = await goesOn(copy);
    expect(await shown(await service.aClient({ of: client }))).toEqual(before);
  });

  it('of before tills had numbers keeps the journal of each month', async () => {
    const made = await serviceOn();
    made.clock.set('2026-11-20T12:00:00Z');
    const client = await made.aClient();
    const chart = async (body: object) => client.patch('/v1/finance/chart-of-accounts', body);
    await client.pay(await client.anInvoice(), { amount: 2500, method: 'cash' });
    await chart({ template: 'skr04' });
    await chart({ template: 'skr03', accounts: [{ account: 'cash', number: '1201' }] });
    expect(await paymentLines(client)).toEqual([expect.stringContaining('"1000","1410"')]);
    const copy = await anOlderCopy(made.database, BEFORE_CASH_ACCOUNTS);
    const service = await goesOn(copy);
    const kept = await service.aClient({ of: client });
    expect(await paymentLines(kept)).toEqual([expect.stringContaining('"1201","1410"')]);
    expect(await copy.query('SELECT cash_accounts FROM chart_settings ORDER BY version')).toEqual(
      ['1800', '1201'].map((number) => ({
        cash_accounts: [{ bankAccount: null, method: 'cash', currency: null, number }],
      })),
    );
  });
});
