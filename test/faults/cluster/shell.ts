import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const POSTGRES_BIN = '/usr/lib/postgresql/15/bin';

/** Each program that the run starts, with its package of Debian. */
const PROGRAMS: Record<string, string> = {
  etcd: 'etcd-server',
  patroni: 'patroni',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  ip: 'iproute2',
  setpriv: 'util-linux',
};

/** @returns what keeps the run from starting here, a line for each */
export function whatIsMissing(): string[] {
  const missing = Object.entries(PROGRAMS).flatMap(([program, of]) =>
    spawnSync('which', [program]).status === 0 ? [] : `not installed: ${program} (package ${of})`,
  );
  if (!existsSync(`${POSTGRES_BIN}/postgres`)) missing.push('not installed: postgresql-15');
  if (process.getuid?.() !== 0) return [...missing, 'only root may make network namespaces'];
  const trial = 'quittance-trial';
  if (missing.length === 0 && spawnSync('ip', ['netns', 'add', trial]).status !== 0)
    missing.push('this machine lets nobody make network namespaces');
  else spawnSync('ip', ['netns', 'del', trial]);
  return missing;
}

/** @throws Error with what it said, where it ends otherwise than with 0 */
export async function shell(program: string, ...args: string[]): Promise<string> {
  return (await execute(program, args, { cwd: '/', maxBuffer: 64 * 1024 * 1024 })).stdout;
}

/** PostgreSQL and its neighbours refuse to be root. */
export const asPostgres = (...command: string[]) => [
  'setpriv',
  '--reuid=postgres',
  '--regid=postgres',
  '--init-groups',
  '--',
  ...command,
];
