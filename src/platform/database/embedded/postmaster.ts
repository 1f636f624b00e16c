import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from '../../process-identity.js';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 20;
const KEPT_LINES = 12;

interface PostmasterFile {
  pid: number;
  port: number;
  ready: boolean;
}

/** The file in its data directory in which a running server describes itself. */
export async function readPostmasterFile(data: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (!text) return undefined;
  const [pid, , , port, , , , status] = text.split('\n');
  return { pid: Number(pid), port: Number(port), ready: status?.trim() === 'ready' };
}

/**
 * Stops a server that outlived the process that had started it. The pid alone proves nothing,
 * it may have been reused: it must be a PostgreSQL that works in this data directory.
 */
export async function stopOrphan(data: string, log: (line: string) => void): Promise<void> {
  const file = await readPostmasterFile(data);
  if (!file || !isRunning(file.pid)) return;
  if (!(await servesFolder(file.pid, data))) {
    // PostgreSQL refuses to start while any process has this pid; ours it is not.
    await rm(join(data, 'postmaster.pid'), { force: true });
    return;
  }
  log(`stopping PostgreSQL (pid ${file.pid}) left behind by an earlier run`);
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    kill(file.pid, signal);
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (Date.now() < deadline) {
      if (!isRunning(file.pid)) return;
      await sleep(POLL_MS);
    }
  }
  throw new Error(`PostgreSQL (pid ${file.pid}) of an earlier run on ${data} cannot be stopped`);
}

/** A PostgreSQL server process that this process started. */
export class Postmaster {
  private stopping = false;
  private ended?: string;
  private readonly lastLines: string[] = [];
  private readonly exited: Promise<void>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly data: string,
    onLine: (line: string) => void,
    onExit: (reason: string) => void,
  ) {
    this.exited = new Promise((resolve) => {
      const end = (reason: string) => {
        if (this.ended !== undefined) return;
        this.ended = reason;
        resolve();
        if (!this.stopping) onExit(reason);
      };
      child.once('error', (error) => end(error.message));
      child.once('exit', (code, signal) => end(signal ? `signal ${signal}` : `exit code ${code}`));
    });
    if (child.stderr) {
      createInterface({ input: child.stderr }).on('line', (line) => {
        this.lastLines.push(line);
        if (this.lastLines.length > KEPT_LINES) this.lastLines.shift();
        if (!this.stopping) onLine(line);
      });
    }
  }

  /** Its own session, so that Ctrl-C reaches us alone and open requests can still be finished. */
  static spawn(options: {
    command: [string, string[]];
    env: Record<string, string>;
    data: string;
    onLine: (line: string) => void;
    onExit: (reason: string) => void;
  }): Postmaster {
    const [program, args] = options.command;
    const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
    const { env, data: cwd } = options;
    const child = spawn(program, args, { env, cwd, stdio, detached: true });
    return new Postmaster(child, options.data, options.onLine, options.onExit);
  }

  /** @throws with PostgreSQL's own last words when it ends before it takes connections. */
  async ready(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < deadline) {
      if (this.ended !== undefined) throw this.failure(`ended with ${this.ended}`);
      const file = await readPostmasterFile(this.data);
      if (file?.ready && file.pid === this.child.pid) return;
      await sleep(POLL_MS);
    }
    throw this.failure(`was not ready after ${START_TIMEOUT_MS / 1000} s`);
  }

  /** Fast shutdown: open transactions are rolled back, everything committed is on disk. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (this.ended !== undefined) return;
    this.child.kill('SIGINT');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    await this.exited;
    clearTimeout(timer);
  }

  private failure(what: string): Error {
    return new Error(`embedded PostgreSQL ${what}\n${this.lastLines.join('\n')}`.trim());
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function servesFolder(pid: number, data: string): Promise<boolean> {
  // Without /proc, a pid proves too little to send a signal.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program] = commandLine.split('\0');
  const worksIn = await readlink(`/proc/${pid}/cwd`).catch(() => '');
  return program?.endsWith('/postgres') === true && worksIn === data;
}
