import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataSource, type MigrationInterface } from 'typeorm';
import { Accounts1763650000000 } from '../../migrations/1763650000000-accounts.js';
import { Documents1763650100000 } from '../../migrations/1763650100000-documents.js';
import { Payments1763650200000 } from '../../migrations/1763650200000-payments.js';
import { Numbering1763740000000 } from '../../migrations/1763740000000-numbering.js';
import type { NumberingAuditBody } from '../../src/documents/http/numbering.dto.js';
import { publicId, UuidV7Generator } from '../../src/kernel/ids.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { startTestService } from '../support/service.js';

// A database of the version before, with numbers in it.

const BEFORE = [Accounts1763650000000, Documents1763650100000, Payments1763650200000];

const ids = new UuidV7Generator();
const [usual, unusual, unused] = [ids.next(), ids.next(), ids.next()];

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
  await withMigrations(BEFORE, async (source) => source.runMigrations());
  for (const account of [usual, unusual, unused]) await anAccount(account);
  await aSeries(usual, 'invoice', 'INV-', 4);
  await aSeries(usual, 'quote', 'QUO-', 2);
  for (const number of ['INV-00001', 'INV-00002', 'INV-00003']) await aDocument(usual, number);
  await aDocument(usual, 'QUO-00001', 'quote');
  await aDocument(usual, null);
  // None of these is a number that the series gave.
  for (const number of ['inv-00002', 'INV-3', 'INV-000003', 'INV-00000', 'INV-0000A', 'X-1']) {
    await aDocument(usual, number);
  }
  // What an operator may have written: no LIKE pattern, and more digits than were asked for.
  await aSeries(unusual, 'invoice', 'A.%_', 100_001);
  await aDocument(unusual, 'A.%_100000');
  await aDocument(unusual, 'A.xy00001');
});
afterAll(() => database.drop());

