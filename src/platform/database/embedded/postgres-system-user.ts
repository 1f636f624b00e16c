import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const REMEDY =
  'run Quittance as a normal user, or set DATABASE_URL to a PostgreSQL server of your own';

/**
 * The rest of our own rights: none, for good. If the kernel or an old libcap-ng does not let go of
 * all, a change of user still ends what root may.
 */
const NO_RIGHTS = [
  ['--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all', '--bounding-set=-all'],
  ['--no-new-privs', '--inh-caps=-all', '--ambient-caps=-all'],
  ['--no-new-privs'],
];

/** Nothing runs if this process ended before the death signal was set: nobody would send it. */
const UNLESS_LEFT = ['sh', '-c', 'test "$PPID" = "$0" || exit 1; exec "$@"', `${process.pid}`];

/** The operating system account that PostgreSQL runs under, and how to start a program as it. */
export interface PostgresSystemUser {
  /** Set when files must be handed over to that account: we are root. */
  owner?: { uid: number; gid: number };
  /** The command line that runs `program` under the account. */
  command(program: string, args: string[]): [string, string[]];
}

/**
 * PostgreSQL refuses to run as root. So root runs it as `nobody`, or as the owner of the data,
 * without any capability or group of root. The death signal stops it when this process is killed.
 * On Linux both are the work of setpriv(1) from util-linux.
 */
export async function postgresSystemUser(dataDir: string): Promise<PostgresSystemUser> {
  const isRoot = process.getuid?.() === 0;
  if (!(await hasSetpriv())) {
    if (!isRoot) return { command: (program, args) => [program, args] };
    throw new Error(`as root, the embedded PostgreSQL needs setpriv (util-linux); ${REMEDY}`);
  }
  const owner = isRoot ? ((await ownerOf(dataDir)) ?? (await nobody())) : undefined;
  const identity = owner
    ? ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups']
    : [];
  const options = [...identity, ...(await noRights(identity)), '--pdeathsig', 'INT'];
  return {
    ...(owner && { owner }),
    command: (program, args) => ['setpriv', [...options, '--', ...UNLESS_LEFT, program, ...args]],
  };
}

async function noRights(identity: string[]): Promise<string[]> {
  for (const options of NO_RIGHTS) {
    const tried = promisify(execFile)('setpriv', [...identity, ...options, '--', 'true']);
    if (await tried.then(() => true).catch(() => false)) return options;
  }
  return [];
}

async function hasSetpriv(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  // Busybox has a setpriv too, without the options used here.
  const help = promisify(execFile)('setpriv', ['--help']);
  return help.then(({ stdout }) => stdout.includes('--pdeathsig')).catch(() => false);
}

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
}

/** From /etc/passwd, because initdb insists on an account that has an entry there. */
async function nobody(): Promise<{ uid: number; gid: number }> {
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const [, , uid, gid] = /^nobody:.*$/m.exec(passwd)?.[0].split(':') ?? [];
  if (!uid || !gid) {
    throw new Error(`as root, the embedded PostgreSQL needs the account "nobody"; ${REMEDY}`);
  }
  return { uid: Number(uid), gid: Number(gid) };
}
