import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { publicId } from '../src/kernel/ids.js';
import { EmbeddedPostgres } from '../src/platform/database/embedded/embedded-postgres.js';
import type { LoadJob } from './load-job.js';
import { type Server, startServer } from './processes.js';
import * as ownSeed from './seed.js';
import { type Seeded, seedLean, type SeedSize, seedTextbook, untilSealed } from './seed.js';

export const POOL_SIZE = 20;
const SECRET = 'a secret of the bench of 32 characters or more';
const GATEWAY = 'gateway-a';

/** "Before" is an earlier build of the service, where one was named. */
export const NAMES = ['service', 'before', 'lean', 'bare', 'textbook'] as const;
export type Name = (typeof NAMES)[number];

/** A server under test, its own database, and how it is asked for the same things. */
export interface Contestant {
  name: Name;
  server: Server;
  databaseUrl: string;
  /** Table and column that hold what is paid of each document. */
  paid: { table: string; column: string };
  payments: Pick<LoadJob, 'paths' | 'headers' | 'expect'>;
  /** Absent where it takes none. */
  webhooks?: Pick<LoadJob, 'paths' | 'headers' | 'expect' | 'secret'>;
  links: string[];
  /** Of each document; of the service and the build before it. */
  totalMinor?: number;
}

export interface Stage {
  folder: string;
  /** Environment of the service, with its database. */
  serviceEnv: Record<string, string>;
  seeded: Seeded;
  contestants: Contestant[];
  postgres: string;
  /** The folder of its data. */
  postgresData: string;
  stopServers(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  links: number;
  documents: number;
  names: readonly Name[];
  serviceNodeArgs: string[];
  /** Of the service and the build before it, beside those that all have. */
  serviceEnv: Record<string, string>;
  /** Of the service, behind its port. */
  processes: string;
  /** Another checkout of the service, built. */
  against: string | undefined;
  say: (line: string) => void;
}

const SCRIPTS = {
  service: new URL('../src/main.js', import.meta.url),
  lean: new URL('./lean-server.js', import.meta.url),
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
    const built = await build(options, folder, database.urls.owner, servers);
    const postgresData = join(dataDir, 'postgres');
    return { ...built, folder, postgresData, stopServers, close };
  } catch (error) {
    await close();
    throw error;
  }
}

export function serviceEnvironment(folder: string, name = 'service'): Record<string, string> {
  return {
    QUITTANCE_DATA_DIR: join(folder, name),
    QUITTANCE_CACHE_DIR: join(folder, 'cache'),
    QUITTANCE_RATE_LIMIT: 'off',
    QUITTANCE_SECRET: SECRET,
    DATABASE_POOL_SIZE: String(POOL_SIZE),
  };
}

export async function startService(
  folder: string,
  env: Record<string, string>,
  nodeArgs: string[] = [],
): Promise<Server> {
  return startBuild({ name: 'service', script: SCRIPTS.service }, folder, env, nodeArgs);
}

/** With the options of node of its own `npm start`. */
async function startBuild(
  { name, script }: Pick<Build, 'name' | 'script'>,
  folder: string,
  env: Record<string, string>,
  nodeArgs: string[] = [],
): Promise<Server> {
  const { scripts } = JSON.parse(await readFile(new URL('../../package.json', script), 'utf8')) as {
    scripts: { start: string };
  };
  const shipped = scripts.start.split(' ').filter((word) => word.startsWith('--'));
  return startServer(name, script, folder, env, [...shipped, ...nodeArgs]);
}

async function build(options: StageOptions, folder: string, url: string, servers: Server[]) {
  const { links, documents, names, serviceNodeArgs, processes, against, say } = options;
  const size = { documents, links };
  const start = async (starting: Promise<Server>) => {
    const server = await starting;
    servers.push(server);
    return server;
  };
  say(`seeding ${size.documents} documents and ${size.links} payment links`);
  const now: Build = { name: 'service', script: SCRIPTS.service, seed: ownSeed };
  const seeded = await seedDatabase(now, folder, url, size, start);
  await createDatabase(url, 'service', 'quittance');

  say('starting the servers');
  const serviceEnv = {
    ...serviceEnvironment(folder),
    DATABASE_URL: databaseUrl(url, 'service'),
    QUITTANCE_PROCESSES: processes,
    ...options.serviceEnv,
  };
  const service = await start(startService(folder, serviceEnv, serviceNodeArgs));
  const contestants = [await asService('service', service, databaseUrl(url, 'service'), seeded)];
  if (against !== undefined) {
    const { serviceEnv: added } = options;
    contestants.push(await asBefore(against, folder, url, size, start, added));
  }
  // Programs that only answer seal nothing.
  const seals = options.serviceEnv['QUITTANCE_ROLES'] !== 'api';
  for (const one of seals ? contestants : []) await untilSealed(one.databaseUrl);
  execFileSync('sync');
  const secret = webhookSecret(seeded);
  const startOther = async (name: 'lean' | 'bare' | 'textbook', env: Record<string, string>) => {
    await createDatabase(url, name, name === 'bare' ? 'quittance' : 'template1');
    const own = {
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      DATABASE_URL: databaseUrl(url, name),
      ...env,
    };
    return start(startServer(name, SCRIPTS[name], folder, own));
  };
  if (names.includes('lean')) {
    contestants.push(await asLean(await startOther('lean', {}), databaseUrl(url, 'lean'), size));
  }
  if (names.includes('bare')) {
    const bare = await startOther('bare', {
      BENCH_WEBHOOK_SECRET: secret,
      BENCH_ACCOUNT: seeded.accountId,
      BENCH_CLIENT: seeded.clientId,
      BENCH_GATEWAY: GATEWAY,
    });
    contestants.push(asBare(bare, databaseUrl(url, 'bare'), seeded));
  }
  if (names.includes('textbook')) {
    const env = { BENCH_WEBHOOK_SECRET: secret, BENCH_JWT_SECRET: SECRET };
    const textbook = await startOther('textbook', env);
    contestants.push(await asTextbook(textbook, databaseUrl(url, 'textbook'), size, secret));
  }
  return { serviceEnv, seeded, contestants, postgres: await describe(url) };
}

