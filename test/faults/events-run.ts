import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { EventBody } from '../../src/feed/wire/event.js';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { answering, Receiver } from '../feed/receiver.js';
import { NO_CHROMIUM } from '../startup/program.js';
import { PatientCaller } from './patient-caller.js';
import { Supervised } from './supervised.js';

// npm run faults:events                               20,000 events, 25 kills, an hour
// npm run faults:events -- --events 3000 --kills 6 --database-kills 2 --minutes 2

/*
 * Payments are recorded while processes that deliver events are killed, and their database, too. Of
 * three endpoints one fails one in three, one answers after 14 seconds, and one is dead. In the end
 * each event has come to the two that live, and what came twice has the same id.
 *
 * The payments are spread over some minutes: a process that is killed as soon as it stands again
 * says nothing of what the dead endpoint costs the others.
 */

const CALLERS = 4;
const SLOW_MS = 14_000;
const PATIENCE_MS = 2 * 3_600_000;

const PAYMENT = { amount: 1, method: 'cash' };
const LARGE = {
  customer: { name: 'Globex' },
  lines: [{ description: 'Work', quantity: '1', unit_amount: 100_000_000, tax_rate: '19' }],
  issue: true,
};

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '20' },
    'database-kills': { type: 'string', default: '5' },
    minutes: { type: 'string', default: '6' },
  },
});
const [wanted, kills, databaseKills, minutes] = [
  values.events,
  values.kills,
  values['database-kills'],
  values.minutes,
].map(Number) as [number, number, number, number];

const dataDir = await mkdtemp(join(tmpdir(), 'quittance-events-'));
const postgres = await EmbeddedPostgres.start({ dataDir, log: () => undefined });
const env = {
  ...NO_CHROMIUM,
  DATABASE_URL: postgres.urls.app,
  DATABASE_OWNER_URL: postgres.urls.owner,
  QUITTANCE_DEMO: '1',
  QUITTANCE_RATE_LIMIT: 'off',
  QUITTANCE_LOG_LEVEL: 'error',
  QUITTANCE_SECRET: 'c2VjcmV0cyBvZiB0aGUgZmF1bHQgcnVuLCAzMiBieXRlcyBvciBtb3Jl',
  QUITTANCE_OUTGOING_RANGES: '127.0.0.0/8',
  QUITTANCE_OUTGOING_PORTS: '1024-65535',
  QUITTANCE_DELIVERY_RETRY_SECONDS: Array.from({ length: 20 }, () => '2').join(','),
};
const api = await Supervised.start({ ...env, QUITTANCE_ROLES: 'api' });
const worker = { ...env, QUITTANCE_DEMO: '0', QUITTANCE_ROLES: 'worker' };
const workers = [await Supervised.start(worker), await Supervised.start(worker)];

let calls = 0;
const taken = new Set<string>();
const firstAt = new Map<string, number>();
const flaky = await Receiver.open((call, response) => {
  calls += 1;
  if (!firstAt.has(call.id)) firstAt.set(call.id, Date.now());
  const isTaken = calls % 3 !== 0;
  if (isTaken) taken.add(call.id);
  answering(isTaken ? 200 : 500)(call, response);
});
const slow = await Receiver.open((call, response) => {
  setTimeout(() => answering(200)(call, response), SLOW_MS);
});
const dead = await Receiver.open();
await dead.close();

