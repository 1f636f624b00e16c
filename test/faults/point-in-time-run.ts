import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { SystemClock } from '../../src/kernel/clock.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { aPlace, NO_CHROMIUM, type Place } from '../startup/program.js';
import { TestClient } from '../support/client.js';

// npm run drill:point-in-time
// A server of PostgreSQL with pgBackRest, restored to an instant between two payments.

const CLUSTERS = '/usr/lib/postgresql';
const STANZA = 'main';
const BEFORE = [100, 250, 1];
const AFTER = [500, 20];

const say = (text: string) => process.stdout.write(`${text}\n`);

/** The server and its backups, in one folder, as the user of the Debian package. */
class Server {
  private constructor(
    private readonly bin: string,
    private readonly folder: string,
    readonly port: number,
  ) {}

  static async make(bin: string): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), 'quittance-point-in-time-'));
    const server = new Server(bin, folder, await freePort());
    for (const name of ['', 'repo', 'log', 'lock', 'socket']) {
      await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
      handOver(join(folder, name));
    }
    await writeFile(server.config, server.pgBackRest());
    handOver(server.config);
    await server.run(`${bin}/initdb`, ['-D', server.data, '-A', 'trust', '--no-sync']);
    await appendFile(join(server.data, 'postgresql.conf'), server.settings());
    await server.start();
    await server.backRest('stanza-create');
    return server;
  }

  private get data(): string {
    return join(this.folder, 'data');
  }

  private get config(): string {
    return join(this.folder, 'pgbackrest.conf');
  }

  private pgBackRest(): string {
    const at = (name: string) => join(this.folder, name);
    return [
      '[global]',
      `repo1-path=${at('repo')}`,
      `log-path=${at('log')}`,
      `lock-path=${at('lock')}`,
      'start-fast=y',
      'repo1-retention-full=2',
      `[${STANZA}]`,
      `pg1-path=${this.data}`,
      `pg1-port=${this.port}`,
      `pg1-socket-path=${at('socket')}`,
      '',
    ].join('\n');
  }

  private settings(): string {
    return [
      '',
      `port = ${this.port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${join(this.folder, 'socket')}'`,
      'archive_mode = on',
      `archive_command = 'pgbackrest --config=${this.config} --stanza=${STANZA} archive-push %p'`,
      '',
    ].join('\n');
  }

  url(database: string, user = 'postgres'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  async start(): Promise<void> {
    await this.run(`${this.bin}/pg_ctl`, [
      '-D',
      this.data,
      '-l',
      join(this.folder, 'log/server'),
      '-w',
      'start',
    ]);
  }

  async stop(): Promise<void> {
    await this.run(`${this.bin}/pg_ctl`, ['-D', this.data, '-m', 'fast', '-w', 'stop']);
  }

  async backRest(command: string, ...args: string[]): Promise<void> {
    await this.run('pgbackrest', [
      `--config=${this.config}`,
      `--stanza=${STANZA}`,
      ...args,
      command,
    ]);
  }

  async query<Row extends object>(database: string, sql: string): Promise<Row[]> {
    const client = new pg.Client(this.url(database));
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  async remove(): Promise<void> {
    spawnSync(...asPostgres(`${this.bin}/pg_ctl`, ['-D', this.data, '-m', 'immediate', 'stop']));
    await rm(this.folder, { recursive: true, force: true });
  }

  private async run(program: string, args: string[]): Promise<void> {
    const [file, all] = asPostgres(program, args);
    // A server that goes on keeps the pipe of its starter.
    const stdio = args.includes('start') ? 'ignore' : 'inherit';
    const child = spawn(file, all, { cwd: '/', stdio: ['ignore', 'ignore', stdio] });
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  }
}

const isRoot = process.getuid?.() === 0;

function asPostgres(program: string, args: string[]): [string, string[]] {
  if (!isRoot) return [program, args];
  const as = ['--reuid=postgres', '--regid=postgres', '--init-groups'];
  return ['setpriv', [...as, program, ...args]];
}

function handOver(path: string): void {
  if (!isRoot) return;
  chownSync(path, idOfPostgres('-u'), idOfPostgres('-g'));
}

function idOfPostgres(kind: '-u' | '-g'): number {
  return Number(spawnSync('id', [kind, 'postgres'], { encoding: 'utf8' }).stdout);
}

const FIGURES = `SELECT (SELECT count(*) FROM payments)::int AS payments,
  (SELECT sum(amount) FROM payments)::text AS paid, (SELECT count(*) FROM transfers)::int AS transfers,
  (SELECT count(*) FROM events)::int AS events,
  (SELECT timeline_id FROM pg_control_checkpoint()) AS timeline`;

async function drill(server: Server, place: Place): Promise<void> {
  await server.query('postgres', 'CREATE ROLE quittance_owner LOGIN CREATEROLE');
  await server.query('postgres', 'CREATE DATABASE quittance OWNER quittance_owner');
  const env = {
    ...NO_CHROMIUM,
    DATABASE_URL: server.url('quittance', 'quittance_owner'),
    // Nobody answers there: messages stay queued.
    QUITTANCE_SMTP_URL: 'smtp://127.0.0.1:9',
    QUITTANCE_MAIL_FROM: 'billing@quittance.example',
    QUITTANCE_RATE_LIMIT: 'off',
  };
  const json = async (args: string[]) => {
    const { output, errors } = await place.command([...args, '--json'], env);
    return JSON.parse(output || errors) as Record<string, string>;
  };
  const figures = async () => (await server.query<object>('quittance', FIGURES))[0];
  const service = await place.service(env);
  const { account_id: accountId = '' } = await json(['account', 'create', '--name', 'Acme']);
  const made = await json(['client', 'create', '--account', accountId, '--name', 'shop']);
  const { client_id: id = '', client_secret: secret = '' } = made;
  const client = new TestClient(service.url, new SystemClock(), { id, secret, accountId });
  const invoice = await client.anInvoice();
  let began = Date.now();
  const took = (what: string) => {
    say(`${what}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
    began = Date.now();
  };
  await server.backRest('backup', '--type=full');
  took('full backup');
  for (const amount of BEFORE) await client.pay(invoice, { amount });
  await client.post(`/v1/finance/documents/${invoice.id}/send`, {});
  await sleep(1500);
  const [at] = await server.query<{ now: string }>('quittance', 'SELECT now()::text AS now');
  const then = await figures();
  say(`at the instant ${at?.now}: ${JSON.stringify(then)}`);
  await sleep(1500);
  for (const amount of AFTER) await client.pay(invoice, { amount });
  say(`at the failure: ${JSON.stringify(await figures())}`);
  service.signal('SIGTERM');
  await service.ended;
  await server.stop();
  began = Date.now();
  const to = [`--target=${at?.now}`, '--type=time', '--target-action=promote', '--delta'];
  await server.backRest('restore', ...to);
  await server.start();
  while (
    (await server.query<{ on: boolean }>('postgres', 'SELECT pg_is_in_recovery() AS on'))[0]?.on
  )
    await sleep(200);
  took('restore to the instant');
  const again = await figures();
  say(`restored: ${JSON.stringify(again)}`);
  const { timeline: _, ...sums } = again as { timeline: number };
  const { timeline: __, ...wanted } = then as { timeline: number };
  if (JSON.stringify(sums) !== JSON.stringify(wanted)) throw new Error('it is not as it was then');
  const integrity = (await json(['integrity'])) as unknown as {
    checks: number;
    differences: object[];
  };
  say(`integrity: ${integrity.checks} checks, ${integrity.differences.length} differences`);
  if (integrity.differences.length > 0) throw new Error(JSON.stringify(integrity.differences));
  const started = await place.service(env);
  const waiting = (await json(['release'])) as unknown as Record<string, { held: boolean }>;
  for (const [kind, state] of Object.entries(waiting))
    say(`waits, ${kind}: ${JSON.stringify(state)}`);
  if (!waiting['collections']?.held || !waiting['refunds']?.held)
    throw new Error('the restore was not noticed');
  say(`released: ${JSON.stringify(await json(['release', '--all']))}`);
  started.signal('SIGTERM');
  await started.ended;
}

const versions = existsSync(CLUSTERS) ? readdirSync(CLUSTERS).toSorted() : [];
const newest = versions.at(-1);
const hasProgram = spawnSync('pgbackrest', ['version']).status === 0;
if (newest === undefined || !hasProgram) {
  say('not run: apt-get install postgresql pgbackrest');
} else {
  say(
    `PostgreSQL ${newest}, ${spawnSync('pgbackrest', ['version'], { encoding: 'utf8' }).stdout.trim()}`,
  );
  const server = await Server.make(join(CLUSTERS, newest, 'bin'));
  const place = await aPlace();
  try {
    await drill(server, place);
  } finally {
    await place.remove();
    await server.remove();
  }
}
