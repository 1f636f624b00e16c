import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readiness, until } from '../../startup/program.js';
import { configured, folderOfPostgres, PASSWORDS } from './configured.js';
import { KeptProgram } from './kept-program.js';
import { addressOf, type Machines } from './machines.js';

const BUILT = fileURLToPath(new URL('../../../dist/src/', import.meta.url));
const PORTS = [3000, 3001];
const POLL_MS = 100;

export interface Credentials {
  client_id: string;
  client_secret: string;
}

/** Two processes of the service on one machine, with the proxies before its database. */
export class ServicePair {
  readonly urls = PORTS.map((port) => `http://${addressOf('app')}:${port}`);
  private processes: KeptProgram[] = [];

  private constructor(
    private readonly machines: Machines,
    private readonly folder: string,
    readonly haproxy: KeptProgram,
    readonly pgbouncer: KeptProgram,
  ) {}

  static async make(machines: Machines, parent: string): Promise<ServicePair> {
    const folder = await folderOfPostgres(join(parent, 'app'));
    await configured('users.txt', folder);
    const program = async (file: string, ...command: string[]) =>
      new KeptProgram({
        line: machines.onAsPostgres('app', ...command, await configured(file, folder)),
        log: join(folder, `${file}.log`),
      });
    const haproxy = await program('haproxy.cfg', 'haproxy', '-db', '-f');
    const pgbouncer = await program('pgbouncer.ini', 'pgbouncer', '-q');
    const pair = new ServicePair(machines, folder, haproxy, pgbouncer);
    haproxy.start();
    pgbouncer.start();
    return pair;
  }

  /** Migrates as the owner, makes an account, and starts both. */
  async start(): Promise<Credentials> {
    for (const _ of ['once', 'until HAProxy knows the primary']) await sleep(1500);
    const owner = `postgres://quittance_owner:${PASSWORDS.APPLICATION}@127.0.0.1:5000/quittance`;
    await this.command(['migrate'], { DATABASE_OWNER_URL: owner });
    const account = await this.command(['account', 'create', '--name', 'Acme']);
    const id = account['account_id'] as string;
    const made = await this.command(['client', 'create', '--account', id, '--name', 'shop']);
    for (const port of PORTS) {
      const cwd = join(this.folder, String(port));
      await mkdir(cwd);
      const line = this.machines.on('app', process.execPath, join(BUILT, 'main.js'));
      const env = { ...this.environment, HOST: addressOf('app'), PORT: String(port) };
      this.processes.push(new KeptProgram({ line, cwd, env, log: join(cwd, 'service.log') }));
    }
    for (const one of this.processes) one.start();
    for (const url of this.urls) await this.untilReady(url);
    return made as unknown as Credentials;
  }

  /** One after the other, the next when the one before serves again. */
  async restart(): Promise<void> {
    for (const [index, one] of this.processes.entries()) {
      const { pid } = one;
      one.signal('SIGTERM');
      while (one.pid === pid) await sleep(POLL_MS);
      await this.untilReady(this.urls[index]!);
    }
  }

  async kill(index: number): Promise<void> {
    this.processes[index]?.signal('SIGKILL');
  }

  /** @throws Error where it is not JSON that is answered */
  async command(args: string[], more: Record<string, string> = {}) {
    const line = this.machines.on('app', process.execPath, join(BUILT, 'cli.js'));
    const [program = '', ...rest] = [...line, ...args, '--json'];
    const env = { PATH: process.env['PATH'], ...this.environment, ...more };
    const said = await new Promise<string>((resolve) => {
      const options = { env, cwd: this.folder, maxBuffer: 512 * 1024 * 1024 };
      // `integrity` ends with 1 where it finds a difference, and says it.
      execFile(program, rest, options, (_, out, errors) => resolve(out || errors));
    });
    try {
      return JSON.parse(said) as Record<string, unknown>;
    } catch {
      throw new Error(`cli ${args.join(' ')}: ${said.slice(0, 2000)}`);
    }
  }

  /** Lines of both logs that are errors. */
  async errors(): Promise<string[]> {
    const logs = PORTS.map((port) => join(this.folder, String(port), 'service.log'));
    const texts = await Promise.all(logs.map(async (path) => readFile(path, 'utf8')));
    return texts.flatMap((text) => text.split('\n').filter((one) => one.includes('"level":50')));
  }

  async stop(): Promise<void> {
    for (const one of this.processes) await one.stop();
  }

  private get environment(): Record<string, string> {
    const { APPLICATION } = PASSWORDS;
    return {
      NODE_ENV: 'production',
      DATABASE_URL: `postgres://quittance_app:${APPLICATION}@127.0.0.1:6432/quittance?pooler=transaction`,
      CHROMIUM_PATH: '/nonexistent/chromium',
      BASE_URL: 'https://billing.quittance.example',
      QUITTANCE_SECRET: 'c2VjcmV0cyBvZiB0aGUgZmF1bHQgcnVuLCAzMiBieXRlcyBvciBtb3Jl',
      QUITTANCE_RATE_LIMIT: 'off',
      QUITTANCE_METRICS_PORT: 'off',
      QUITTANCE_SEAL_HEADS_FILE: join(this.folder, 'heads'),
    };
  }

  private async untilReady(url: string): Promise<void> {
    await until(`${url} gets ready`, async () => (await readiness({ url })) === 200);
  }
}
