import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, platformOptions } from '../../src/boot.js';
import { createLog } from '../../src/platform/observability/log.js';
import { PdfRenderer } from '../../src/documents/index.js';
import { DunningRounds } from '../../src/dunning/application/dunning-rounds.js';
import { Clock } from '../../src/kernel/clock.js';
import { MailWorker } from '../../src/mail/application/mail-worker.js';
import { ScheduleRounds } from '../../src/schedules/index.js';
import { configForTests } from '../../src/testing/service/service-config.js';

/*
 * A process that makes the documents of schedules, reminds of what is due and sends the letters. Its
 * clock stands where a file says, some minutes off. Usage:
 *
 * node ... schedule-worker.ts <database> <clock file> <minutes> <mail server>
 */

const [databaseUrl = '', clockFile = '', minutes = '0', mailUrl = ''] = process.argv.slice(2);
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

const mail = { url: mailUrl, from: 'billing@quittance.example', dkim: null };
const config = { ...configForTests(0, tmpdir()), mail };
const options = platformOptions(config, createLog('fatal'), databaseUrl);
const app = await createApp({ ...options, clock: new FileClock() });
// A year of letters in Chromium would take hours, and no letter is late by it.
app.get(PdfRenderer).render = async () => Buffer.from('%PDF-1.7');
const rounds = [ScheduleRounds, DunningRounds, MailWorker].map((one) => app.get(one));
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
for (;;) {
  // A database that was killed is back a moment later.
  for (const round of rounds) await Promise.resolve(round.run()).catch(() => undefined);
  await sleep(PAUSE_MS);
}
