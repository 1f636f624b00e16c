import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { aPlace, NO_CHROMIUM, OWN_ENVIRONMENT, type Place, untilReady } from './program.js';

const LOADER = new URL('../support/source-loader.mjs', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const AT_ONCE = 100;
/** A pipe and our own queue hold some thousands of lines; the other targets hold none. */
const MOST_ROUNDS = 120;

let place: Place;
let database: TestDatabase;
beforeAll(async () => {
  [place, database] = await Promise.all([aPlace(), aDatabase()]);
});
afterAll(async () => {
  await place.remove();
  await database.drop();
});

it.each(['a pipe whose reader stopped', 'a pipe whose reader is gone', 'a full disk'])(
  '%s does not stop the service, and what is lost is counted',
  async (target) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const metricsPort = await freePort();
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--no-warnings', '--import', LOADER, MAIN], {
      cwd: place.folder,
      env: {
        ...OWN_ENVIRONMENT,
        ...NO_CHROMIUM,
        QUITTANCE_RATE_LIMIT: 'off',
        DATABASE_URL: database.url,
        PORT: String(port),
        QUITTANCE_METRICS_PORT: String(metricsPort),
      },
      stdio: ['ignore', target === 'a full disk' ? full : 'pipe', 'ignore'],
    });
    closeSync(full);
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    try {
      if (target === 'a pipe whose reader is gone') child.stdout?.destroy();
      await untilReady({ url, hasEnded: false, output: '', errors: '' });
      let lost = 0;
      for (let round = 0; round < MOST_ROUNDS && lost === 0; round += 1) {
        const asked = Array.from({ length: AT_ONCE }, async () =>
          fetch(`${url}/v1/finance/documents`),
        );
        for (const answer of await Promise.all(asked)) {
          expect(answer.status).toBe(401);
          await answer.arrayBuffer();
        }
        const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
        lost = Number(/^log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1]);
      }
      expect(lost).toBeGreaterThan(0);
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await ended;
    }
  },
);