/** A build of the service, and how its own tables are filled. */
interface Build {
  name: 'service' | 'before';
  script: URL;
  seed: Pick<typeof ownSeed, 'createPrototype' | 'copyDocuments'>;
}

type Start = (starting: Promise<Server>) => Promise<Server>;

async function seedDatabase(
  { name, script, seed }: Build,
  folder: string,
  url: string,
  size: SeedSize,
  start: Start,
): Promise<Seeded> {
  const env = serviceEnvironment(folder, name);
  const dataDir = env['QUITTANCE_DATA_DIR'] ?? '';
  await mkdir(dataDir, { recursive: true });
  const withDemo = { ...env, DATABASE_URL: url, QUITTANCE_DEMO: '1' };
  const first = await start(startBuild({ name, script }, folder, withDemo));
  const demo = await seed.createPrototype(first, dataDir);
  await first.stop();
  return seed.copyDocuments(url, demo, size);
}

/** The other checkout migrates and fills a database of its own, by its own code. */
async function asBefore(
  against: string,
  folder: string,
  url: string,
  size: SeedSize,
  start: Start,
  serviceEnv: Record<string, string>,
): Promise<Contestant> {
  const dist = pathToFileURL(`${resolve(against)}/dist/`);
  const seed = (await import(new URL('bench/seed.js', dist).href)) as typeof ownSeed;
  const build: Build = { name: 'before', script: new URL('src/main.js', dist), seed };
  await createDatabase(url, 'before_seed', 'template1');
  const seeded = await seedDatabase(build, folder, databaseUrl(url, 'before_seed'), size, start);
  await createDatabase(url, 'before', 'before_seed');
  const own = { DATABASE_URL: databaseUrl(url, 'before'), ...serviceEnv };
  const env = { ...serviceEnvironment(folder, 'before'), ...own };
  const server = await start(startBuild(build, folder, env));
  return asService('before', server, databaseUrl(url, 'before'), seeded);
}

function webhookSecret({ demo }: Seeded): string {
  return demo.gateways[GATEWAY]?.['webhook_secret'] ?? '';
}

const PAID = { table: 'documents', column: 'amount_paid' };
const WEBHOOK_OK = { status: 200, body: '"status":"ok"' };

async function asService(
  name: 'service' | 'before',
  server: Server,
  url: string,
  seeded: Seeded,
): Promise<Contestant> {
  const token = await ownSeed.accessToken(server, seeded.demo);
  const ids = seeded.documentIds.map((id) => publicId('doc', id));
  const [largest] = await query(url, 'SELECT max(total) AS total FROM documents');
  return {
    name,
    server,
    databaseUrl: url,
    paid: PAID,
    payments: {
      paths: ids.map((id) => `/v1/finance/documents/${id}/payments`),
      headers: { Authorization: `Bearer ${token}` },
      expect: { status: 201, body: '"success":true' },
    },
    webhooks: {
      paths: [`/v1/webhooks/${GATEWAY}`],
      headers: {},
      expect: WEBHOOK_OK,
      secret: webhookSecret(seeded),
    },
    links: seeded.linkIds.map((id) => publicId('plink', id)),
    totalMinor: Number(largest?.['total']),
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
    webhooks: {
      paths: ['/webhook'],
      headers: {},
      expect: WEBHOOK_OK,
      secret: webhookSecret(seeded),
    },
    links: seeded.linkIds,
  };
}

async function asLean(server: Server, url: string, size: SeedSize): Promise<Contestant> {
  const ids = await seedLean(url, size);
  return {
    name: 'lean',
    server,
    databaseUrl: url,
    paid: PAID,
    payments: {
      paths: ids.map((id) => `/documents/${id}/payments`),
      headers: {},
      expect: { status: 201, body: '"success":true' },
    },
    links: [],
  };
}

async function asTextbook(
  server: Server,
  url: string,
  size: SeedSize,
  secret: string,
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
    webhooks: { paths: ['/webhook'], headers: {}, expect: WEBHOOK_OK, secret },
    links: linkIds,
  };
}

type Database = Name | 'before_seed';

async function createDatabase(url: string, name: Database, template: string): Promise<void> {
  // By files, with a checkpoint before and after: the pages of a copy are not on their way to the
  // disk while somebody pays.
  const copy = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`;
  await query(url.replace(/[^/]+$/, 'postgres'), copy);
}

function databaseUrl(url: string, name: Database): string {
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