try {
  const caller = await PatientCaller.of(api);
  const endpoints = await Promise.all(
    [flaky, slow, dead].map(async ({ url }) =>
      caller.call('POST', '/v1/webhook-endpoints', { url }),
    ),
  );
  const invoices = await Promise.all(
    Array.from({ length: CALLERS }, async () =>
      caller.call('POST', '/v1/finance/documents', LARGE),
    ),
  );
  const payments = Math.ceil(wanted / 2 / CALLERS);
  const written = { payments: 0 };
  const begunAt = Date.now();
  const shareMs = (minutes * 60_000) / payments;
  const writing = Promise.all(
    invoices.map(async ({ id }) => {
      for (let paid = 0; paid < payments; paid += 1) {
        await caller.call('POST', `/v1/finance/documents/${id}/payments`, PAYMENT);
        written.payments += 1;
        await sleep(Math.max(0, begunAt + (paid + 1) * shareMs - Date.now()));
      }
    }),
  );
  const all = payments * CALLERS;
  const faults = kills + databaseKills;
  for (let fault = 0; fault < faults; fault += 1) {
    const goal = ((fault + 1) * all) / (faults + 1);
    while (written.payments < goal) await sleep(50);
    if ((fault * databaseKills) % faults < databaseKills) await killDatabase();
    else await workers[fault % 2]!.kill();
    console.log(
      `${written.payments} payments, ${taken.size} events taken, fault ${fault + 1} of ${faults}`,
    );
  }
  await writing;
  const until = Date.now() + PATIENCE_MS;
  const living = endpoints.slice(0, 2);
  while (Date.now() < until && (await anyPending(caller, living))) await sleep(2000);
  process.exitCode = (await judged(caller)) ? 0 : 1;
} finally {
  await Promise.all([api, ...workers].map((one) => one.stop()));
  await Promise.all([flaky, slow].map((one) => one.close()));
  await postgres.stop();
  await Promise.all([api, ...workers].map(({ place }) => place.remove()));
  await rm(dataDir, { recursive: true, force: true });
}

async function judged(caller: PatientCaller): Promise<boolean> {
  const events = await everyEvent(caller);
  const ids = new Set(events.map(({ id }) => id));
  const lostBy = (has: ReadonlySet<string>) => [...ids].filter((id) => !has.has(id)).length;
  const lost = [lostBy(taken), lostBy(new Set(slow.ids))];
  const strange = [...flaky.ids, ...slow.ids].filter((id) => !ids.has(id)).length;
  const waits = events
    .flatMap(({ id, occurred_at: at }) => {
      const first = firstAt.get(id);
      return first === undefined ? [] : [first - Date.parse(at)];
    })
    .toSorted((a, b) => a - b);
  console.log(
    `${events.length} events, ${kills} kills of workers, ${databaseKills} of the database`,
  );
  console.log(
    `lost: ${lost[0]} of the one that fails, ${lost[1]} of the slow one; strange ids: ${strange}`,
  );
  console.log(`calls: ${flaky.ids.length} and ${slow.ids.length}`);
  const at = (part: number) => waits[Math.floor(waits.length * part)];
  console.log(`first try after the fact, ms: median ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}`);
  return lost[0] === 0 && lost[1] === 0 && strange === 0 && (at(0.5) ?? 0) < 1000;
}

async function everyEvent(caller: PatientCaller): Promise<EventBody[]> {
  const events: EventBody[] = [];
  for (let after = 'beginning'; ;) {
    const page = await caller.call('GET', `/v1/events?limit=100&after=${after}`);
    events.push(...(page['data'] as EventBody[]));
    after = page['next_cursor'] as string;
    if (!page['has_more']) break;
  }
  // Events of before the endpoints were made were not meant for them.
  const first = [...flaky.ids, ...slow.ids].toSorted()[0] ?? '';
  return events.filter(({ id }) => id >= first);
}

async function anyPending(
  caller: PatientCaller,
  endpoints: Record<string, unknown>[],
): Promise<boolean> {
  const lists = await Promise.all(
    endpoints.map(async ({ id }) =>
      caller.call('GET', `/v1/webhook-endpoints/${id}/deliveries?status=pending&limit=1`),
    ),
  );
  return lists.some(({ data }) => (data as object[]).length > 0);
}

async function killDatabase(): Promise<void> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  process.kill(Number.parseInt(text, 10), 'SIGKILL');
}
