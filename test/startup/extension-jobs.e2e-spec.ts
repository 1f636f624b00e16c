import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import {
  aPlace,
  NO_CHROMIUM,
  type Place,
  readiness,
  type ServiceProgram,
  until,
} from './program.js';

/* Jobs of an extension in a service of two processes: rounds come in one of them, and a job that throws ends none. */

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));
const EVERY_MS = 200;
const EXTENSION = `
  import { defineExtension } from '${SOURCES}extensions/extension.ts';
  import { Database } from '${SOURCES}platform/database/database.ts';
  let underWay = 0;
  const note = (means, job) => means.get(Database).query(
    'INSERT INTO ext_acme_rounds VALUES ($1, $2, $3)', [process.pid, job, underWay]);
  export default defineExtension({
    name: 'acme',
    quittance: '^0.2',
    migrations: [
      { name: '1', sql: 'CREATE TABLE ext_acme_rounds (pid int, job text, under_way int)' },
    ],
    jobs: [
      { name: 'count', everyMs: ${EVERY_MS}, run: (means) => note(means, 'count') },
      { name: 'slow', everyMs: ${EVERY_MS}, run: async (means) => {
        underWay += 1;
        await note(means, 'slow');
        await new Promise((resolve) => setTimeout(resolve, ${3 * EVERY_MS}));
        underWay -= 1;
      } },
      { name: 'broken', everyMs: ${EVERY_MS}, run: async () => { throw new Error('no points today'); } },
      { name: 'broken-at-once', everyMs: ${EVERY_MS}, run: () => { throw new Error('none at all'); } },
    ],
  });`;

interface Line {
  level: string;
  extension?: string;
  job?: string;
  error?: { message: string };
}

let place: Place;
let service: ServiceProgram;
beforeAll(async () => {
  place = await aPlace();
  await writeFile(join(place.folder, 'acme.mjs'), EXTENSION);
  service = await place.service({
    ...NO_CHROMIUM,
    QUITTANCE_EXTENSIONS: './acme.mjs',
    QUITTANCE_PROCESSES: '2',
  });
});
afterAll(() => place.remove());

const logged = () =>
  service.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);

async function rounds(job: 'count' | 'slow') {
  const urls = await EmbeddedPostgres.urlsOfRunning(place.dataDir);
  const client = new pg.Client(urls?.owner);
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number; under_way: number }>(
      'SELECT pid, under_way FROM ext_acme_rounds WHERE job = $1',
      [job],
    );
    return rows;
  } finally {
    await client.end();
  }
}

describe('a job of an extension', () => {
  it('has its rounds in one process of two', async () => {
    await until('both are ready', () => service.output.includes('"processes":2'));
    const before = (await rounds('count')).length;
    await until('rounds come', async () => (await rounds('count')).length >= before + 10);
    const pids = new Set((await rounds('count')).map(({ pid }) => pid));
    expect(pids.size).toBe(1);
  });

  it('begins no round before the last one has ended', async () => {
    await until('slow rounds come', async () => (await rounds('slow')).length >= 3);
    expect(new Set((await rounds('slow')).map((round) => round.under_way))).toEqual(new Set([1]));
  });

  it.each([
    ['broken', 'no points today'],
    ['broken-at-once', 'none at all'],
  ])(
    'that throws (%s) is logged by its name each time, and ends no process',
    async (job, message) => {
      const failures = () => logged().filter((line) => line.job === job);
      await until('it has failed three times', () => failures().length >= 3);
      expect(failures()[2]).toMatchObject({ level: 'warn', extension: 'acme', error: { message } });
      const before = (await rounds('count')).length;
      await sleep(2 * EVERY_MS);
      await until('the other job goes on', async () => (await rounds('count')).length > before);
      expect(await readiness(service)).toBe(200);
      expect(service.hasEnded).toBe(false);
    },
  );

  it('lets the service end', async () => {
    service.signal('SIGTERM');
    expect((await service.ended).code).toBe(0);
  });
});
