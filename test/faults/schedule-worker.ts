import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, platformOptions } from '../../src/boot.js';
import { createLog } from '../../src/platform/observability/log.js';
import { ScheduleRounds } from '../../src/schedules/index.js';
import { Clock } from '../../src/kernel/clock.js';
import { configForTests } from '../../src/testing/service/service-config.js';

/*
 * A process that makes the documents of schedules, by a clock that stands where a file says, some
 * minutes off: node ... schedule-worker.ts <database> <clock file> <minutes>
 */

const [databaseUrl = '', clockFile = '', minutes = '0'] = process.argv.slice(2);
const OFF_MS = Number(minutes) * 60_000;
const PAUSE_MS = 20;

class FileClock extends Clock {
  serverNow(): Date {
    return new Date(Number(readFileSync(clockFile, 'utf8')) + OFF_MS);
  }

  elapsedMs(): number {
    return performance.now();
  }
}

const config = configForTests(0, tmpdir());
const options = platformOptions(config, createLog('fatal'), databaseUrl);
const app = await createApp({ ...options, clock: new FileClock() });
const rounds = app.get(ScheduleRounds);
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
for (;;) {
  // A database that was killed is back a moment later.
  await rounds.run().catch(() => undefined);
  await sleep(PAUSE_MS);
}
