import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { FolderLock } from '../../src/platform/database/embedded/folder-lock.js';
import { bornAt, isRunning } from '../../src/platform/process-identity.js';
import { aBegunFolder, type BegunFolder } from '../support/begun-folder.js';
import { PATIENCE_MS } from '../support/patience.js';

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function until(isSo: () => boolean, withinMs = PATIENCE_MS): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('it does not happen');
    await sleep(20);
  }
}

let begun: BegunFolder;
beforeAll(async () => {
  begun = await aBegunFolder();
});
afterAll(() => begun.remove());

describe('embedded PostgreSQL', () => {
  let root: string;
  let dataDir: string;
  let servers: EmbeddedPostgres[];
  let lines: string[];
  let exits: string[];

  // mkdtemp makes a folder of mode 0700: as root, only root may pass it.
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'quittance-pg-'));
    dataDir = join(root, 'below', '.quittance');
    servers = [];
    lines = [];
    exits = [];
  });

  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(root, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedPostgres> {
    const server = await EmbeddedPostgres.start({
      dataDir,
      log: (line) => lines.push(line),
      onExit: (reason) => exits.push(reason),
    });
    servers.push(server);
    return server;
  }

  async function postmasterPid(): Promise<number> {
    const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
    return Number(text.split('\n', 1)[0]);
  }

  it('keeps its data and its password between starts, for itself alone', async () => {
    const first = await start();
    await query(first.urls.owner, 'CREATE TABLE kept AS SELECT 7 AS n');
    expect(await EmbeddedPostgres.urlsOfRunning(dataDir)).toEqual(first.urls);
    await first.stop();
    expect(await EmbeddedPostgres.urlsOfRunning(dataDir)).toBeUndefined();

    const second = await start();
    expect(await query(second.urls.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    expect(new URL(second.urls.app).password).toBe(new URL(first.urls.app).password);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'postgres-passwords.json'))).mode & 0o777).toBe(0o600);
    const [settings] = await query<Record<string, string>>(
      second.urls.owner,
      `SELECT current_setting('listen_addresses') AS listen, current_setting('fsync') AS fsync,
        current_setting('synchronous_commit') AS commit, current_setting('is_superuser') AS super,
        current_setting('server_encoding') AS encoding`,
    );
    expect(settings).toEqual({
      listen: '127.0.0.1',
      fsync: 'on',
      commit: 'on',
      super: 'off',
      encoding: 'UTF8',
    });
  });

  it('lets nobody in without the password', async () => {
    await begun.copyTo(dataDir);
    const { urls } = await start();
    const url = urls.owner;
    const stranger = new URL(url);
    stranger.password = 'guess';
    await expect(query(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('refuses a second start on the same folder and names the first', async () => {
    await begun.copyTo(dataDir);
    const { urls } = await start();
    const url = urls.owner;
    await expect(start()).rejects.toThrow(`another Quittance (pid ${process.pid}) already runs on`);
    expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('starts again on a folder whose process was killed', async () => {
    await begun.copyTo(dataDir);
    const first = await start();
    await query(first.urls.owner, 'CREATE TABLE kept AS SELECT 7 AS n');
    const dead = spawnSync('true').pid;
    await first.stop();
    // The traces of a killed process: its lock, and a pid file with a pid that means another now.
    await writeFile(join(dataDir, 'lock'), JSON.stringify({ pid: dead, bornAt: 'x', nonce: '' }));
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${join(dataDir, 'postgres')}\n0\n5432\n\n\n\n`);
    const second = await start();
    expect(await query(second.urls.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  it('is not stopped by a lock that names a reused pid, or by a broken one', async () => {
    await mkdir(dataDir, { recursive: true });
    for (const left of [JSON.stringify({ pid: process.pid, bornAt: 'before' }), '', '{"pid":']) {
      await writeFile(join(dataDir, 'lock'), left);
      const lock = await FolderLock.acquire(dataDir);
      await expect(FolderLock.acquire(dataDir)).rejects.toThrow('already runs on');
      await lock.release();
    }
    expect(bornAt(process.pid)).not.toBe('before');
  });

  it('gives a stale folder to exactly one of many starters', async () => {
    await mkdir(dataDir, { recursive: true });
    await writeFile(join(dataDir, 'lock'), JSON.stringify({ pid: 1, bornAt: 'before' }));
    const attempts = Array.from({ length: 8 }, () => FolderLock.acquire(dataDir));
    const settled = await Promise.allSettled(attempts);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('throws away what a crash during the first set-up left', async () => {
    await mkdir(join(dataDir, 'postgres.init', 'base'), { recursive: true });
    const { urls } = await start();
    const url = urls.owner;
    expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
    expect(await readdir(dataDir)).not.toContain('postgres.init');
  });

  it('is started again where it was when it dies, with all that was committed', async () => {
    await begun.copyTo(dataDir);
    const { urls } = await start();
    await query(urls.owner, 'CREATE TABLE kept AS SELECT 7 AS n');
    for (let death = 1; death <= 2; death += 1) {
      process.kill(await postmasterPid(), 'SIGKILL');
      await until(() => lines.filter((line) => line.includes('runs again')).length === death);
      expect(await query(urls.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
    }
    expect(lines.join('\n')).toContain('ended by itself (signal SIGKILL)');
    expect(exits).toEqual([]);
  });

  it('is left alone when it dies again and again, and says so', async () => {
    await begun.copyTo(dataDir);
    const server = await start();
    for (let death = 1; death <= 6; death += 1) {
      await until(() => lines.filter((line) => line.includes('runs again')).length === death - 1);
      process.kill(await postmasterPid(), 'SIGKILL');
    }
    await until(() => exits.length > 0);
    expect(exits).toEqual(['signal SIGKILL; it ended 6 times within 10 minutes']);
    await server.stop();
    expect(await query((await start()).urls.owner, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  it('says why when it cannot be started again', async () => {
    await begun.copyTo(dataDir);
    const server = await start();
    const path = join(dataDir, 'postgres', 'global', 'pg_control');
    await rename(path, `${path}.lost`);
    process.kill(await postmasterPid(), 'SIGKILL');
    await until(() => exits.length > 0, 60_000);
    expect(exits).toEqual([expect.stringMatching(/signal SIGKILL; it does not start .*control/s)]);
    await rename(`${path}.lost`, path);
    await server.stop();
    expect(await query((await start()).urls.owner, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
  });

  const setpriv = spawnSync('setpriv', ['--version']).status === 0;

  it('survives kill -9 of its process: no orphan, no loss, no obstacle', async () => {
    await begun.copyTo(dataDir);
    const [loader, program] = ['../support/source-loader.mjs', 'postgres-process.ts'].map(
      (name) => new URL(name, import.meta.url).href,
    );
    const args = ['--no-warnings', '--import', loader ?? '', fileURLToPath(program ?? ''), dataDir];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const url = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
    await query(url, 'CREATE TABLE kept AS SELECT 7 AS n');
    const pid = await postmasterPid();
    await expect(start()).rejects.toThrow(`another Quittance (pid ${child.pid}) already runs on`);

    child.kill('SIGKILL');
    if (setpriv) {
      for (let waited = 0; isRunning(pid) && waited < 5000; waited += 20) await sleep(20);
      expect(isRunning(pid)).toBe(false);
    }
    const { urls } = await start();
    expect(await query(urls.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });
});
