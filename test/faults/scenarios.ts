import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { open, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aPlace, NO_CHROMIUM } from '../startup/program.js';
import { FaultyPath } from './faulty-path.js';
import { Supervised } from './supervised.js';

const run = promisify(execFile);

/** The stage of a fault: services, what they stand on, and the way to break and mend it. */
export interface Stage {
  services: Supervised[];
  wound(): Promise<void>;
  /** Absent where the service or its supervisor has to mend it. */
  heal?(): Promise<void>;
  close(): Promise<void>;
  /** More to tell in the end. */
  tell?(): string;
}

export interface Scenario {
  name: string;
  /** How often the fault is made. */
  rounds: number;
  stage(): Promise<Stage>;
}

/** Short waits, so that a run shows many of them; secrets that several processes share. */
const SETTINGS = {
  QUITTANCE_RATE_LIMIT: 'off',
  QUITTANCE_LOG_LEVEL: 'error',
  QUITTANCE_STATEMENT_TIMEOUT_MS: '2000',
  QUITTANCE_LOCK_TIMEOUT_MS: '1000',
  QUITTANCE_SECRET: 'c2VjcmV0cyBvZiB0aGUgZmF1bHQgcnVuLCAzMiBieXRlcyBvciBtb3Jl',
  GATEWAY_A_WEBHOOK_SECRET: 'whsec_9f4e1b7ad2c84f0c8f7b61d52ae3',
};
const SMALL_DISK_MB = 400;
const SILENCE_MS = 6000;
const READ_ONLY_MS = 3000;
const FULL_MS = 8000;

export const SCENARIOS: Scenario[] = [
  { name: 'service killed', rounds: 20, stage: () => embedded((service) => service.kill()) },
  { name: 'service told to stop', rounds: 5, stage: () => embedded((service) => service.end()) },
  {
    name: 'PostgreSQL killed',
    rounds: 10,
    stage: () => embedded((service) => killPostmaster(service)),
  },
  {
    name: 'a backend killed',
    rounds: 10,
    stage: () => embedded((service) => killBackend(service)),
  },
  { name: 'Chromium killed', rounds: 10, stage: () => embedded(killChromium, {}) },
  { name: 'cut inside COMMIT', rounds: 20, stage: cutInsideCommit },
  { name: 'silent path', rounds: 5, stage: () => quietPath('silent') },
  { name: 'late path', rounds: 5, stage: () => quietPath('late') },
  { name: 'read-only database', rounds: 5, stage: readOnly },
  { name: 'full disk', rounds: 4, stage: fullDisk },
  { name: 'one of two processes killed', rounds: 20, stage: twoProcesses },
];

/** As `npm start` on an empty folder, with a fault that it has to get over. */
async function embedded(
  wound: (service: Supervised) => Promise<void>,
  env: Record<string, string> = NO_CHROMIUM,
): Promise<Stage> {
  const service = await Supervised.start({ ...SETTINGS, ...env });
  return {
    services: [service],
    wound: () => wound(service),
    close: () => closed([service]),
    tell: () => `the service ended ${service.endings} times by itself`,
  };
}

async function killPostmaster(service: Supervised): Promise<void> {
  const file = join(service.place.dataDir, 'postgres', 'postmaster.pid');
  const [pid] = (await readFile(file, 'utf8')).split('\n', 1);
  process.kill(Number(pid), 'SIGKILL');
}

/** PostgreSQL ends all its backends then, and recovers from its log. */
async function killBackend(service: Supervised): Promise<void> {
  const file = join(service.place.dataDir, 'postgres', 'postmaster.pid');
  const [postmaster] = (await readFile(file, 'utf8')).split('\n', 1);
  const [pid] = processes(
    (line, parent) => parent === postmaster && /^postgres: \w+ \w+ 127/.test(line),
  );
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
}

async function killChromium(service: Supervised): Promise<void> {
  const mark = `/profile-${service.pid}-`;
  for (const pid of processes((line) => line.includes(mark))) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // Its parent took it along.
    }
  }
}

