import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientFor, clientOptions } from '../../../src/platform/database/servers/server-client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { aServerSaying } from './changed-answers.js';

/* A server that is stopped just as a connection is ready: both words come in one piece. */

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

let database: TestDatabase;
let server: Awaited<ReturnType<typeof aServerSaying>>;
let ends = true;

beforeAll(async () => {
  database = await aDatabase();
  server = await aServerSaying(database.url, (said) => {
    const isOver = ends && said.subarray(-READY.length).equals(READY);
    return isOver ? Buffer.concat([said, stopped()]) : said;
  });
});
afterAll(async () => {
  server.close();
  await database.drop();
});

/** As PostgreSQL says it to every session when an administrator ends it. */
function stopped(): Buffer {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection', ''].join('\0');
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + fields.length + 1);
  return Buffer.concat([Buffer.from('E'), length, Buffer.from(`${fields}\0`)]);
}

// Without a listener the error would be nobody's, which ends the process: the runner tells that.
it.each(['of a pool', 'alone'])('a connection %s fails its statement only', async (kind) => {
  ends = true;
  const pool = new pg.Pool({ ...clientOptions(server.url), max: 1 });
  pool.on('error', () => undefined);
  const ask = async () => {
    if (kind === 'of a pool') return pool.query('SELECT 1');
    const client = clientFor(server.url);
    await client.connect();
    return client.query('SELECT 1').finally(() => client.end());
  };
  await expect(ask()).rejects.toThrow();
  ends = false;
  expect((await ask()).rowCount).toBe(1);
  await pool.end();
});
