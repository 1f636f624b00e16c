import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, open, readdir, readFile, realpath } from 'node:fs/promises';
import { rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderLock } from './folder-lock.js';
import { type PostgresAccount, postgresAccount } from './postgres-account.js';
import { locatePostgres, type PostgresBinaries } from './postgres-binaries.js';
import { Postmaster, readPostmasterFile, stopOrphan } from './postmaster.js';

const DATA_DIR = 'postgres';
const PASSWORD_FILE = 'postgres-password';
const LINKS_DIR = 'postgres-lib';
const DATABASE = 'quittance';
const START_ATTEMPTS = 3;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_wal_size: '2GB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failing statements are reported where they are sent from; here only what befalls the server.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_line_prefix: '',
};

export interface EmbeddedPostgresOptions {
  /** The service's own folder, absolute: `/srv/quittance/.quittance`. */
  dataDir: string;
  log: (line: string) => void;
  /** Called when PostgreSQL ends without having been asked to. */
  onExit?: (reason: string) => void;
}

/**
 * A private PostgreSQL in the service's folder, for a start without any set-up. It listens on the
 * loopback only, with a password. One process at a time owns a folder, see {@link FolderLock}.
 */
export class EmbeddedPostgres {
  private constructor(
    private readonly postmaster: Postmaster,
    private readonly lock: FolderLock,
    readonly url: string,
  ) {}

  /** @throws when another process holds the folder, or with PostgreSQL's own words. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    await chmod(options.dataDir, 0o700);
    const folder = await realpath(options.dataDir);
    const lock = await FolderLock.acquire(folder);
    try {
      const data = join(folder, DATA_DIR);
      await stopOrphan(data, options.log);
      const password = await ensurePassword(folder);
      const binaries = await locatePostgres(join(folder, LINKS_DIR));
      const account = await postgresAccount(data);
      await ensureCluster({ folder, data, password, binaries, account, log: options.log });
      const { postmaster, port } = await startServer({ ...options, data, binaries, account });
      return new EmbeddedPostgres(postmaster, lock, urlFor(port, password));
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Where the server of a running service on this folder listens, for the command line tool. */
  static async urlOfRunning(dataDir: string): Promise<string | undefined> {
    if ((await FolderLock.holderOf(dataDir)) === undefined) return undefined;
    const file = await readPostmasterFile(join(dataDir, DATA_DIR));
    const password = await readFile(join(dataDir, PASSWORD_FILE), 'utf8').catch(() => undefined);
    return file?.ready && password ? urlFor(file.port, password) : undefined;
  }

  async stop(): Promise<void> {
    await this.postmaster.stop();
    await this.lock.release();
  }
}

interface Cluster {
  folder: string;
  data: string;
  password: string;
  binaries: PostgresBinaries;
  account: PostgresAccount;
  log: (line: string) => void;
}

/** Built beside its place and moved there when complete: a crash half-way leaves only rubbish. */
async function ensureCluster(cluster: Cluster): Promise<void> {
  const { folder, data, binaries, account, password } = cluster;
  const draft = `${data}.init`;
  await rm(draft, { recursive: true, force: true });
  const contents = await readdir(data).catch((): string[] => []);
  if (contents.includes('PG_VERSION')) return;
  if (contents.length > 0) throw new Error(`${data} is not empty and holds no database; remove it`);

  cluster.log(`creating the database in ${data}`);
  await mkdir(draft, { mode: 0o700 });
  const { owner } = account;
  if (owner) {
    await chown(draft, owner.uid, owner.gid).catch((error: Error) => {
      throw setUpFailed(error.message);
    });
  }
  const passwordFile = `--pwfile=${join(folder, PASSWORD_FILE)}`;
  const locale = ['-E', 'UTF8', '--no-locale', '--locale-provider=builtin'];
  const access = ['-U', 'postgres', '-A', 'scram-sha-256', passwordFile];
  const builtin = '--builtin-locale=C.UTF-8';
  await run(cluster, binaries.initdb, ['-D', draft, ...access, ...locale, builtin]);
  // The service itself is no superuser.
  const sql =
    `CREATE ROLE ${DATABASE} LOGIN CREATEDB PASSWORD '${password}'\n` +
    `CREATE DATABASE ${DATABASE} OWNER ${DATABASE}\n`;
  await run(cluster, binaries.postgres, ['--single', '-D', draft, 'postgres'], sql);
  await rm(data, { recursive: true, force: true });
  await rename(draft, data);
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}

async function run(
  { account, binaries }: Cluster,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const [command, commandArgs] = account.command(program, args);
  const child = spawn(command, commandArgs, { env: binaries.env, cwd: '/' });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0 && !/ (ERROR|FATAL|PANIC): /.test(output)) return;
  throw setUpFailed(output.trim().slice(-2000));
}

function setUpFailed(reason: string): Error {
  return new Error(
    'the embedded PostgreSQL could not be set up. Run Quittance as a normal user with a folder ' +
      `of its own, or set DATABASE_URL. The reason:\n${reason}`,
  );
}

async function startServer(
  options: Pick<Cluster, 'data' | 'binaries' | 'account'> & EmbeddedPostgresOptions,
): Promise<{ postmaster: Postmaster; port: number }> {
  const { data, binaries, account } = options;
  const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const args = ['-D', data, ...settings, '-c', `port=${port}`];
    let running = false;
    const postmaster = Postmaster.spawn({
      command: account.command(binaries.postgres, args),
      env: binaries.env,
      data,
      onLine: (line) => running && options.log(`postgres: ${line}`),
      onExit: (reason) => {
        if (!running) return;
        options.log(`the embedded PostgreSQL ended by itself (${reason})`);
        options.onExit?.(reason);
      },
    });
    try {
      await postmaster.ready();
      running = true;
      return { postmaster, port };
    } catch (error) {
      await postmaster.stop();
      // Somebody took the port meanwhile, or processes of a killed server are still ending.
      if (attempt === START_ATTEMPTS) throw error;
      await sleep(500);
    }
  }
}

async function ensurePassword(folder: string): Promise<string> {
  const path = join(folder, PASSWORD_FILE);
  const existing = await readFile(path, 'utf8').catch(() => '');
  if (existing) return existing;
  if (await stat(join(folder, DATA_DIR)).catch(() => undefined)) {
    throw new Error(`${path} is missing, but the database it opens exists; restore the file`);
  }
  const password = randomBytes(24).toString('hex');
  await writeFile(`${path}.new`, password, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  return password;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

function urlFor(port: number, password: string): string {
  return `postgres://${DATABASE}:${password}@127.0.0.1:${port}/${DATABASE}`;
}
