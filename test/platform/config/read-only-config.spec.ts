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
const SERVER = 'postgres://x/y';

describe('a process that only reads', () => {
  it.each<[Record<string, string>, object]>([
    [{}, { readOnly: false, doesJobs: true }],
    [{ QUITTANCE_READ_ONLY: 'false' }, { readOnly: false, doesJobs: true }],
    [
      { QUITTANCE_READ_ONLY: '1', DATABASE_URL: SERVER },
      { readOnly: true, demo: false },
    ],
  ])('is one that was told: %j', async (variables, expected) => {
    expect(await load(variables)).toMatchObject(expected);
  });

  it('writes nothing, whatever else is set', async () => {
    const heads = { QUITTANCE_SEAL_HEADS_FILE: 'heads', QUITTANCE_SEAL_SECONDS: '1' };
    const told = { QUITTANCE_READ_ONLY: 'true', DATABASE_URL: SERVER, ...heads };
    expect(await load(told)).toMatchObject({
      answersCalls: true,
      doesJobs: false,
      sealSeconds: 0,
      mailSeconds: 0,
      dueDateSeconds: 0,
      integrityHours: 0,
      sealHeadsFile: null,
    });
  });

  it('is refused what it cannot do, all at once', async () => {
    const told = { QUITTANCE_READ_ONLY: '1', QUITTANCE_ROLES: 'worker', QUITTANCE_DEMO: '1' };
    await expect(load(told)).rejects.toThrow(/needs DATABASE_URL.*a worker writes.*demo/s);
    const several = { QUITTANCE_READ_ONLY: 'true', DATABASE_URL: 'postgres://a:1,b:2/y' };
    await expect(load(several)).rejects.toThrow(/has to name one server/);
    await expect(load({ QUITTANCE_READ_ONLY: 'yes' })).rejects.toThrow(/QUITTANCE_READ_ONLY/);
  });
});
