import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { addDays, dateIn } from '../../src/kernel/clock.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { NO_CHROMIUM } from '../startup/program.js';
import { PatientCaller } from './patient-caller.js';
import { Supervised } from './supervised.js';

// npm run faults:midnight                        100,000 schedules of one account
// npm run faults:midnight -- --schedules 5000

/*
 * All schedules of an account are due at the same moment, while others record payments and read. How
 * long until each has its document, and what do the others notice? One account is the hardest: all
 * its numbers come from one series.
 */

const QUIET_MS = 20_000;
const PAUSE_MS = 40;
const LOOK_MS = 2000;

const { values } = parseArgs({ options: { schedules: { type: 'string', default: '100000' } } });
const wanted = Number(values.schedules);

const dataDir = await mkdtemp(join(tmpdir(), 'quittance-midnight-'));
const postgres = await EmbeddedPostgres.start({ dataDir, log: () => undefined });
const pool = new pg.Pool({ connectionString: postgres.urls.owner, max: 2 });
// The server stops while connections are idle.
pool.on('error', () => undefined);
const service = await Supervised.start({
  ...NO_CHROMIUM,
  DATABASE_URL: postgres.urls.app,
  DATABASE_OWNER_URL: postgres.urls.owner,
  QUITTANCE_DEMO: '1',
  QUITTANCE_RATE_LIMIT: 'off',
  QUITTANCE_LOG_LEVEL: 'error',
  QUITTANCE_DUE_DATE_SECONDS: '1',
  QUITTANCE_SECRET: 'c2VjcmV0cyBvZiB0aGUgZmF1bHQgcnVuLCAzMiBieXRlcyBvciBtb3Jl',
});

/** Answers of the others, in milliseconds. */
let waits: number[] = [];
const over = new AbortController();

try {
  const caller = await PatientCaller.of(service);
  const invoice = await caller.call('POST', '/v1/finance/documents', {
    customer: { name: 'Globex', country: 'DE' },
    lines: [{ description: 'Work', unit_amount: 100_000_000, tax_rate: '19' }],
    issue: true,
  });
  const today = dateIn('UTC', new Date());
  const schedule = await caller.call('POST', '/v1/finance/schedules', {
    name: 'Retainer',
    document: {
      customer_id: invoice['customer_id'],
      lines: [
        { description: 'Retainer {month}', unit_amount: 10_000, tax_rate: '19' },
        { description: 'Hosting', quantity: '3', unit_amount: 990, tax_rate: '19' },
      ],
    },
    recurrence: { every: 'month' },
    action: 'issue',
    start_date: addDays(today, 30),
  });
  await pool.query(
    `INSERT INTO schedules SELECT (s.c).* FROM (
       SELECT jsonb_populate_record(s, jsonb_build_object('schedule_id', gen_random_uuid(),
         'next_start', $1::date)) AS c
       FROM schedules s, generate_series(1, $2::int) WHERE s.name = 'Retainer') s`,
    [today, wanted],
  );
  await pool.query('ANALYZE schedules');
  const others = Promise.all([pay(caller, invoice), look(caller, invoice)]);
  await sleep(QUIET_MS);
  const quiet = taken();
  const before = await memory();
  console.log(`quiet: ${said(quiet)}; ${before} MB`);
  const startedMs = performance.now();
  await pool.query('UPDATE schedules SET next_on = $1 WHERE next_start = $1', [today]);
  let most = before;
  for (let done = 0; done < wanted;) {
    await sleep(LOOK_MS);
    const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM schedule_periods');
    done = Number(rows[0]?.count);
    most = Math.max(most, await memory());
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const busy = taken();
  over.abort();
  await others;
  const { rows } = await pool.query<{ made: string; numbers: string }>(
    `SELECT count(*) FILTER (WHERE p.status = 'made') AS made, count(DISTINCT d.number) AS numbers
     FROM schedule_periods p JOIN documents d USING (account_id, document_id)`,
  );
  console.log(`busy: ${said(busy)}; at most ${most} MB, ${await memory()} MB in the end`);
  console.log(
    `${rows[0]?.made} documents with ${rows[0]?.numbers} numbers in ${seconds.toFixed(0)} s, ` +
      `${Math.round(wanted / seconds)} a second; schedule ${String(schedule['id'])}`,
  );
} finally {
  over.abort();
  await service.stop();
  await pool.end();
  await postgres.stop();
  await service.place.remove();
  await rm(dataDir, { recursive: true, force: true });
}

async function pay(caller: PatientCaller, { id }: Record<string, unknown>): Promise<void> {
  const path = `/v1/finance/documents/${String(id)}/payments`;
  while (!over.signal.aborted)
    await timed(() => caller.call('POST', path, { amount: 1, method: 'cash' }));
}

async function look(caller: PatientCaller, { id }: Record<string, unknown>): Promise<void> {
  while (!over.signal.aborted)
    await timed(() => caller.call('GET', `/v1/finance/documents/${String(id)}`));
}

async function timed(work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now();
  await work();
  waits.push(performance.now() - startedMs);
  await sleep(PAUSE_MS);
}

function taken(): number[] {
  const all = waits.toSorted((one, other) => one - other);
  waits = [];
  return all;
}

function said(all: readonly number[]): string {
  const at = (part: number) => all[Math.floor(all.length * part)]?.toFixed(1);
  return `${all.length} calls of others, median ${at(0.5)}, p99 ${at(0.99)} ms`;
}

/** Of the process that answers and makes the documents, resident. */
async function memory(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
