import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/platform/config/config.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quittance-config-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const load = async (variables: Record<string, string>) => loadConfig(variables, folder);
const [SERVER, STANDBY] = ['postgres://x/y', 'postgres://z/y'];

describe('a replica', () => {
  it('is the one that is named', async () => {
    expect(await load({ DATABASE_URL: SERVER })).toMatchObject({ databaseReplicaUrl: null });
    const told = { DATABASE_URL: SERVER, DATABASE_REPLICA_URL: STANDBY };
    expect(await load(told)).toMatchObject({ databaseReplicaUrl: STANDBY });
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ DATABASE_REPLICA_URL: STANDBY }, /DATABASE_REPLICA_URL: needs DATABASE_URL/],
    [{ DATABASE_URL: SERVER, DATABASE_REPLICA_URL: 'postgres://a,b/y' }, /has to name one server/],
    [
      { DATABASE_URL: SERVER, DATABASE_REPLICA_URL: STANDBY, QUITTANCE_READ_ONLY: '1' },
      /has its standby in DATABASE_URL/,
    ],
    [{ DATABASE_URL: SERVER, DATABASE_REPLICA_URL: 'mysql://a/y' }, /REPLICA_URL: Invalid URL/],
  ])('is refused as %j', async (variables, expected) => {
    await expect(load(variables)).rejects.toThrow(expected);
  });
});
