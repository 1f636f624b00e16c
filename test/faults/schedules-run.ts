import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { dateIn } from '../../src/kernel/clock.js';
import { IntegrityQuery } from '../../src/integrity/index.js';
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
import { aPlanned, requestOf } from '../schedules/planned-year.js';
import { randomOf } from '../support/random.js';
import { MailCatcher } from '../support/mail-catcher.js';
import { DunnedDebts } from './dunned-debts.js';
import { judgedDebts } from './judged-debts.js';
import { FAULT_PATIENCE_MS, patientCall, patientRows } from './patience.js';

// npm run faults:schedules                                1,000 schedules, 220 kills
// npm run faults:schedules -- --schedules 60 --debts 60 --kills 10 --database-kills 2 --seed 7

/*
 * A year of schedules of all kinds in twelve zones, with its summer times and a 29 February, by a
 * clock that goes in steps of six hours. Invoices in four zones are paid late, and reminded of. Two processes
 * make documents and letters, with clocks two minutes apart, and are killed, and so is their database. The clock jumps days ahead, and hours and days back. In the end each period
 * has what an independent calculation says, once, and so has each step of each invoice.
 */

const FIRST = '2027-07-01';
const STEP_MS = 6 * 3_600_000;
/** Behind a quarter past, and far from the half: neither process is near a midnight, in whatever zone. */
const BEGIN_MS = Date.parse(`${FIRST}T00:16:30Z`);
/** Apart by less than the time after which a message is taken from who has it. */
const CLOCKS_OFF = ['-1', '1'];
const OFF_MS = 60_000;
/** A message of a process that was killed is free again. */
const FREE_AGAIN_MS = 200_000;
const MOST_WAITS = 3;
/** Of the server; the other kills are of one of its sessions, which ends all of them. */
const MOST_SERVER_KILLS = 4;

const TODAY = `($1::timestamptz AT TIME ZONE a.time_zone)::date`;
/** Work whose day has come, and messages that a process has, which may have been killed. */
const WAITING = `SELECT
  (SELECT count(*)::int FROM schedules s JOIN accounts a USING (account_id)
    WHERE s.status = 'active' AND s.next_on <= ${TODAY}) AS periods,
  (SELECT count(*)::int FROM schedule_periods
    WHERE status = 'in_review' AND issue_at <= $2) AS reviews,
  (SELECT count(*)::int FROM dunning_states s JOIN accounts a USING (account_id)
    WHERE s.next_on <= ${TODAY}) AS steps,
  (SELECT count(*)::int FROM dunning_plans l JOIN accounts a USING (account_id)
    JOIN pending_documents p USING (account_id) JOIN documents d USING (account_id, document_id)
    WHERE p.due_date <= ${TODAY} - l.first_days AND d.lifecycle <> 'draft' AND d.settled_at IS NULL
      AND NOT EXISTS (SELECT FROM dunning_states s
        WHERE (s.account_id, s.document_id) = (d.account_id, d.document_id))) AS debts,
  (SELECT count(*)::int FROM reminders r JOIN accounts a USING (account_id)
    WHERE r.bill_on <= ${TODAY}) AS bills,
  (SELECT count(*)::int FROM mail_messages WHERE next_attempt_at <= $2) AS mails,
  (SELECT count(*)::int FROM mail_messages WHERE next_attempt_at > $2) AS taken`;

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000' },
    debts: { type: 'string', default: '400' },
    days: { type: 'string', default: '366' },
    kills: { type: 'string', default: '200' },
    'database-kills': { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [wanted, debtsWanted, days, kills, databaseKills, seed] = [
  values.schedules,
  values.debts,
  values.days,
  values.kills,
  values['database-kills'],
  values.seed,
].map(Number) as [number, number, number, number, number, number];
const random = randomOf(seed);

const folder = await mkdtemp(join(tmpdir(), 'quittance-schedules-'));
const clockFile = join(folder, 'clock');
const postgres = await EmbeddedPostgres.start({ dataDir: folder, log: () => undefined });
await migrate(postgres.urls);
const pool = new pg.Pool({ connectionString: postgres.urls.owner, max: 2 });
pool.on('error', () => undefined);
const clock = new TestClock();
const service = await startService();
const catcher = await MailCatcher.start();
const debts = new DunnedDebts({ service, clock, pool, random });

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
  await catcher.stop();
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
  await debts.begin(debtsWanted, FIRST, days - 45);
  const clients = [];
  for (const zone of ZONES) {
    const credentials = await service.credentials({ timeZone: zone });
    const client = new ServiceClient(service.url, clock, credentials);
    const asked = await client.post<{ id: string }>('/v1/finance/customers', customerRequest());
    clients.push({ client, zone, customer: made(asked, 201).id });
  }
  for (let index = 0; index < wanted; index += 1) {
    const { client, zone, customer } =
      index % 25 === 0 ? debts.aDebtor() : clients[index % clients.length]!;
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
  const steps = (days * 86_400_000) / STEP_MS;
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
    await stand(new Date(at), due);
    due = [];
    instants.push(new Date(at));
    if (step % 120 === 0) {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
      console.log(`${new Date(at).toISOString().slice(0, 10)}, after ${seconds} s`);
    }
  }
}

