import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import pg from 'pg';
import { EmbeddedPostgres } from '../../src/platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { postgresSystemUser } from '../../src/platform/database/embedded/postgres-system-user.js';
import { locatePostgres } from '../../src/platform/database/embedded/postgres-binaries.js';
import {
  type Cluster,
  runAsSuperuser,
} from '../../src/platform/database/embedded/postgres-cluster.js';
import { examineRole } from '../../src/platform/database/roles.js';
import { aBegunFolder, type BegunFolder } from '../support/begun-folder.js';

const onRoot = process.getuid?.() === 0 ? it : it.skip;

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

let begun: BegunFolder;
beforeAll(async () => {
  begun = await aBegunFolder();
});
afterAll(() => begun.remove());

const printedBy = (program: string, given: string[]) =>
  spawnSync(program, given, { encoding: 'utf8' }).stdout;

it('a program does not run if its starter has ended before it would be told', async (test) => {
  if (process.platform !== 'linux') return test.skip('death signals are of Linux');
  const user = await postgresSystemUser(tmpdir());
  const [command, args] = user.command('echo', ['here']);
  expect(printedBy(command, args)).toBe('here\n');
  // The shell stays, and is a parent that did not ask for it.
  expect(printedBy('sh', ['-c', '"$@"; true', 'sh', command, ...args])).toBe('');
});

describe('the roles of the embedded PostgreSQL', () => {
  let root: string;
  let dataDir: string;
  let data: string;
  let servers: EmbeddedPostgres[];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'quittance-pg-'));
    dataDir = join(root, '.quittance');
    data = join(dataDir, 'postgres');
    servers = [];
  });
  afterEach(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(root, { recursive: true, force: true });
  });

  async function start(): Promise<EmbeddedPostgres> {
    const server = await EmbeddedPostgres.start({ dataDir, log: () => undefined });
    servers.push(server);
    return server;
  }

  /** A folder on which PostgreSQL's own programs can run, while no server does. */
  async function aCluster(): Promise<Cluster> {
    const account = await postgresSystemUser(data);
    const binaries = await locatePostgres(join(dataDir, 'postgres-lib'), !!account.owner);
    return { folder: dataDir, data, account, binaries, log: () => undefined };
  }

  it('lets nobody in as the superuser, and the service do only what it has to', async () => {
    await begun.copyTo(dataDir);
    const { urls } = await start();
    await migrate(urls);
    for (const url of Object.values(urls)) {
      const superuser = new URL(url ?? '');
      superuser.username = 'postgres';
      await expect(query(superuser.href, 'SELECT 1')).rejects.toMatchObject({ code: '28000' });
    }
    const roles = await query(
      urls.owner,
      `SELECT rolname, rolsuper, rolcanlogin FROM pg_roles WHERE rolname !~ '^pg_' ORDER BY 1`,
    );
    const login = { rolsuper: false, rolcanlogin: true };
    expect(roles).toEqual([
      { rolname: 'postgres', rolsuper: true, rolcanlogin: false },
      { rolname: 'quittance_app', ...login },
      { rolname: 'quittance_owner', ...login },
      { rolname: 'quittance_reader', ...login },
    ]);
    expect(await examineRole(urls.app)).toEqual([]);
    expect((await stat(join(dataDir, 'postgres-passwords.json'))).mode & 0o777).toBe(0o600);
    const passwords = Object.values(urls).map((url) => new URL(url ?? '').password);
    expect(new Set(passwords).size).toBe(3);
  });

  it('get new passwords when their file is lost', async () => {
    await begun.copyTo(dataDir);
    const { urls } = await start();
    await query(urls.owner, 'CREATE TABLE kept AS SELECT 7 AS n');
    await servers.pop()?.stop();
    await rm(join(dataDir, 'postgres-passwords.json'));
    const again = await start();
    expect(new URL(again.urls.app).password).not.toBe(new URL(urls.app).password);
    expect(await query(again.urls.owner, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
  });

  onRoot('keep no right of root, not even for a superuser', async () => {
    await begun.copyTo(dataDir);
    await runAsSuperuser(await aCluster(), 'quittance', ['ALTER ROLE quittance_owner SUPERUSER']);
    const { urls } = await start();
    const client = new pg.Client(urls.owner);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE pid IS NOT NULL',
    );
    const file = await readFile(join(data, 'postmaster.pid'), 'utf8');
    const pids = [Number(file.split('\n', 1)[0]), ...rows.map(({ pid }) => pid)];
    expect(pids.length).toBeGreaterThan(5);
    const none = '0000000000000000';
    for (const pid of pids) {
      expect(statusOf(pid)).toMatchObject({
        CapInh: none,
        CapPrm: none,
        CapEff: none,
        CapBnd: none,
        CapAmb: none,
        NoNewPrivs: '1',
        Groups: '',
        Uid: expect.not.stringMatching(/^0\b|\t0\b/),
        Gid: expect.not.stringMatching(/^0\b|\t0\b/),
      });
    }
    const closed = join(root, 'secrets.json');
    await writeFile(closed, 'of the service', { mode: 0o644 });
    for (const path of ['/etc/shadow', closed]) {
      await expect(client.query('SELECT pg_read_file($1)', [path])).rejects.toMatchObject({
        code: '42501',
      });
      const copied = client.query(`CREATE TEMP TABLE t (line text); COPY t FROM '${path}'`);
      await expect(copied).rejects.toMatchObject({ code: '42501' });
    }
    await client.query(`CREATE TEMP TABLE t (line text); COPY t FROM PROGRAM 'id -u; id -G'`);
    const said = await client.query<{ line: string }>('SELECT line FROM t');
    expect(said.rows.map(({ line }) => line)).not.toContain('0');
    await client.end();
  });
});

function statusOf(pid: number): Record<string, string> {
  expect(readdirSync('/proc')).toContain(String(pid));
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').trim().split('\n');
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')),
      line.slice(line.indexOf(':') + 1).trim(),
    ]),
  );
}
