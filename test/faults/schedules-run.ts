import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { dateIn } from '../../src/kernel/clock.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { createLog } from '../../src/platform/observability/log.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { RunningService } from '../../src/testing/service/running-service.js';
import { configForTests } from '../../src/testing/service/service-config.js';
import { customerRequest } from '../../src/testing/service/request-bodies.js';
import { made, ServiceClient } from '../../src/testing/service/service-client.js';
import { TestClock } from '../../src/testing/test-clock.js';
import {
  differencesOf,
  MADE,
  type MadePeriodRow,
  type PlannedIn,
  ZONES,
} from '../schedules/judged-year.js';
import { aPlanned, randomOf, requestOf } from '../schedules/planned-year.js';

// npm run faults:schedules                                1,000 schedules, 220 kills
// npm run faults:schedules -- --schedules 60 --kills 10 --database-kills 2 --seed 7

/*
 * A year of schedules of all kinds in twelve zones, with its summer times and a 29 February, by a
 * clock that goes in steps of six hours. Two processes make the documents, with clocks eight minutes
 * apart, and are killed, and so is their database. The clock jumps days ahead, and hours and days
 * back. In the end each period has what an independent calculation says, once.
 */

const FIRST = '2027-07-01';
const DAYS = 366;
const STEP_MS = 6 * 3_600_000;
/** At twenty past: neither process is near a midnight, in whatever zone. */
const BEGIN_MS = Date.parse(`${FIRST}T00:20:00Z`);
const PATIENCE_MS = 120_000;
/** Of the server; the other kills are of one of its sessions, which ends all of them. */
const MOST_SERVER_KILLS = 4;

const WAITING = `SELECT (SELECT count(*) FROM schedules s JOIN accounts a USING (account_id)
    WHERE s.status = 'active' AND s.next_on <= ($1::timestamptz AT TIME ZONE a.time_zone)::date)
  + (SELECT count(*) FROM schedule_periods WHERE status = 'in_review'
      AND issue_at <= $1::timestamptz - interval '5 minutes') AS count`;

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '200' },
    'database-kills': { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [wanted, kills, databaseKills, seed] = [
  values.schedules,
  values.kills,
  values['database-kills'],
  values.seed,
].map(Number) as [number, number, number, number];
const random = randomOf(seed);

const folder = await mkdtemp(join(tmpdir(), 'quittance-schedules-'));
const clockFile = join(folder, 'clock');
const postgres = await EmbeddedPostgres.start({ dataDir: folder, log: () => undefined });
await migrate(postgres.urls);
const pool = new pg.Pool({ connectionString: postgres.urls.owner, max: 2 });
pool.on('error', () => undefined);
const clock = new TestClock();
const service = await startService();

const WORKER = fileURLToPath(new URL('schedule-worker.ts', import.meta.url));
const LOADER = new URL('../support/source-loader.mjs', import.meta.url).href;
const workers: ChildProcess[] = [];
const ready = new Set<ChildProcess>();
let isOver = false;
let starts = 0;
let [databaseStrikes, serverKills] = [0, 0];

/** Settled steps, in their order. */
const instants: Date[] = [];
const plans = new Map<string, PlannedIn>();
const reports: { on: string; zone: string; path: string; quantity: number; by: ServiceClient }[] =
  [];

const startedMs = performance.now();
try {
  await moveTo(BEGIN_MS);
  await plan();
  workers.push(...(await Promise.all([launch(0), launch(1)])));
  await walk();
  process.exitCode = (await judged()) ? 0 : 1;
} finally {
  isOver = true;
  for (const worker of workers) worker.kill('SIGKILL');
  await service.stop();
  await pool.end();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function startService(): Promise<RunningService> {
  const config = configForTests(await freePort(), folder);
  const databaseUrl = postgres.urls.app;
  return RunningService.start({ config, clock, databaseUrl, log: createLog('fatal') });
}

async function plan(): Promise<void> {
  const clients = [];
  for (const timeZone of ZONES) {
    const credentials = await service.credentials({ timeZone });
    const client = new ServiceClient(service.url, clock, credentials);
    const asked = await client.post<{ id: string }>('/v1/finance/customers', customerRequest());
    clients.push({ client, timeZone, customer: made(asked, 201).id });
  }
  for (let index = 0; index < wanted; index += 1) {
    const { client, timeZone: zone, customer } = clients[index % clients.length]!;
    const planned = aPlanned(random, '2027-07-03');
    const name = `plan-${index}`;
    const body = requestOf(planned, customer, name);
    const { id } = made(await client.post<{ id: string }>('/v1/finance/schedules', body), 201);
    plans.set(name, { planned, zone });
    const path = `/v1/finance/schedules/${id}/usage`;
    for (const { on, quantity } of planned.used ?? [])
      reports.push({ on, zone, path, quantity, by: client });
  }
}

/** Year, faults, jumps and steps back. */
async function walk(): Promise<void> {
  const steps = (DAYS * 86_400_000) / STEP_MS;
  const faults = new Map<number, ('worker' | 'database')[]>();
  const add = (kind: 'worker' | 'database') => {
    const at = 1 + random.below(steps - 1);
    faults.set(at, [...(faults.get(at) ?? []), kind]);
  };
  for (let count = 0; count < kills; count += 1) add('worker');
  for (let count = 0; count < databaseKills; count += 1) add('database');
  let due: ('worker' | 'database')[] = [];
  for (let step = 0; step <= steps; step += 1) {
    due.push(...(faults.get(step) ?? []));
    const at = BEGIN_MS + step * STEP_MS;
    // Some days ahead at once: what was missed goes by each schedule's policy.
    if (random.oneIn(60) && step + 12 < steps) {
      const over = 2 + random.below(10);
      // Those of the days between come behind them.
      for (let passed = 1; passed <= over; passed += 1)
        due.push(...(faults.get(step + passed) ?? []));
      step += over;
      continue;
    }
    if (random.oneIn(40)) {
      await moveTo(at - STEP_MS - random.of([3_600_000, 7_200_000, 86_400_000, 3 * 86_400_000]));
      await sleep(60);
    }
    clock.set(new Date(at));
    await reportUsage(new Date(at));
    await moveTo(at);
    const struck = Promise.all(due.map(strike));
    due = [];
    await untilSettled(new Date(at));
    await struck;
    instants.push(new Date(at));
    if (step % 120 === 0) {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      console.log(`${new Date(at).toISOString().slice(0, 10)}, after ${seconds} s`);
    }
  }
}

async function moveTo(at: number): Promise<void> {
  await writeFile(clockFile, String(at));
}

/** One that works; the other may be about to. */
async function killWorker(): Promise<void> {
  for (;;) {
    const worker = workers[random.below(2)];
    if (worker && ready.delete(worker)) {
      worker.kill('SIGKILL');
      return;
    }
    await sleep(50);
  }
}

async function strike(kind: 'worker' | 'database'): Promise<void> {
  await sleep(random.below(60));
  if (kind === 'worker') {
    await killWorker();
    return;
  }
  databaseStrikes += 1;
  if (serverKills < MOST_SERVER_KILLS) {
    serverKills += 1;
    const text = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
    process.kill(Number.parseInt(text, 10), 'SIGKILL');
  } else {
    const [session] = await asked<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(session!.pid, 'SIGKILL');
  }
}

/** A process that is started again whenever it ends. */
async function launch(index: number): Promise<ChildProcess> {
  const off = index === 0 ? '-4' : '4';
  const worker = fork(WORKER, [postgres.urls.app, clockFile, off], {
    execArgv: ['--import', LOADER],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  starts += 1;
  const ended = once(worker, 'exit');
  worker.once('exit', () => {
    if (!isOver) void launch(index).then((next) => (workers[index] = next));
  });
  const answer = await Promise.race([once(worker, 'message'), ended]);
  if (answer[0] === 'ready') ready.add(worker);
  return worker;
}

/** Through deaths of the database. */
async function asked<Row extends object>(text: string, given: unknown[] = []): Promise<Row[]> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return (await pool.query<Row>(text, given)).rows;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(100);
    }
  }
}

async function untilSettled(instant: Date): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const [row] = await asked<{ count: string }>(WAITING, [instant]);
    if (row?.count === '0') return;
    if (Date.now() > until) throw new Error(`${row?.count} wait at ${instant.toISOString()}`);
    await sleep(15);
  }
}

