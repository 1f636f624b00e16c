import { existsSync } from 'node:fs';
import { chmod, mkdir, realpath } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderLock } from './folder-lock.js';
import { postgresSystemUser } from './postgres-system-user.js';
import { locatePostgres } from './postgres-binaries.js';
import {
  type Cluster,
  DATA_DIR,
  dataArgument,
  ensureCluster,
  LINKS_DIR,
  readPasswords,
  RESTORING,
  urlsFor,
} from './postgres-cluster.js';
import { Postmaster, readPostmasterFile, stopOrphan } from './postmaster.js';
import type { DatabaseUrls } from '../roles.js';

/** Between attempts to start; processes of a killed server may take seconds to end. */
const PAUSES_MS = [500, 500, 1000, 2000, 4000];
/** A server that dies so often within this time is not started again. */
const MOST_DEATHS = 5;
const DEATHS_WITHIN_MS = 600_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: `${sharedBuffersMb()}MB`,
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

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface EmbeddedPostgresOptions {
  /** The service's own folder, absolute: `/srv/quittance/.quittance`. */
  dataDir: string;
  log: (line: string) => void;
  /** False for tests, whose data outlives no crash: nothing waits for the disk. */
  isDurable?: boolean;
  /** Called when PostgreSQL ended without having been asked to, and cannot be started again. */
  onExit?: (reason: string) => void;
}

/**
 * A private PostgreSQL in the service's folder, for a start without any set-up. It listens on the
 * loopback only, with passwords. One process at a time owns a folder, see {@link FolderLock}. If it
 * dies, it is started again on the same port. Its clients connect again.
 */
export class EmbeddedPostgres {
  private postmaster!: Postmaster;
  private readonly deaths: number[] = [];
  private isStopping = false;
  private startingAgain: Promise<void> = Promise.resolve();

  private constructor(
    private readonly cluster: Cluster,
    private readonly lock: FolderLock,
    readonly urls: DatabaseUrls,
    private readonly port: number,
    private readonly settings: Record<string, string>,
    private readonly onExit: (reason: string) => void,
  ) {}

  /** @throws when another process holds the folder, or with PostgreSQL's own words. */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
    await chmod(options.dataDir, 0o700);
    const folder = await realpath(options.dataDir);
    const lock = await FolderLock.acquire(folder);
    try {
      if (existsSync(join(folder, RESTORING))) {
        throw new Error(`a restore into ${folder} was interrupted; empty it and restore again`);
      }
      const data = join(folder, DATA_DIR);
      await stopOrphan(data, options.log);
      const account = await postgresSystemUser(data);
      const isOther = account.owner !== undefined;
      const binaries = await locatePostgres(join(folder, LINKS_DIR), isOther);
      const cluster = { folder, data, binaries, account, log: options.log };
      const passwords = await ensureCluster(cluster);
      for (let attempt = 0; ; attempt += 1) {
        const port = await freePort();
        const onExit = options.onExit ?? (() => undefined);
        const urls = urlsFor(port, passwords);
        const settings = { ...SETTINGS, ...(options.isDurable === false && NOT_DURABLE) };
        const server = new EmbeddedPostgres(cluster, lock, urls, port, settings, onExit);
        try {
          await server.launch();
          return server;
        } catch (error) {
          // Somebody took the port meanwhile, or processes of a killed server are still ending.
          if (attempt === 2) throw error;
          await sleep(PAUSES_MS[attempt]);
        }
      }
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** The URLs of the server of a running service on this folder, for the command line tool. */
  static async urlsOfRunning(dataDir: string): Promise<DatabaseUrls | undefined> {
    if ((await FolderLock.holderOf(dataDir)) === undefined) return undefined;
    const file = await readPostmasterFile(join(dataDir, DATA_DIR));
    const passwords = await readPasswords(dataDir);
    return file?.ready && passwords ? urlsFor(file.port, passwords) : undefined;
  }

  async stop(): Promise<void> {
    this.isStopping = true;
    await this.startingAgain;
    await this.postmaster.stop();
    await this.lock.release();
  }

  private async launch(): Promise<void> {
    const { account, binaries, data, log } = this.cluster;
    const settings = Object.entries(this.settings).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    const args = ['-D', dataArgument(this.cluster), ...settings, '-c', `port=${this.port}`];
    let running = false;
    this.postmaster = Postmaster.spawn({
      command: account.command(binaries.postgres, args),
      env: binaries.env,
      data,
      onLine: (line) => running && log(`postgres: ${line}`),
      onExit: (reason) => {
        if (running && !this.isStopping) this.startingAgain = this.startAgain(reason);
      },
    });
    try {
      await this.postmaster.ready();
      running = true;
    } catch (error) {
      await this.postmaster.stop();
      throw error;
    }
  }

  /** On the same port, because pools remember it; not for ever, because somebody has to look. */
  private async startAgain(reason: string): Promise<void> {
    const { data, log } = this.cluster;
    log(`the embedded PostgreSQL ended by itself (${reason}); starting it again`);
    const now = Date.now();
    this.deaths.push(now);
    const recent = this.deaths.filter((at) => now - at < DEATHS_WITHIN_MS);
    let because = `${reason}; it ended ${recent.length} times within 10 minutes`;
    if (recent.length <= MOST_DEATHS) {
      for (const pause of [0, ...PAUSES_MS]) {
        await sleep(pause);
        if (this.isStopping) return;
        try {
          await stopOrphan(data, log);
          await this.launch();
          log('the embedded PostgreSQL runs again');
          return;
        } catch (error) {
          because = `${reason}; it does not start again: ${(error as Error).message}`;
        }
      }
    }
    this.onExit(because);
  }
}

/**
 * An eighth of the memory that this machine, or its container, has. The rest is for Node, Chromium
 * and the system's own cache of files (decision 155).
 */
function sharedBuffersMb(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.min(Math.max(Math.floor(memory / 8 / 2 ** 20), 128), 1024);
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
