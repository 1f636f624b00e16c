import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createPayPalDemoCertificates } from '../../src/demo/paypal-demo-certificates.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { PAYPAL_FOLDER } from './folders.js';

/** What one test run shares. */
interface TestServer {
  /** Maintenance database of the server: databases are created and dropped from here. */
  url: string;
  /** Name of the migrated database that every test database is a copy of. */
  template: string;
  stop(): Promise<void>;
}

/** The server of `TEST_DATABASE_URL`, whose role may create databases, or an embedded one. */
export async function openTestServer(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  const server = given ? { url: given, stop: async () => undefined } : await embedded();
  const template = `quittance_test_${process.pid}`;
  try {
    await createPayPalDemoCertificates({ folder: PAYPAL_FOLDER, environment: 'sandbox' });
    await maintain(server.url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await maintain(server.url, `CREATE DATABASE ${template}`);
    const url = new URL(server.url);
    url.pathname = `/${template}`;
    await migrate(url.href);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    url: server.url,
    template,
    stop: async () => {
      if (given) await maintain(given, `DROP DATABASE ${template} WITH (FORCE)`);
      await server.stop();
    },
  };
}

async function embedded(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-test-'));
  const remove = () => rm(dataDir, { recursive: true, force: true });
  try {
    const server = await EmbeddedPostgres.start({ dataDir, log: () => undefined });
    const stop = () => server.stop().finally(remove);
    return { url: server.url, stop };
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