async function cutInsideCommit(): Promise<Stage> {
  const { database, path, service } = await behindPath();
  return {
    services: [service],
    wound: async () => {
      path.set('cut');
      await sleep(1000);
    },
    heal: async () => path.set('open'),
    close: () => closed([service], database, path),
    tell: () => `${path.cuts.before} cut before COMMIT arrived, ${path.cuts.after} after it`,
  };
}

/** No packet comes through, and nobody is told. */
async function quietPath(mode: 'silent' | 'late'): Promise<Stage> {
  const { database, path, service } = await behindPath();
  return {
    services: [service],
    wound: async () => {
      path.set(mode);
      await sleep(SILENCE_MS);
    },
    heal: async () => path.set('open'),
    close: () => closed([service], database, path),
  };
}

async function behindPath() {
  const database = await aDatabase({ migrated: false });
  const path = await FaultyPath.to(database.url);
  const service = await Supervised.start(givenDatabase(path.url));
  return { database, path, service };
}

/** As after a failover to a server that only reads. */
async function readOnly(): Promise<Stage> {
  const database = await aDatabase({ migrated: false });
  const service = await Supervised.start(givenDatabase(database.url));
  const name = new URL(database.url).pathname.slice(1);
  const set = async (value: 'on' | 'off') => {
    // Each statement for itself: the first one may run in a connection that only reads by now.
    await database.query('SET default_transaction_read_only = off');
    await database.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
  };
  return {
    services: [service],
    wound: async () => {
      await set('on');
      await sleep(READ_ONLY_MS);
    },
    heal: () => set('off'),
    close: () => closed([service], database),
  };
}

/** A disk of its own, small enough to be filled. */
async function fullDisk(): Promise<Stage> {
  if (process.getuid?.() !== 0) throw new Skipped('only root may mount a small disk');
  const place = await aPlace();
  const disk = join(place.folder, 'disk');
  await mkdir(disk);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_DISK_MB}m,mode=755`, 'tmpfs', disk]);
  const ballast = join(disk, 'ballast');
  const unmount = () => run('umount', ['--lazy', disk]);
  try {
    const env = { ...SETTINGS, ...NO_CHROMIUM, QUITTANCE_DATA_DIR: join(disk, '.quittance') };
    const service = await Supervised.start(env, place);
    return {
      services: [service],
      wound: async () => {
        await fill(ballast);
        await sleep(FULL_MS);
      },
      heal: () => rm(ballast),
      close: async () => {
        await service.stop();
        await unmount();
        await place.remove();
      },
      tell: () => `the service ended ${service.endings} times by itself`,
    };
  } catch (error) {
    await unmount();
    await place.remove();
    throw error;
  }
}

async function twoProcesses(): Promise<Stage> {
  const database = await aDatabase({ migrated: false });
  const first = await Supervised.start(givenDatabase(database.url));
  const second = await Supervised.start({ ...givenDatabase(database.url), QUITTANCE_DEMO: '0' });
  let turn = 0;
  return {
    services: [first, second],
    wound: () => [first, second][(turn += 1) % 2]!.kill(),
    close: () => closed([first, second], database),
  };
}

/** Why a scenario cannot be played here. */
export class Skipped extends Error {}

function givenDatabase(url: string): Record<string, string> {
  return { ...SETTINGS, ...NO_CHROMIUM, DATABASE_URL: url, QUITTANCE_DEMO: '1' };
}

async function closed(
  services: Supervised[],
  database?: TestDatabase,
  path?: FaultyPath,
): Promise<void> {
  await Promise.all(services.map((service) => service.stop()));
  await path?.close();
  await database?.drop();
  await Promise.all(services.map(({ place }) => place.remove()));
}

async function fill(path: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    for (const size of [1_048_576, 4096]) {
      const block = Buffer.alloc(size);
      for (;;) if ((await file.write(block)).bytesWritten < size) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await file.close();
  }
}

/** Ids of processes by their command line and parent, from /proc. */
function processes(isMeant: (line: string, parent: string) => boolean): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        return isMeant(line, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '');
      } catch {
        return false;
      }
    })
    .map(Number);
}
