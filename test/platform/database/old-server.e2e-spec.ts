import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/config/config-error.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
});
afterAll(() => database.drop());

/** The real server, which calls itself another version on the way here. */
async function serverOf(major: number): Promise<{ url: string; server: Server }> {
  const [row] = await database.query<{ number: string }>(
    `SELECT current_setting('server_version_num') AS number`,
  );
  const real = row?.number ?? '';
  const given = new URL(database.ownerUrl);
  const server = createServer((incoming) => {
    const outgoing = connect(Number(given.port), given.hostname);
    incoming.pipe(outgoing);
    outgoing.on('data', (said) => {
      const told = said.toString('latin1').replaceAll(real, `${major}${real.slice(2)}`);
      incoming.write(Buffer.from(told, 'latin1'));
    });
    outgoing.on('close', () => incoming.destroy());
    for (const socket of [incoming, outgoing]) socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(given);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { url: url.href, server };
}

const tables = async () =>
  database.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`);

describe('a server of another major version', () => {
  it('is refused in a sentence before anything is made, where it is too old', async () => {
    const { url, server } = await serverOf(14);
    const refused = migrate(url);
    await expect(refused).rejects.toBeInstanceOf(ConfigError);
    await expect(refused).rejects.toThrow('PostgreSQL 14, which is too old. Upgrade it to 15');
    server.close();
    expect(await tables()).toEqual([]);
  });

  it('is migrated from version 15 on', async () => {
    const { url, server } = await serverOf(15);
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect((await tables()).length).toBeGreaterThan(20);
    server.close();
  });
});
