import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { databaseUrl } from './database.js';
import { startPooler } from './pooler.js';
import { PAYPAL_FOLDER } from './folders.js';

/** The parts that one test run shares. */
interface TestServer {
  /** Maintenance database of the server: databases are created and dropped from here. */
  url: string;
  /** The same for the role that services run as. */
  appUrl: string;
  /** Name of the migrated database that every test database is a copy of. */
  template: string;
  stop(): Promise<void>;
}

/**
 * The server of `TEST_DATABASE_URL`, whose role may create databases and roles, see and end the
 * work of others (pg_read_all_stats, pg_signal_backend); or an embedded one.
 */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  const template = `quittance_test_${process.pid}`;
  const server = given ? givenServer(given, template) : await embedded();
  try {
    await createPayPalDemoCertificates({ folder: PAYPAL_FOLDER, environment: 'sandbox' });
    await maintain(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await maintain(server.url, `CREATE DATABASE ${template}`);
    const owner = databaseUrl(server.url, template);
    await migrate({ owner, app: databaseUrl(server.appUrl, template), reader: null });
  } catch (error) {
    await server.stop();
    throw error;
  }
  return { ...server, template };
}

/** Opens one, and names it to `aDatabase` in this process and in those that it starts. */
export async function shareTestServer(): Promise<TestServer> {
  const server = await openTestServer();
  const pooler = process.env['TEST_POOLER'] === '1' ? await startPooler(server.appUrl) : undefined;
  if (pooler) process.env['TEST_POOLER_URL'] = pooler.before(server.appUrl);
  process.env['TEST_SERVER_URL'] = server.url;
  process.env['TEST_APP_URL'] = server.appUrl;
  process.env['TEST_TEMPLATE'] = server.template;
  const stop = async () => {
    await pooler?.stop();
    await server.stop();
  };
  return { ...server, stop };
}

type Server = Omit<TestServer, 'template'>;

/** `migrate` makes the role of the services. */
function givenServer(url: string, template: string): Server {
  const app = new URL(url);
  app.username = `${template}_app`;
  app.password = randomBytes(12).toString('hex');
  const stop = async () => {
    await maintain(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await maintain(url, `DROP ROLE IF EXISTS ${app.username}`);
  };
  return { url, appUrl: app.href, stop };
}

async function embedded(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-test-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await EmbeddedPostgres.start({
      dataDir,
      log: () => undefined,
      isDurable: false,
    });
    const stop = () => server.stop().finally(remove);
    return { url: server.urls.owner, appUrl: server.urls.app, stop };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function maintain(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
