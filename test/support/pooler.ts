import { execFileSync, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/testing/service/free-port.js';

/** It refuses to be root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Fewer than a service would have: they are really shared. */
export const POOLER_SESSIONS = 5;

export const isPoolerInstalled = (() => {
  try {
    return execFileSync('pgbouncer', ['--version']).length > 0;
  } catch {
    console.warn('left out: PgBouncer is not installed');
    return false;
  }
})();

/** PgBouncer before all databases of a server, each transaction in whatever session is free. */
export interface Pooler {
  /** An address of the server, through it. */
  before(url: string): string;
  stop(): Promise<void>;
}

/**
 * @param of the address of the role that comes through it
 * @throws Error where PgBouncer is not installed
 */
export async function startPooler(of: string): Promise<Pooler> {
  const { hostname, port: behind, username, password } = new URL(of);
  const folder = await mkdtemp(join(tmpdir(), 'quittance-pooler-'));
  const port = await freePort();
  const settings = [
    '[databases]',
    `* = host=${hostname} port=${behind}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(folder, 'users.txt')}`,
    'pool_mode = transaction',
    'max_client_conn = 2000',
    `default_pool_size = ${POOLER_SESSIONS}`,
    'server_idle_timeout = 30',
    // It remembers that a server let nobody in: for 15 s, unless it is told.
    'server_login_retry = 0.1',
    'log_connections = 0',
    'log_disconnections = 0',
  ];
  const user = `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"`;
  await writeFile(join(folder, 'pgbouncer.ini'), `${settings.join('\n')}\n`);
  await writeFile(join(folder, 'users.txt'), `${user}\n`);
  const identity = process.getuid?.() === 0 ? NOBODY : undefined;
  if (identity) await chown(folder, identity.uid, identity.gid);
  await chmod(folder, 0o755);
  const program = spawn('pgbouncer', ['-q', join(folder, 'pgbouncer.ini')], {
    ...identity,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>((resolve, reject) => {
    program.once('error', reject);
    program.once('exit', () => resolve());
  });
  const begun = new Promise<void>((resolve) => program.once('spawn', resolve));
  await Promise.race([begun, ended]);
  return {
    before: (url) => {
      const through = new URL(url);
      through.port = String(port);
      through.search = '?pooler=transaction';
      return through.href;
    },
    stop: async () => {
      program.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
