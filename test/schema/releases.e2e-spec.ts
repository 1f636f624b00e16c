import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { IntegrityQuery } from '../../src/integrity/index.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { listSchema, MIGRATED_SCHEMA } from '../../src/platform/database/schema-listing.js';
import { booksOfEverything, sealAll } from '../support/books.js';
import type { TestDatabase } from '../support/database.js';
import { keptRelease } from '../support/kept-release.js';
import {
  aCopyOfTheBaseline,
  aReleasedDatabase,
  type KeptRelease,
  migrationDigests,
} from '../support/restore.js';
import { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';

// A migration has to work on what each release left: the folder's README.md says what to add with one.

const FOLDER = new URL('../fixtures/releases/', import.meta.url);
const RELEASES = readdirSync(FOLDER).filter((name) => name.endsWith('.json.gz'));

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

const numberAtEnd = (text: string | null) => Number(/\d+$/.exec(text ?? '')?.[0]);

/** Its own client logs in, its numbers go on without a gap, and money comes in and goes back. */
async function clientGoesOn(service: TestService, kept: KeptRelease): Promise<void> {
  const client = new TestClient(service.url, service.clock, kept.client);
  const invoice = await client.anInvoice();
  expect(numberAtEnd(invoice.number)).toBe(numberAtEnd(kept.lastNumber) + 1);
  const paid = await client.pay(invoice, { amount: 100 });
  expect(paid.status).toBe(201);
  const { payment } = paid.body as { payment: { id: string } };
  const asked = { amount: 100, method: 'cash' };
  const refunded = await client.post(`/v1/finance/payments/${payment.id}/refunds`, asked);
  expect(refunded.status).toBe(201);
  expect((await client.void(await client.anInvoice())).number).not.toBeNull();
  const { differences } = await service.app.get(IntegrityQuery).differences();
  expect(differences).toEqual([]);
}

/** Migrated, it has the schema of now, its books agree, and it works on. */
async function goesOn(database: TestDatabase): Promise<TestService> {
  databases.push(database);
  await migrate(database.url);
  expect(await schemaOf(database)).toEqual(MIGRATED_SCHEMA);
  const service = await serviceOn(database);
  const { differences } = await service.app.get(IntegrityQuery).differences();
  expect(differences).toEqual([]);
  const client = await service.aClient();
  expect((await client.pay(await client.anInvoice(), { amount: 100 })).status).toBe(201);
  return service;
}

describe('a database with data in it', () => {
  it.each(RELEASES)('of %s is migrated, and goes on', async (file) => {
    const text = gunzipSync(readFileSync(new URL(file, FOLDER))).toString();
    const kept = JSON.parse(text) as KeptRelease;
    // Databases out there have run them: what is wrong is put right by the next one.
    expect(await migrationDigests()).toMatchObject(kept.migrations);
    await clientGoesOn(await goesOn(await aReleasedDatabase(kept)), kept);
  });

  it('is kept with a release so that it can be had again', async () => {
    const kept = await keptRelease('0.0.0', await serviceOn());
    for (const table of ['payments', 'refunds', 'transfers', 'seals', 'bank_entries'])
      expect([table, kept.rows[table]?.length]).toEqual([table, expect.toSatisfy((n) => n > 0)]);
    await clientGoesOn(await goesOn(await aReleasedDatabase(kept)), kept);
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