async function withMigrations(
  migrations: (new () => MigrationInterface)[],
  work: (source: DataSource) => Promise<unknown>,
): Promise<void> {
  const limits = { poolSize: 2, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const options = { ...dataSourceOptions({ url: database.url, ...limits }), migrations };
  const source = await new DataSource(options).initialize();
  await work(source).finally(() => source.destroy());
}

async function anAccount(account: string): Promise<void> {
  await database.query(
    `INSERT INTO accounts VALUES ($1, 'Acme', '{"name": "Acme"}', 'EUR', 'UTC', now())`,
    [account],
  );
  // Its only customer has its id.
  await database.query(`INSERT INTO customers VALUES ($1, $1, '{"name": "Globex"}', now())`, [
    account,
  ]);
}

async function aSeries(account: string, kind: string, prefix: string, next: number) {
  await database.query('INSERT INTO number_series VALUES ($1, $2, $3, $4)', [
    account,
    kind,
    prefix,
    next,
  ]);
}

/** Without a number, a draft. */
async function aDocument(account: string, number: string | null, kind = 'invoice') {
  await database.query(
    `INSERT INTO documents (account_id, document_id, kind, lifecycle, number, currency, customer_id,
       seller, customer, issue_date, due_date, metadata, net_total, tax_total, total, version,
       event_sequence, created_at, issued_at)
     VALUES ($1, $2, $3, CASE WHEN $4::text IS NULL THEN 'draft' ELSE 'open' END, $4, 'EUR', $1,
       '{}', '{}', '2026-01-01', '2026-02-01', '{}', 0, 0, 0, 1, 0, now(),
       CASE WHEN $4::text IS NOT NULL THEN now() END)`,
    [account, ids.next(), kind, number],
  );
}

const series = async () =>
  database.query(
    `SELECT account_id, series, kind, pattern, reset, is_default, start_at FROM number_series
     ORDER BY account_id, series`,
  );
const counters = async () =>
  database.query(
    `SELECT account_id, series, period, first_sequence, last_sequence FROM number_counters
     ORDER BY account_id, series`,
  );

const old = async () => ({
  series: await database.query('SELECT * FROM number_series ORDER BY account_id, kind'),
  documents: await database.query('SELECT * FROM documents ORDER BY document_id'),
});

const row = (
  account_id: string,
  name: string,
  pattern: string,
  kind = name,
  is_default = true,
) => ({ account_id, series: name, kind, pattern, reset: 'never', is_default, start_at: 1n });

const counter = (account_id: string, name: string, last_sequence: bigint) => ({
  account_id,
  series: name,
  period: '',
  first_sequence: 1n,
  last_sequence,
});

describe('the migration to number series', () => {
  it('goes back to what was there', async () => {
    const before = await old();
    await withMigrations([...BEFORE, Numbering1763740000000], async (source) => {
      await source.runMigrations();
      await source.undoLastMigration();
    });
    expect(await old()).toEqual(before);
  });

  it('turns prefixes into patterns, and gives their accounts the other series', async () => {
    expect((await migrate(database.url)).length).toBeGreaterThan(0);
    expect(await series()).toEqual([
      row(usual, 'credit_note', 'CRN-{SEQ:5}'),
      row(usual, 'invoice', 'INV-{SEQ:5}'),
      row(usual, 'proforma', 'PRO-{SEQ:5}', 'quote', false),
      row(usual, 'quote', 'QUO-{SEQ:5}'),
      row(unusual, 'credit_note', 'CRN-{SEQ:5}'),
      row(unusual, 'invoice', 'A.%_{SEQ:5}'),
      row(unusual, 'proforma', 'PRO-{SEQ:5}', 'quote', false),
      row(unusual, 'quote', 'QUO-{SEQ:5}'),
    ]);
    expect(await counters()).toEqual([
      counter(usual, 'invoice', 3n),
      counter(usual, 'quote', 1n),
      counter(unusual, 'invoice', 100_000n),
    ]);
  });

  it('gives each document the place that its number says', async () => {
    const placed = await database.query(
      `SELECT number, number_series || ' ' || number_period || number_sequence AS place
       FROM documents ORDER BY account_id, document_id`,
    );
    expect(placed.map(({ number, place }) => [number, place])).toEqual([
      ['INV-00001', 'invoice 1'],
      ['INV-00002', 'invoice 2'],
      ['INV-00003', 'invoice 3'],
      ['QUO-00001', 'quote 1'],
      [null, null],
      ...['inv-00002', 'INV-3', 'INV-000003', 'INV-00000', 'INV-0000A', 'X-1'].map((number) => [
        number,
        null,
      ]),
      ['A.%_100000', 'invoice 100000'],
      ['A.xy00001', null],
    ]);
  });

  it('leaves issued documents frozen, their places too', async () => {
    for (const assignment of [`number = 'X'`, 'number_sequence = 9', 'total = 1, net_total = 1']) {
      const change = `UPDATE documents SET ${assignment} WHERE number = 'INV-00001'`;
      await expect(database.query(change)).rejects.toMatchObject({ code: '23000' });
    }
  });

  it('lets the counts go on where they were', async () => {
    const service = await startTestService({ database });
    try {
      const client = await service.aClient({ of: { accountId: publicId('acc', usual) } });
      expect((await client.anInvoice()).number).toBe('INV-00004');
      expect((await client.aQuote()).number).toBe('QUO-00002');
      const path = '/v1/finance/numbering/invoice/audit';
      const audit = await client.get<NumberingAuditBody>(path);
      expect(audit.body).toMatchObject({
        periods: [{ period: '', first: 1, last: 4, count: 4, gap_count: 0, strays: 0 }],
        complete: true,
      });
      const other = await service.aClient({ of: { accountId: publicId('acc', unusual) } });
      expect((await other.anInvoice()).number).toBe('A.%_100001');
      expect((await other.get<NumberingAuditBody>(path)).body).toMatchObject({
        periods: [{ count: 2, gaps: [{ from: 1, to: 99_999 }] }],
        complete: false,
      });
      const third = await service.aClient({ of: { accountId: publicId('acc', unused) } });
      expect((await third.anInvoice()).number).toBe('INV-00001');
    } finally {
      await service.close();
    }
  });
});
