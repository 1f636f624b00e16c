import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { publicId } from '../src/kernel/ids.js';
import { EmbeddedPostgres } from '../src/platform/database/embedded-postgres.js';
import type { LoadJob } from './load-job.js';
import { type Server, startServer } from './processes.js';
import { accessToken, copyDocuments, createPrototype, type Seeded, seedTextbook } from './seed.js';

export const POOL_SIZE = 20;
const DOCUMENTS = 2000;
const SECRET = 'a secret of the bench, 32 characters or more';
const GATEWAY = 'gateway-a';

export type Name = 'service' | 'bare' | 'textbook';

/** A server under test, its own database, and how it is asked for the same things. */
export interface Contestant {
  name: Name;
  server: Server;
  databaseUrl: string;
  /** Table and column that hold what is paid of each document. */
  paid: { table: string; column: string };
  payments: Pick<LoadJob, 'paths' | 'headers' | 'expect'>;
  webhooks: Pick<LoadJob, 'paths' | 'headers' | 'expect'>;
  links: string[];
}

export interface Stage {
  folder: string;
  /** Environment of the service, with its database. */
  serviceEnv: Record<string, string>;
  seeded: Seeded;
  webhookSecret: string;
  contestants: Contestant[];
  postgres: string;
  stopServers(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  links: number;
  serviceNodeArgs: string[];
  say: (line: string) => void;
}

const SCRIPTS = {
  service: new URL('../src/main.js', import.meta.url),
  bare: new URL('./bare-server.js', import.meta.url),
  textbook: new URL('./textbook-server.js', import.meta.url),
};

/** One PostgreSQL with a database for each server, all with the same number of documents. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'quittance-bench-'));
  const servers: Server[] = [];
  const dataDir = join(folder, 'postgres');
  const database = await EmbeddedPostgres.start({ dataDir, log: options.say });
  const stopServers = async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  };
  const close = async () => {
    await stopServers();
    await database.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    return { ...(await build(options, folder, database.url, servers)), folder, stopServers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function serviceEnvironment(folder: string): Record<string, string> {
  return {
    QUITTANCE_DATA_DIR: join(folder, 'service'),
    QUITTANCE_CACHE_DIR: join(folder, 'cache'),
    QUITTANCE_RATE_LIMIT: 'off',
    QUITTANCE_SECRET: SECRET,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
  };
}

export function startService(
  folder: string,
  env: Record<string, string>,
  nodeArgs: string[] = [],
): Promise<Server> {
  return startServer('service', SCRIPTS.service, folder, env, nodeArgs);
}

async function build(
  { links, serviceNodeArgs, say }: StageOptions,
  folder: string,
  url: string,
  servers: Server[],
) {
  const size = { documents: DOCUMENTS, links };
  const env = serviceEnvironment(folder);
  await mkdir(env['QUITTANCE_DATA_DIR'] ?? '', { recursive: true });
  say(`seeding ${size.documents} documents and ${size.links} payment links`);
  const first = await startService(folder, { ...env, DATABASE_URL: url, QUITTANCE_DEMO: '1' });
  servers.push(first);
  const demo = await createPrototype(first, env['QUITTANCE_DATA_DIR'] ?? '');
  await first.stop();
  const seeded = await copyDocuments(url, demo, size);
  await createDatabase(url, 'service', 'quittance');
  await createDatabase(url, 'bare', 'quittance');
  await createDatabase(url, 'textbook', 'template1');

  say('starting the servers');
  const webhookSecret = demo.gateways[GATEWAY]?.['webhook_secret'] ?? '';
  const serviceEnv = { ...env, DATABASE_URL: databaseUrl(url, 'service') };
  const service = await startService(folder, serviceEnv, serviceNodeArgs);
  servers.push(service);
  const common = { DATABASE_POOL_SIZE: String(POOL_SIZE), BENCH_WEBHOOK_SECRET: webhookSecret };
  const bare = await startServer('bare', SCRIPTS.bare, folder, {
    ...common,
    DATABASE_URL: databaseUrl(url, 'bare'),
    BENCH_ACCOUNT: seeded.accountId,
    BENCH_CLIENT: seeded.clientId,
    BENCH_GATEWAY: GATEWAY,
  });
  servers.push(bare);
  const textbook = await startServer('textbook', SCRIPTS.textbook, folder, {
    ...common,
    DATABASE_URL: databaseUrl(url, 'textbook'),
    BENCH_JWT_SECRET: SECRET,
  });
  servers.push(textbook);
  const contestants = [
    await asService(service, databaseUrl(url, 'service'), seeded),
    asBare(bare, databaseUrl(url, 'bare'), seeded),
    await asTextbook(textbook, databaseUrl(url, 'textbook'), size),
  ];
  return { serviceEnv, seeded, webhookSecret, contestants, postgres: await describe(url) };
}

const PAID = { table: 'documents', column: 'amount_paid' };
const WEBHOOK_OK = { status: 200, body: '"status":"ok"' };

async function asService(server: Server, url: string, seeded: Seeded): Promise<Contestant> {
  const token = await accessToken(server, seeded.demo);
  const ids = seeded.documentIds.map((id) => publicId('doc', id));
  return {
    name: 'service',
    server,
    databaseUrl: url,
    paid: PAID,
    payments: {
      paths: ids.map((id) => `/v1/finance/documents/${id}/payments`),
      headers: { Authorization: `Bearer ${token}` },
      expect: { status: 201, body: '"success":true' },
    },
    webhooks: { paths: [`/v1/webhooks/${GATEWAY}`], headers: {}, expect: WEBHOOK_OK },
    links: seeded.linkIds.map((id) => publicId('plink', id)),
  };
}

function asBare(server: Server, url: string, seeded: Seeded): Contestant {
  return {
    name: 'bare',
    server,
    databaseUrl: url,
    paid: PAID,
    payments: {
      paths: seeded.documentIds.map((id) => `/documents/${id}/payments`),
      headers: {},
      expect: { status: 201, body: '"success":true' },
    },
    webhooks: { paths: ['/webhook'], headers: {}, expect: WEBHOOK_OK },
    links: seeded.linkIds,
  };
}

async function asTextbook(
  server: Server,
  url: string,
  size: { documents: number; links: number },
): Promise<Contestant> {
  const { invoiceIds, linkIds } = await seedTextbook(url, size);
  const answer = await fetch(`http://127.0.0.1:${server.port}/token`);
  const { access_token: token } = (await answer.json()) as { access_token: string };
  return {
    name: 'textbook',
    server,
    databaseUrl: url,
    paid: { table: 'invoices', column: '"amountPaid"' },
    payments: {
      paths: invoiceIds.map((id) => `/invoices/${id}/payments`),
      headers: { Authorization: `Bearer ${token}` },
      expect: { status: 201, body: '"id":' },
    },
    webhooks: { paths: ['/webhook'], headers: {}, expect: WEBHOOK_OK },
    links: linkIds,
  };
}

async function createDatabase(url: string, name: Name, template: string): Promise<void> {
  await query(url.replace(/[^/]+$/, 'postgres'), `CREATE DATABASE ${name} TEMPLATE ${template}`);
}

function databaseUrl(url: string, name: Name): string {
  return url.replace(/[^/]+$/, name);
}

async function describe(url: string): Promise<string> {
  const [row] = await query(
    url,
    `SELECT current_setting('server_version') AS version, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS commit`,
  );
  const durability = `fsync ${row?.['fsync']}, synchronous_commit ${row?.['commit']}`;
  return `PostgreSQL ${row?.['version']}, ${durability}`;
}

/** One statement on a connection of its own. */
export async function query(url: string, text: string): Promise<Record<string, string>[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, string>>(text)).rows;
  } finally {
    await client.end();
  }
}
