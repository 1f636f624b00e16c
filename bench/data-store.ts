import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { AppModule } from '../src/app.module.js';
import { Accounts, ApiClients } from '../src/auth/index.js';
import { prepareGateways, platformOptions } from '../src/boot.js';
import { publicId, type Uuid } from '../src/kernel/ids.js';
import { ADD_TO_SUMS } from '../src/books/infrastructure/transfer-sums.repository.js';
import { sealBetween } from '../src/integrity/infrastructure/seals.repository.js';
import { Providers } from '../src/gateways/index.js';
import { loadConfig } from '../src/platform/config/config.js';
import { dataSourceOptions } from '../src/platform/database/data-source.js';
import { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../src/platform/database/migrate.js';
import { SCOPES } from '../src/platform/http/access.js';
import { createLog } from '../src/platform/observability/log.js';
import { byOperator, operator } from '../src/platform/process-identity.js';
import { withoutIndexes } from './bulk-load.js';
import * as sql from './data-sql.js';

/** The tables that are filled with many rows. */
const TABLES = [
  'documents',
  'document_contents',
  'pending_documents',
  'document_lines',
  'document_tax_groups',
  'payments',
  'transfers',
  'events',
];
const BATCH = 20_000;
/** As a service would have sealed them that was not always at work. */
const WINDOWS = 500;
const YEAR_MS = 365.25 * 86_400_000;
/** Of all accounts: with more documents the history is longer, and a month has as many. */
const DOCUMENTS_A_YEAR = 200_000;
/** Transactions whose transfers are summed at once. */
const SUMMED_AT_ONCE = 1_000_000;

/** The large account first; of 40 documents it has 36, the others one each. */
const ACCOUNTS = [
  { name: 'Acme Wholesale', customers: 16_000 },
  { name: 'Bits and Pieces', customers: 1000 },
  { name: 'Corner Studio', customers: 1000 },
  { name: 'Delta Repairs', customers: 1000 },
  { name: 'Evergreen Travel', customers: 1000 },
];

/** An account and a client that may do everything in it. */
export interface DataAccount {
  name: string;
  accountId: Uuid;
  clientId: string;
  clientSecret: string;
}

/** The record of a filled database. */
interface Marker {
  /** Changes with the schema, with what is generated, and with how much. */
  key: string;
  accounts: DataAccount[];
}

/** How much there is. */
export interface DataSize {
  documents: number;
  /** In how many payments a document is paid, at most 6. */
  payments: number;
}

export interface BenchData {
  folder: string;
  databaseUrl: string;
  /** The large one first. */
  accounts: DataAccount[];
  stop(): Promise<void>;
}

/** Opens the filled database of that many documents, and fills it first where it is not there. */
export async function openData(size: DataSize, say: (line: string) => void): Promise<BenchData> {
  const { documents, payments } = size;
  const folder = resolve('.bench', `data-${documents}-${payments}`);
  const markerFile = join(folder, 'marker.json');
  const key = keyOf(size);
  const marker = await readMarker(markerFile);
  if (marker?.key !== key) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
  }
  const database = await EmbeddedPostgres.start({
    dataDir: join(folder, 'postgres'),
    log: () => undefined,
  });
  try {
    let accounts = marker?.accounts ?? [];
    if (marker?.key === key) {
      say(`the ${documents} documents are there already`);
    } else {
      accounts = await fill(database.urls.owner, folder, size, say);
      await writeFile(markerFile, JSON.stringify({ key, accounts } satisfies Marker), {
        mode: 0o600,
      });
    }
    return { folder, databaseUrl: database.urls.owner, accounts, stop: () => database.stop() };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

function keyOf(size: DataSize): string {
  const limits = { poolSize: 1, lockTimeoutMs: 0, statementTimeoutMs: 0 };
  const { migrations } = dataSourceOptions({ url: '', ...limits });
  const made = {
    size,
    windows: WINDOWS,
    aYear: DOCUMENTS_A_YEAR,
    accounts: ACCOUNTS,
    sql,
    schema: migrations.map(({ name }) => name),
  };
  return createHash('sha256').update(JSON.stringify(made)).digest('hex');
}

async function readMarker(file: string): Promise<Marker | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Marker);
}

