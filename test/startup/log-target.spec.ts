import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/free-port.js';
import { CACHE_FOLDER } from '../support/folders.js';
import { aPlace, NO_CHROMIUM, type Place, SEVERAL_STARTS_MS, untilReady } from './program.js';

const LOADER = new URL('../support/source-loader.mjs', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
/** More lines than a pipe and our own queue hold. */
const MANY = 8000;

let place: Place;
let database: TestDatabase;
beforeAll(async () => {
  [place, database] = await Promise.all([aPlace(), aDatabase()]);
});
afterAll(async () => {
  await place.remove();
  await database.drop();
});

jest.setTimeout(SEVERAL_STARTS_MS);

it.each([
  ['a pipe whose reader stopped', MANY],
  ['a pipe whose reader is gone', 200],
  ['a full disk', 200],
])('%s does not stop the service, and what is lost is counted', async (target, requests) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--no-warnings', '--import', LOADER, MAIN], {
    cwd: place.folder,
    env: {
      ...NO_CHROMIUM,
      PATH: process.env['PATH'],
      QUITTANCE_CACHE_DIR: CACHE_FOLDER,
      QUITTANCE_RATE_LIMIT: 'off',
      DATABASE_URL: database.url,
      PORT: String(port),
    },
    stdio: ['ignore', target === 'a full disk' ? full : 'pipe', 'ignore'],
  });
  closeSync(full);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    if (target === 'a pipe whose reader is gone') child.stdout?.destroy();
    await untilReady({ url, hasEnded: false, output: '', errors: '' });
    const statuses = new Set<number>();
    const asker = async () => {
      for (let sent = 0; sent < requests / 8; sent += 1) {
        const answer = await fetch(`${url}/v1/openapi.json`, { method: 'HEAD' });
        statuses.add(answer.status);
      }
    };
    await Promise.all(Array.from({ length: 8 }, asker));
    expect([...statuses]).toEqual([200]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    const lost = Number(/^log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
    expect(lost).toBeGreaterThan(0);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});
