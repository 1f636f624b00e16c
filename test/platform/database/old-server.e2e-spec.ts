import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/platform/config/config-error.js';
import { migrate } from '../../../src/platform/database/migrate.js';
import { aDatabase, type TestDatabase } from '../../support/database.js';
import { aServerSaying } from './changed-answers.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await aDatabase({ migrated: false });
});
afterAll(() => database.drop());

/** It calls itself another version. */
async function serverOf(major: number) {
  const [row] = await database.query<{ number: string }>(
    `SELECT current_setting('server_version_num') AS number`,
  );
  const real = row?.number ?? '';
  return aServerSaying(database.ownerUrl, (said) => {
    const told = said.toString('latin1').replaceAll(real, `${major}${real.slice(2)}`);
    return Buffer.from(told, 'latin1');
  });
}

const tables = async () =>
  database.query(`SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`);

describe('a server of another major version', () => {
  it('is refused in a sentence before anything is made, where it is too old', async () => {
    const { url, close } = await serverOf(14);
    const refused = migrate(url);
    await expect(refused).rejects.toBeInstanceOf(ConfigError);
    await expect(refused).rejects.toThrow('PostgreSQL 14, which is too old. Upgrade it to 15');
    close();
    expect(await tables()).toEqual([]);
  });

  it('is migrated from version 15 on', async () => {
    const { url, close } = await serverOf(15);
    expect((await migrate(url)).length).toBeGreaterThan(0);
    expect((await tables()).length).toBeGreaterThan(20);
    close();
  });
});