async function fill(
  url: string,
  folder: string,
  size: DataSize,
  say: (line: string) => void,
): Promise<DataAccount[]> {
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    say(`${name}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  };
  await migrate(url);
  const now = new Date();
  const client = await connect(url);
  try {
    await client.query(sql.CREATE_PLAN);
    const accounts = await createAccounts(url, folder, client);
    const first = new Date(now.getTime() - (size.documents / DOCUMENTS_A_YEAR) * YEAR_MS);
    await timed('customers and numbers', async () => {
      await client.query(sql.PLAN_CUSTOMERS, [first]);
      await client.query(sql.INSERT_CUSTOMERS, [first]);
      await client.query(sql.PLAN_DOCUMENTS, [size.documents, first, now]);
      await client.query(sql.INSERT_SERIES, [first]);
      await client.query(sql.INSERT_COUNTERS);
      await client.query('ANALYZE bench.documents, bench.customers, bench.accounts, accounts');
    });
    await withoutIndexes(client, TABLES, timed, () => insertDocuments(url, size, now));
    await client.query(sql.DROP_PLAN);
    await timed('VACUUM, ANALYZE', () => client.query('VACUUM (ANALYZE)'));
    await timed('sums', () => sumAll(url, size));
    await timed('seals', () => sealAll(url, size));
    // Beyond them, the transactions that come go on counting.
    await migrate(url);
    for (const table of [...TABLES, 'customers']) {
      const { rows } = await client.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
      say(`${table}: ${Number(rows[0]?.count).toLocaleString('en')} rows`);
    }
    return accounts;
  } finally {
    await client.end();
  }
}

async function createAccounts(
  url: string,
  folder: string,
  client: pg.Client,
): Promise<DataAccount[]> {
  const secret = 'a secret of the bench of 32 characters or more';
  const env = { DATABASE_URL: url, QUITTANCE_DATA_DIR: folder, QUITTANCE_SECRET: secret };
  const config = await loadConfig(env, folder, new Providers());
  await prepareGateways(config);
  const app = await NestFactory.createApplicationContext(
    AppModule.with(platformOptions(config, createLog('error'), url)),
    { logger: false, abortOnError: false },
  );
  try {
    const accounts: DataAccount[] = [];
    for (const [index, { name, customers }] of ACCOUNTS.entries()) {
      const service = app.get(Accounts);
      const { accountId } = await service.create(operator(), {
        name,
        mode: 'test',
        currency: 'EUR',
        timeZone: 'UTC',
      });
      const wish = { name: 'bench', scopes: SCOPES };
      const made = await app.get(ApiClients).create(byOperator(accountId), null, wish);
      const { clientId: clientUuid } = made.client;
      const clientId = publicId('cli', clientUuid);
      await client.query(sql.PLAN_ACCOUNT, [index + 1, accountId, clientUuid, clientId, customers]);
      accounts.push({ name, accountId, clientId, clientSecret: made.secret });
    }
    return accounts;
  } finally {
    await app.close();
  }
}

/** Batch after batch, on as many connections as there are processors. */
async function insertDocuments(
  url: string,
  { documents, payments }: DataSize,
  now: Date,
): Promise<void> {
  let next = 1;
  const work = async () => {
    const client = await connect(url);
    try {
      while (next <= documents) {
        const from = next;
        next += BATCH;
        await client.query(sql.INSERT_DOCUMENTS, [from, from + BATCH - 1, now, payments]);
      }
    } finally {
      await client.end();
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** As the service does behind those who book. */
async function sumAll(url: string, { documents }: DataSize): Promise<void> {
  const client = await connect(url);
  try {
    const end = sql.xactAfter(documents);
    for (let from = 0; from < end; from += SUMMED_AT_ONCE)
      await client.query(ADD_TO_SUMS, [from, Math.min(end, from + SUMMED_AT_ONCE)]);
    await client.query(`UPDATE event_marks SET through_xact = $1 WHERE consumer = 'sums'`, [end]);
    await client.query('VACUUM (ANALYZE) transfer_sums, claim_sums, gateway_sums');
  } finally {
    await client.end();
  }
}

/** One window after the other, as the service does. */
async function sealAll(url: string, { documents }: DataSize): Promise<void> {
  const client = await connect(url);
  try {
    const end = sql.xactAfter(documents);
    const length = Math.ceil(end / WINDOWS);
    for (let from = 0; from < end; from += length) {
      await sealBetween(client, BigInt(from), BigInt(from + length));
    }
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    `SET synchronous_commit = off; SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'`,
  );
  return client;
}
