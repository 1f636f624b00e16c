import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './load-job.js';

const READY_WITHIN_MS = 120_000;
const POLL_MS = 5;
/** USER_HZ is 100 on every Linux that Node runs on. */
const CLOCK_TICK_MS = 10;

/** A server under test, in a process of its own. */
export interface Server {
  port: number;
  /** From spawning the process to the first 200 of `/readyz`. */
  readyMs: number;
  residentMb(): Promise<number>;
  cpuMs(): Promise<number>;
  stop(): Promise<void>;
}

/** Output goes to a log file in `folder`. */
export async function startServer(
  name: string,
  script: URL,
  folder: string,
  env: Record<string, string>,
  nodeArgs: string[] = [],
): Promise<Server> {
  const port = await freePort();
  const logPath = join(folder, `${name}.log`);
  const log = await open(logPath, 'a');
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeArgs, fileURLToPath(script)], {
    // Nothing of our own settings: only what is named here.
    env: { PATH: process.env['PATH'], QUITTANCE_METRICS_PORT: 'off', ...env, PORT: String(port) },
    cwd: folder,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  try {
    await ready(child, port);
  } catch (error) {
    child.kill('SIGKILL');
    const said = (await readFile(logPath, 'utf8')).slice(-2000);
    throw new Error(`${name} did not start:\n${said}`, { cause: error });
  }
  const readyMs = performance.now() - startedAt;
  return {
    port,
    readyMs,
    residentMb: async () => sumOf(await withChildren(child), residentMb),
    cpuMs: async () => sumOf(await withChildren(child), cpuMs),
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function ready(child: ChildProcess, port: number): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`it ended with code ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.status === 200) return;
    await sleep(POLL_MS);
  }
  throw new Error('it was not ready in time');
}

/** The process and those that share its port, without the browsers that they may have started. */
async function withChildren({ pid = 0 }: ChildProcess): Promise<number[]> {
  const others = await allPids();
  const stats = await Promise.all(
    others.map(async (other) => [other, await statOf(other)] as const),
  );
  const children = stats.filter(([, [, parent]]) => Number(parent) === pid);
  const commands = await Promise.all(
    children.map(async ([other]) => readFile(`/proc/${other}/cmdline`, 'utf8').catch(() => '')),
  );
  return [
    pid,
    ...children.flatMap(([other], at) => (commands[at]?.includes('main.js') ? other : [])),
  ];
}

async function sumOf(pids: number[], of: (pid: number) => Promise<number>): Promise<number> {
  const values = await Promise.all(pids.map(of));
  return values.reduce((sum, value) => sum + value, 0);
}

async function allPids(): Promise<number[]> {
  const names = await readdir('/proc').catch((): string[] => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** Linux only; elsewhere 0. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

/** CPU time so far; Linux only, elsewhere 0. Steadier than a rate on a shared machine. */
async function cpuMs(pid: number): Promise<number> {
  const [user = 0, system = 0] = (await statOf(pid)).slice(11, 13).map(Number);
  return (user + system) * CLOCK_TICK_MS;
}

/** CPU time so far of a PostgreSQL with all its processes, by the folder of its data. */
export async function postgresCpuMs(data: string): Promise<number> {
  const [postmaster] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
  const stats = await Promise.all((await allPids()).map(statOf));
  const own = stats.filter(([, parent]) => parent === postmaster);
  // Of those that ended meanwhile, too.
  const ended = (await statOf(Number(postmaster))).slice(13, 15);
  const ticks = [...own.flatMap((stat) => stat.slice(11, 13)), ...ended].map(Number);
  return ticks.reduce((sum, one) => sum + one, 0) * CLOCK_TICK_MS;
}

/** The text after the name of a process in its `stat`: proc(5). */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.split(') ').at(-1)?.split(' ') ?? [];
}

/** The load generator's process, which does one job at a time. */
export class LoadGenerator {
  private readonly child = fork(new URL('./load-worker.js', import.meta.url));

  async run(job: LoadJob): Promise<LoadResult> {
    this.child.send(job);
    const [answer] = (await once(this.child, 'message')) as [
      { result?: LoadResult; error?: string },
    ];
    if (answer.result) return answer.result;
    throw new Error(answer.error);
  }

  async cpuMs(): Promise<number> {
    return cpuMs(this.child.pid ?? 0);
  }

  stop(): void {
    this.child.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
