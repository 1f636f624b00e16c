import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../src/integrity/index.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { listSchema, MIGRATED_SCHEMA } from '../../src/platform/database/schema-listing.js';
import { booksOfEverything, sealAll } from '../support/books.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aCopyOfTheBaseline } from '../support/restore.js';
import { startTestService, type TestService } from '../support/service.js';

// A migration has to work on what each release left: the folder's README.md says what to add with one.

const FOLDER = new URL('../fixtures/releases/', import.meta.url);
const RELEASES = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));

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

async function schemaOf(database: TestDatabase) {
  const client = await database.connect();
  try {
    await client.query('BEGIN READ ONLY');
    return await listSchema(client);
  } finally {
    await client.end();
  }
}

/** Migrated, it has the schema of now, its books agree, and it works on. */
async function goesOn(database: TestDatabase): Promise<void> {
  databases.push(database);
  await migrate(database.url);
  expect(await schemaOf(database)).toEqual(MIGRATED_SCHEMA);
  const service = await serviceOn(database);
  const { differences } = await service.app.get(IntegrityQuery).differences();
  expect(differences).toEqual([]);
  const client = await service.aClient();
  expect((await client.pay(await client.anInvoice(), { amount: 100 })).status).toBe(201);
}

describe('a database with data in it', () => {
  it.each(RELEASES)('of %s is migrated, and goes on', async (file) => {
    const database = await aDatabase({ migrated: false });
    // Lines with a backslash are psql's, not PostgreSQL's.
    const dump = readFileSync(new URL(file, FOLDER), 'utf8').replaceAll(/^\\.*$/gm, '');
    await database.query(`${dump}; SET search_path = public`);
    await goesOn(database);
  });

  it('of the baseline, before any release, is migrated with rows in the tables of money, and goes on', async () => {
    const made = await serviceOn();
    await booksOfEverything(made, await made.aClient());
    // Then, nobody had an e-invoice or an attachment, and no seal covered one.
    await made.database.query(`ALTER TABLE e_invoices DISABLE TRIGGER e_invoices_frozen;
      DELETE FROM e_invoices; ALTER TABLE e_invoices ENABLE TRIGGER e_invoices_frozen;
      ALTER TABLE document_contents DISABLE TRIGGER document_contents_frozen;
      UPDATE document_contents SET details = nullif(details - 'attachments', '{}');
      ALTER TABLE document_contents ENABLE TRIGGER document_contents_frozen`);
    await sealAll(made);
    const tables = ['payments', 'allocations', 'refunds', 'refund_parts', 'customer_credits'];
    tables.push('transfers', 'bank_entries', 'unmatched_receipts', 'document_pdfs', 'seals');
    const copy = await aCopyOfTheBaseline(made.database);
    for (const table of tables) {
      const count = `SELECT count(*) AS rows FROM ${table}`;
      const [[kept], [given]] = [await copy.query(count), await made.database.query(count)];
      expect([table, kept]).toEqual([table, given]);
      expect(kept).not.toEqual({ rows: 0n });
    }
    // Then, lines had another form for readers.
    await copy.query(`ALTER TABLE document_contents DISABLE TRIGGER document_contents_frozen;
      UPDATE document_contents SET lines = '[["by place"]]', tax_groups = '[["by place"]]';
      ALTER TABLE document_contents ENABLE TRIGGER document_contents_frozen`);
    await migrate(copy.url);
    const shown = `SELECT document_id, lines::jsonb, tax_groups::jsonb FROM document_contents
      ORDER BY document_id`;
    expect(await copy.query(shown)).toEqual(await made.database.query(shown));
    await goesOn(copy);
  });
});