/** A step: rounds, faults and hurry at once, and then a quiet moment. */
async function stand(instant: Date, due: readonly ('worker' | 'database')[]): Promise<void> {
  clock.set(instant);
  await reportUsage(instant);
  const atStake = await debts.atStake(instant);
  await moveTo(instant.getTime());
  const hurried = debts.hurry(atStake, instants.length, instant);
  await Promise.all([untilSettled(instant), hurried, ...due.map(strike)]);
  await untilSettled(instant);
  if (await debts.live(instants.length, instant)) await untilSettled(instant);
}

async function asked<Row extends object>(text: string, given: unknown[]): Promise<Row[]> {
  return patientRows<Row>(pool, text, given);
}

/** At once: a file that is being written is empty for a moment, which would be 1970. */
async function moveTo(at: number): Promise<void> {
  await writeFile(`${clockFile}.next`, String(at));
  await rename(`${clockFile}.next`, clockFile);
}

/** One that works; the other may be about to. Some die while a letter leaves. */
async function killWorker(): Promise<void> {
  const kill = () => {
    const worker = workers[random.below(2)];
    return worker !== undefined && ready.delete(worker) && worker.kill('SIGKILL');
  };
  if (random.oneIn(2)) {
    let kills = 0;
    catcher.refuse = () => {
      if (kills === 0 && kill()) kills += 1;
      return null;
    };
    await sleep(300);
    catcher.refuse = () => null;
    if (kills > 0) return;
  }
  while (!kill()) await sleep(50);
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
    const [session] = await asked<{ pid: number }>('SELECT pg_backend_pid() AS pid', []);
    process.kill(session!.pid, 'SIGKILL');
  }
}

/** A process that is started again whenever it ends. */
async function launch(index: number): Promise<ChildProcess> {
  const given = [postgres.urls.app, clockFile, CLOCKS_OFF[index]!, catcher.url];
  const worker = fork(WORKER, given, {
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

async function untilSettled(instant: Date): Promise<void> {
  const until = Date.now() + FAULT_PATIENCE_MS;
  let [waits, quietSince] = [0, Date.now()];
  for (;;) {
    const free = new Date(instant.getTime() + OFF_MS + waits * FREE_AGAIN_MS);
    const [row] = await asked<Record<string, number>>(WAITING, [instant, free]);
    const { taken = 0, ...due } = row!;
    const isDue = Object.values(due).some((count) => count > 0);
    if (!isDue && taken === 0) return;
    if (Date.now() > until) throw new Error(`${JSON.stringify(row)} at ${instant.toISOString()}`);
    if (isDue) quietSince = Date.now();
    if (Date.now() > quietSince + 1000 && waits < MOST_WAITS) {
      waits += 1;
      quietSince = Date.now();
      await moveTo(instant.getTime() + waits * FREE_AGAIN_MS);
    }
    await sleep(15);
  }
}

async function reportUsage(instant: Date): Promise<void> {
  const due = reports.filter(({ on, zone }) => on <= dateIn(zone, instant));
  for (const report of due) {
    reports.splice(reports.indexOf(report), 1);
    const body = { meter: 'use', quantity: String(report.quantity), used_on: report.on };
    const key = { 'Idempotency-Key': `${report.path} ${report.on} ${reports.length}` };
    await patientCall(() => report.by.post(report.path, body, key), ['schedule_ended']);
  }
}

async function judged(): Promise<boolean> {
  const rows = (await asked<Record<string, unknown>>(asText(), [])).map(read);
  const periods = differencesOf(plans, rows, instants);
  const died = starts - 2 + databaseStrikes;
  const letters = await judgedDebts(pool, debts, catcher.mails, instants, died);
  const { differences: broken } = await service.app.get(IntegrityQuery).differences();
  const differences = [
    ...periods,
    ...letters.differences,
    ...broken.map((one) => JSON.stringify(one)),
  ];
  for (const one of differences.slice(0, 20)) console.error(one);
  const documents = rows.filter(({ total }) => total !== null).length;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  const said = [
    `${wanted} schedules, ${rows.length} periods, ${documents} documents, ${instants.length} steps`,
    ...letters.told,
    `${starts - 2} kills of a process, ${databaseStrikes} of the database (${serverKills} of the whole server)`,
    `judged exactly: each period; each step of each invoice, its day, what it asks, its charges and their bill`,
    `judged by bounds: what came during a round counts before or behind it; mails of those killed may repeat`,
    `${periods.length} differences of periods, ${letters.differences.length} of reminders, ${broken.length} of integrity`,
    `${letters.strays} documents that nobody asked for, seed ${seed}, ${seconds} s`,
  ];
  for (const one of said) console.log(one);
  return differences.length === 0 && letters.strays === 0;
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
