import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SystemClock } from '../../../src/kernel/clock.js';
import { ScheduledBackups } from '../../../src/platform/database/backup/scheduled-backups.js';
import { createLog } from '../../../src/platform/observability/log.js';
import { Figures } from '../../../src/platform/observability/figures.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';

let place: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'quittance-backups-'));
});

afterEach(async () => rm(place, { recursive: true, force: true }));

it('tries less and less often while a backup cannot be made, and each hour in the end', async () => {
  // A file where the folder has to be: no try gets further.
  const folder = join(place, 'backups');
  await writeFile(folder, '');
  const metrics = new Metrics();
  const backups = new ScheduledBackups(
    { dataDir: place, cacheDir: place, backups: { folder, hours: 24, kept: 7, store: null } },
    'postgres://nobody@127.0.0.1:1/none',
    new SystemClock(),
    createLog('silent'),
    metrics,
    new Figures(metrics, new SystemClock(), createLog('silent')),
  );

  const tries: number[] = [];
  for (let minute = 0; minute < 200; minute += 1) {
    await backups.run().catch(() => tries.push(minute));
  }

  expect(tries).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183]);
  expect(await metrics.registry.metrics()).toContain('backups_failed_total{place="folder"} 9');
});