async function reportUsage(instant: Date): Promise<void> {
  const due = reports.filter(({ on, zone }) => on <= dateIn(zone, instant));
  for (const report of due) {
    reports.splice(reports.indexOf(report), 1);
    const body = { meter: 'use', quantity: String(report.quantity), used_on: report.on };
    const key = { 'Idempotency-Key': `${report.path} ${report.on} ${reports.length}` };
    const send = async () => report.by.post<{ code?: string }>(report.path, body, key);
    for (;;) {
      // Without a database, not even a token is given.
      const answer = await send().catch(() => undefined);
      if (answer?.status === 201 || answer?.body.code === 'schedule_ended') break;
      if (answer && answer.status < 500 && answer.status !== 409) throw new Error(answer.text);
      await sleep(100);
    }
  }
}

async function judged(): Promise<boolean> {
  const rows = (await asked<Record<string, unknown>>(asText())).map(read);
  const differences = differencesOf(plans, rows, instants);
  const [stray] = await asked<{ count: string }>(
    `SELECT count(*) FROM documents d WHERE NOT EXISTS (SELECT FROM schedule_periods p
       WHERE p.account_id = d.account_id AND p.document_id = d.document_id)`,
  );
  for (const one of differences.slice(0, 20)) console.error(one);
  const documents = rows.filter(({ total }) => total !== null).length;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(
    `${wanted} schedules, ${rows.length} periods, ${documents} documents, ${instants.length} steps`,
  );
  console.log(
    `${starts - 2} kills of a process, ${databaseStrikes} of the database (${serverKills} of the whole server)`,
  );
  console.log(
    `${differences.length} differences, ${stray?.count} documents without a period, seed ${seed}, ${seconds} s`,
  );
  return differences.length === 0 && stray?.count === '0';
}

/** Dates as text: a driver would make them midnights of this machine. */
function asText(): string {
  return `SELECT name, start::text, "end"::text, "runsOn"::text, status, problem, total::text,
    "issueDate"::text, lifecycle, sharing::text FROM (${MADE}) made`;
}

function read(row: Record<string, unknown>): MadePeriodRow {
  const total = row['total'] === null ? null : BigInt(row['total'] as string);
  return { ...(row as unknown as MadePeriodRow), total, sharing: BigInt(row['sharing'] as string) };
}
