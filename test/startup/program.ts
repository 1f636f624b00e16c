import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/cli/command-line.js';
import type { Terminal } from '../../src/cli/progress/progress-line.js';
import type { Demo } from '../../src/demo/demo-account.js';
import { runDemoWebhook } from '../../src/demo/demo-delivery.js';
import { CACHE_FOLDER } from '../support/folders.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { PATIENCE_MS } from '../support/patience.js';

export const SOURCE_LOADER = new URL('../support/source-loader.mjs', import.meta.url).href;
const POLL_MS = 20;

/** An unpacked Chromium and compiled sources are shared, everything else is made anew. */
export const OWN_ENVIRONMENT = {
  PATH: process.env['PATH'] ?? '',
  QUITTANCE_CACHE_DIR: CACHE_FOLDER,
  // Several services run at once.
  QUITTANCE_METRICS_PORT: '0',
  NODE_COMPILE_CACHE: join(CACHE_FOLDER, 'compiled'),
};

/*
 * The real programs as child processes, in a folder as empty as an operator's. Usage:
 *
 *   const place = await aPlace();                    // afterAll(() => place.remove())
 *   const service = await place.service();           // src/main.ts, ready, on a free port
 *   const { code, output, errors } = await place.run('cli', ['migrate', '--json']);
 *   const { code, output, errors } = await place.command(['migrate', '--json']);   // without a process
 */

type Source = 'main' | 'cli' | 'demo/demo-webhook';
type Environment = Record<string, string>;

interface Answered {
  code: number | null;
  output: string;
  errors: string;
}

export interface Ended extends Answered {
  signal: NodeJS.Signals | null;
}

/** A program that was started; `ended` never rejects. */
export class Program {
  output = '';
  errors = '';
  hasEnded = false;
  readonly ended: Promise<Ended>;

  constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.hasEnded = true;
        resolve({ code, signal, output: this.output, errors: this.errors });
      });
    });
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }
}

/** The service, once started; `url` is where it was told to listen. */
export interface ServiceProgram extends Program {
  url: string;
  port: number;
}

/** Spares a start that prints nothing the warm-up of a browser. */
export const NO_CHROMIUM = { CHROMIUM_PATH: '/nonexistent/chromium' };

export class Place {
  private readonly started: Program[] = [];

  constructor(readonly folder: string) {}

  /** `.quittance`, as the service makes it. */
  get dataDir(): string {
    return join(this.folder, '.quittance');
  }

  start(source: Source, args: string[] = [], env: Environment = {}): Program {
    const file = fileURLToPath(new URL(`../../src/${source}.ts`, import.meta.url));
    const child = spawn(
      process.execPath,
      ['--no-warnings', '--import', SOURCE_LOADER, file, ...args],
      {
        cwd: this.folder,
        // Nothing of the test's own environment: NODE_ENV and the like would change what is tested.
        env: { ...OWN_ENVIRONMENT, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const program = new Program(child);
    this.started.push(program);
    return program;
  }

  async run(source: Source, args: string[] = [], env: Environment = {}): Promise<Ended> {
    return this.start(source, args, env).ended;
  }

  /** As `run` of `cli`, in this process: loading the sources takes most of the time of a command. */
  async command(args: string[], env: Environment = {}, terminal?: Terminal): Promise<Answered> {
    return this.answered(runCommand, args, env, terminal);
  }

  /** As `run` of `cli`, on a terminal of its own: all that it shows, control codes included. */
  async shown(args: string[], env: Environment = {}): Promise<Answered> {
    const file = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
    const line = [process.execPath, '--no-warnings', '--import', SOURCE_LOADER, file, ...args];
    const text = line.map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qec', text, '/dev/null'], {
      cwd: this.folder,
      env: { ...OWN_ENVIRONMENT, TERM: 'xterm', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const program = new Program(child);
    this.started.push(program);
    return program.ended;
  }

  /** As `run` of `demo/demo-webhook`, in this process. */
  async demoWebhook(args: string[]): Promise<Answered> {
    return this.answered(runDemoWebhook, args, {});
  }

  private async answered(
    run: typeof runCommand,
    args: string[],
    env: Environment,
    terminal?: Terminal,
  ): Promise<Answered> {
    let output = '';
    let errors = '';
    const code = await run(args, {
      environment: { ...OWN_ENVIRONMENT, ...env },
      folder: this.folder,
      print: (line) => (output += `${line}\n`),
      warn: (line) => (errors += `${line}\n`),
      terminal,
    });
    return { code, output, errors };
  }

  /** Started on a free port or that of `env`, perhaps not ready yet. */
  async starting(env: Environment = {}): Promise<ServiceProgram> {
    const port = Number(env['PORT'] ?? (await freePort()));
    const program = this.start('main', [], { ...env, PORT: String(port) });
    return Object.assign(program, { port, url: `http://127.0.0.1:${port}` });
  }

  async service(env: Environment = {}): Promise<ServiceProgram> {
    const service = await this.starting(env);
    await untilReady(service);
    return service;
  }

  async demo(): Promise<Demo> {
    return JSON.parse(await readFile(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  /** The processes that still run here, by the command lines and working folders of /proc. */
  processes(): string[] {
    const profiles = this.started.map(({ pid }) => `/profile-${pid}-`);
    const marks = [this.folder, ...profiles];
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((pid) => whatRuns(pid))
      .filter((text) => marks.some((mark) => text.includes(mark)));
  }

  async remove(): Promise<void> {
    for (const program of this.started) if (!program.hasEnded) program.signal('SIGKILL');
    await Promise.all(this.started.map(({ ended }) => ended));
    await rm(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

export async function aPlace(): Promise<Place> {
  return new Place(await mkdtemp(join(tmpdir(), 'quittance-start-')));
}

/** @throws with what the service said when it ends, or is not ready in time */
export async function untilReady(
  service: Pick<ServiceProgram, 'url' | 'hasEnded' | 'output' | 'errors'>,
): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!service.hasEnded && Date.now() < deadline) {
    if ((await readiness(service)) === 200) return;
    await sleep(POLL_MS);
  }
  throw new Error(`the service did not get ready:\n${service.output}${service.errors}`);
}

/** Status of `/readyz` over a fresh connection, or the error code of the connection. */
export async function readiness({ url }: { url: string }): Promise<number | string> {
  try {
    const answer = await fetch(`${url}/readyz`, { headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return cause?.code ?? 'unreachable';
  }
}

export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`it does not happen: ${what}`);
    await sleep(POLL_MS);
  }
}

/** Command line and working folder: PostgreSQL's backends replace the former. */
function whatRuns(pid: string): string {
  try {
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return `${line} in ${readlinkSync(`/proc/${pid}/cwd`)}`;
  } catch {
    return '';
  }
}
