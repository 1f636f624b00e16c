import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { clientFor, clientOptions } from '../../../src/platform/database/servers/server-client.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';

/* A server that is stopped just as a connection is ready: both words come in one piece. */

const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

let database: TestDatabase;
let server: Server;
let url: string;
let ends = true;

beforeAll(async () => {
  database = await aDatabase();
  const { port, hostname } = new URL(database.url);
  server = createServer((incoming) => {
    const outgoing = connect(Number(port), hostname);
    incoming.pipe(outgoing);
    outgoing.on('data', (said) => {
      const isOver = ends && said.subarray(-READY.length).equals(READY);
      incoming.write(isOver ? Buffer.concat([said, stopped()]) : said);
    });
    outgoing.on('close', () => incoming.destroy());
    for (const socket of [incoming, outgoing]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const here = new URL(database.url);
  here.hostname = '127.0.0.1';
  here.port = String((server.address() as AddressInfo).port);
  url = here.href;
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
  const pool = new pg.Pool({ ...clientOptions(url), max: 1 });
  pool.on('error', () => undefined);
  const ask = async () => {
    if (kind === 'of a pool') return pool.query('SELECT 1');
    const client = clientFor(url);
    await client.connect();
    return client.query('SELECT 1').finally(() => client.end());
  };
  await expect(ask()).rejects.toThrow();
  ends = false;
  expect((await ask()).rowCount).toBe(1);
  await pool.end();
});
