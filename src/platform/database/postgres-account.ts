import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const REMEDY =
  'run Quittance as a normal user, or set DATABASE_URL to a PostgreSQL server of your own';

// Bits of the capability masks in /proc/self/status: capabilities(7).
const DAC_OVERRIDE = 1n << 1n;
const DAC_READ_SEARCH = 1n << 2n;

/** The operating system account that PostgreSQL runs under, and how to start a program as it. */
export interface PostgresAccount {
  /** Set when files must be handed over to that account: we are root. */
  owner?: { uid: number; gid: number };
  /** The command line that runs `program` under the account. */
  command(program: string, args: string[]): [string, string[]];
}

/**
 * PostgreSQL refuses to run as root, so root runs it as `nobody`, or as whoever already owns the
 * data. The death signal stops it when this process is killed. On Linux both are the work of
 * setpriv(1) from util-linux.
 */
export async function postgresAccount(dataDir: string): Promise<PostgresAccount> {
  const setpriv = await hasSetpriv();
  const stopWithUs = ['--pdeathsig', 'INT'];
  if (process.getuid?.() !== 0) {
    return {
      command: (program, args) =>
        setpriv ? ['setpriv', [...stopWithUs, '--', program, ...args]] : [program, args],
    };
  }
  if (!setpriv) {
    throw new Error(`as root, the embedded PostgreSQL needs setpriv (util-linux); ${REMEDY}`);
  }
  const owner = (await ownerOf(dataDir)) ?? (await nobody());
  const identity = ['--reuid', String(owner.uid), '--regid', String(owner.gid), '--clear-groups'];
  const options = [...identity, '--no-new-privs', ...(await traversal()), ...stopWithUs];
  return {
    owner,
    command: (program, args) => ['setpriv', [...options, '--', program, ...args]],
  };
}

/**
 * The folder is closed to everybody but root, and so may be the ones above it. One capability
 * lets PostgreSQL pass; without `no_setuid_fixup`, access(2) would ignore it.
 */
async function traversal(): Promise<string[]> {
  const status = await readFile('/proc/self/status', 'utf8');
  const mask = BigInt(`0x${/^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  const capability =
    (mask & DAC_READ_SEARCH && '+dac_read_search') || (mask & DAC_OVERRIDE && '+dac_override');
  if (!capability) return [];
  const sets = ['--inh-caps', capability, '--ambient-caps', capability];
  return ['--securebits', '+no_setuid_fixup', ...sets];
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
