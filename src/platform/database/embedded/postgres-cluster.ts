import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { PostgresSystemUser } from './postgres-system-user.js';
import type { PostgresBinaries } from './postgres-binaries.js';
import { type DatabaseUrls, scramVerifier } from '../roles.js';

/** PostgreSQL's own files, inside the service's folder. */
export const DATA_DIR = 'postgres';
export const LINKS_DIR = 'postgres-lib';
/** The folder in which a backup is unpacked; nobody starts on a folder that has it. */
export const RESTORING = 'restoring';
const PASSWORDS_FILE = 'postgres-passwords.json';

const DATABASE = 'quittance';
const ROLES = { owner: 'quittance_owner', app: 'quittance_app', reader: 'quittance_reader' };

const Passwords = z.object({ owner: z.string(), app: z.string(), reader: z.string() });
type Passwords = z.infer<typeof Passwords>;

/** A data directory and what is needed to run programs on it. */
export interface Cluster {
  /** The service's own folder. */
  folder: string;
  data: string;
  binaries: PostgresBinaries;
  account: PostgresSystemUser;
  log: (line: string) => void;
}

/**
 * How PostgreSQL itself names its data directory, in which it is started. Root's folders are closed
 * to the account that it runs under: it gets no right to pass them, but is put inside.
 */
export function dataArgument({ account, data }: Pick<Cluster, 'account' | 'data'>): string {
  return account.owner ? '/proc/self/cwd' : data;
}

/**
 * Makes the database where there is none, and its roles where their passwords are lost; returns
 * these. The superuser has no password and may not log in. The owner of the files
 * can use PostgreSQL's single-user mode, as is done here, and nobody else needs a superuser.
 */
export async function ensureCluster(cluster: Cluster): Promise<Passwords> {
  const { folder, data } = cluster;
  const isNew = await ensureData(cluster);
  const known = isNew ? undefined : await readPasswords(folder);
  if (known) return known;
  if (!isNew) cluster.log("giving the database's roles new passwords");
  const passwords = { owner: aPassword(), app: aPassword(), reader: aPassword() };
  await runAsSuperuser({ ...cluster, data }, DATABASE, rolesSql(passwords));
  const path = join(folder, PASSWORDS_FILE);
  // Written aside and renamed: what is there is whole, and the roles have these passwords.
  await writeFile(`${path}.new`, JSON.stringify(passwords), { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  await syncFolder(folder);
  return passwords;
}

export async function readPasswords(folder: string): Promise<Passwords | undefined> {
  const text = await readFile(join(folder, PASSWORDS_FILE), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Passwords.parse(JSON.parse(text));
}

export function urlsFor(port: number, passwords: Passwords): DatabaseUrls {
  const url = (role: keyof Passwords) =>
    `postgres://${ROLES[role]}:${passwords[role]}@127.0.0.1:${port}/${DATABASE}`;
  return { app: url('app'), owner: url('owner'), reader: url('reader') };
}

/** Built beside its place and moved there when complete: a crash half-way leaves only rubbish. */
async function ensureData(cluster: Cluster): Promise<boolean> {
  const { folder, data, binaries, account } = cluster;
  const draft = `${data}.init`;
  await rm(draft, { recursive: true, force: true });
  const contents = await readdir(data).catch((): string[] => []);
  if (contents.includes('PG_VERSION')) return false;
  if (contents.length > 0) throw new Error(`${data} is not empty and holds no database; remove it`);

  cluster.log(`creating the database in ${data}`);
  await mkdir(draft, { mode: 0o700 });
  const { owner } = account;
  if (owner) {
    await chown(draft, owner.uid, owner.gid).catch((error: Error) => {
      throw setUpFailed(error.message);
    });
  }
  const made = { ...cluster, data: draft };
  const locale = ['-E', 'UTF8', '--no-locale', '--locale-provider=builtin'];
  const args = ['-U', 'postgres', '-A', 'reject', ...locale, '--builtin-locale=C.UTF-8'];
  await run(made, binaries.initdb, ['-D', dataArgument(made), ...args]);
  await writeFile(join(draft, 'pg_hba.conf'), HOST_BASED_ACCESS);
  await runAsSuperuser(made, 'postgres', [
    `CREATE ROLE ${ROLES.owner}`,
    `CREATE DATABASE ${DATABASE} OWNER ${ROLES.owner}`,
  ]);
  await rm(data, { recursive: true, force: true });
  await rename(draft, data);
  await syncFolder(folder);
  return true;
}

/** No role is trusted by its address alone, and the superuser has no way in. */
const HOST_BASED_ACCESS = `# database  user      address       method
host  all       postgres  127.0.0.1/32  reject
host  all       all       127.0.0.1/32  scram-sha-256
`;

/** Also for a database that was interrupted here, or lost the passwords: each may be repeated. */
function rolesSql(passwords: Passwords): string[] {
  const login = (of: keyof Passwords, attributes: string) =>
    `ALTER ROLE ${ROLES[of]} LOGIN ${attributes} PASSWORD '${scramVerifier(passwords[of])}'`;
  return [
    ...[ROLES.app, ROLES.reader].map(
      (name) =>
        `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name}') THEN CREATE ROLE ${name}; END IF; END $$`,
    ),
    // REPLICATION: to keep the log that a backup still needs.
    login('owner', 'CREATEDB REPLICATION'),
    login('app', ''),
    login('reader', ''),
    `GRANT EXECUTE ON FUNCTION pg_backup_start(text, boolean), pg_backup_stop(boolean) TO ${ROLES.owner}`,
    // The one who looks after it sees and ends what others do.
    `GRANT pg_read_all_stats, pg_signal_backend TO ${ROLES.owner}`,
    'ALTER ROLE postgres NOLOGIN PASSWORD NULL',
  ];
}

function aPassword(): string {
  return randomBytes(24).toString('hex');
}

/** PostgreSQL's single-user mode, on a server that does not run: one statement a line. */
export async function runAsSuperuser(
  cluster: Omit<Cluster, 'folder' | 'log'>,
  database: string,
  statements: string[],
): Promise<void> {
  const args = ['--single', '-D', dataArgument(cluster), database];
  await run(cluster, cluster.binaries.postgres, args, `${statements.join('\n')}\n`);
}

async function run(
  { account, binaries, data }: Omit<Cluster, 'folder' | 'log'>,
  program: string,
  args: string[],
  input = '',
): Promise<void> {
  const [command, commandArgs] = account.command(program, args);
  const child = spawn(command, commandArgs, { env: binaries.env, cwd: data });
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

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
