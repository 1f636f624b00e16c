import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { chmod, chown, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import type { Progress } from '../../../kernel/progress.js';
import { type BackupManifest, MANIFEST, readManifest } from './backup-manifest.js';
import { markRestored } from './restored-mark.js';
import { FolderLock } from '../embedded/folder-lock.js';
import { type PostgresSystemUser, postgresSystemUser } from '../embedded/postgres-system-user.js';
import { locatePostgres } from '../embedded/postgres-binaries.js';
import { DATA_DIR, LINKS_DIR, RESTORING, syncFolder } from '../embedded/postgres-cluster.js';

/** A folder is as good as empty if it only has these: they can be made anew. */
const NOTHING = new Set(['cache', 'lock', LINKS_DIR]);
const LARGEST_MANIFEST = 67_108_864;

/** The bytes of a backup, as `backup` wrote them. */
export interface BackupSource {
  /** For sentences. */
  name: string;
  /** As far as it is known; for the progress. */
  bytes: number;
  open(): Promise<Readable>;
}

export async function backupFile(path: string): Promise<BackupSource> {
  return { name: path, bytes: await sizeOf(path), open: async () => createReadStream(path) };
}

/**
 * Makes the folder what it was when the backup ended. The backup is unpacked beside the place of
 * everything, and checked to the last byte, before anything gets there.
 * @throws with a sentence for the operator; the folder is then as empty as before
 */
export async function restoreBackup(
  source: BackupSource,
  dataDir: string,
  progress?: Progress,
): Promise<BackupManifest> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await chmod(dataDir, 0o700);
  const folder = await realpath(dataDir);
  const found = (await readdir(folder)).filter((name) => !NOTHING.has(name));
  if (found.length > 0) {
    throw new Error(
      `${folder} is in use (${found.toSorted().join(', ')}); restore into an empty folder, ` +
        'which QUITTANCE_DATA_DIR names',
    );
  }
  const lock = await FolderLock.acquire(folder);
  const draft = join(folder, RESTORING);
  try {
    const manifest = await prepare(source, folder, draft, progress).catch(
      async (error: unknown) => {
        await rm(draft, { recursive: true, force: true });
        throw error;
      },
    );
    // While the draft is there, nobody starts on the folder: see EmbeddedPostgres.
    for (const name of await readdir(draft)) await rename(join(draft, name), join(folder, name));
    await syncFolder(folder);
    await rm(draft, { recursive: true });
    return manifest;
  } finally {
    await lock.release();
  }
}

async function prepare(
  source: BackupSource,
  folder: string,
  draft: string,
  progress?: Progress,
): Promise<BackupManifest> {
  const account = await postgresSystemUser(join(folder, DATA_DIR));
  const { version } = await locatePostgres(join(folder, LINKS_DIR), !!account.owner);
  await mkdir(draft, { mode: 0o700 });
  const manifest = await unpack(source, draft, progress).catch((error: Error) => {
    throw new Error(`${source.name} is no whole backup: ${error.message}. Nothing was restored.`);
  });
  refuseForeign(manifest, version);
  await handOver(join(draft, DATA_DIR), account);
  await markRestored(draft);
  return manifest;
}

/** Data files are the same within a major version, on the same kind of machine. */
function refuseForeign({ postgres, platform }: BackupManifest, version: string): void {
  const here = `${process.platform}-${process.arch}`;
  if (platform === here && postgres.split('.')[0] === version.split('.')[0]) return;
  throw new Error(
    `the backup is of PostgreSQL ${postgres} on ${platform}, and this is ${version} on ${here}; ` +
      'restore it there, and move by pg_dump',
  );
}

async function unpack(
  { bytes, open: openSource }: BackupSource,
  draft: string,
  progress?: Progress,
): Promise<BackupManifest> {
  const digests = new Map<string, string>();
  let manifest: BackupManifest | undefined;
  const entries = extract();
  let done = 0;
  const told = () => progress?.(done, Math.max(done, bytes));
  const read = pipeline(
    await openSource(),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        done += chunk.length;
        yield chunk;
      }
    },
    createGunzip(),
    entries,
  );
  const sorted = (async () => {
    for await (const entry of entries) {
      const { name, type, size: length } = entry.header;
      if (manifest) throw new Error(`${name} comes after its end`);
      const path = join(draft, name);
      if (normalize(path) !== path || !path.startsWith(`${draft}/`)) {
        throw new Error(`${name} would be outside`);
      }
      if (type === 'directory') await mkdir(path, { recursive: true, mode: 0o700 });
      else if (type !== 'file') throw new Error(`${name} is no file`);
      else if (name !== MANIFEST) digests.set(name, await store(entry, path, told));
      else if (length > LARGEST_MANIFEST) throw new Error('its list of files is too long');
      else manifest = readManifest(await textOf(entry));
      entry.resume();
    }
  })();
  const [reading, sorting] = await Promise.allSettled([read, sorted]);
  if (reading.status === 'rejected') throw reading.reason;
  if (sorting.status === 'rejected') throw sorting.reason;
  if (!manifest) throw new Error('its end is missing');
  const listed = Object.entries(manifest.files);
  for (const [name, { sha256 }] of listed) {
    if (digests.get(name) !== sha256) throw new Error(`${name} is missing or was changed`);
  }
  if (listed.length !== digests.size) throw new Error('it has files that its list does not name');
  return manifest;
}

async function store(
  content: AsyncIterable<unknown>,
  path: string,
  told: () => void,
): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const handle = await open(path, 'wx', 0o600);
  try {
    const hash = createHash('sha256');
    for await (const chunk of content as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      await handle.write(chunk);
      told();
    }
    await handle.sync();
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}

/** A file that cannot be read is told of by whoever reads it. */
async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}

async function textOf(content: AsyncIterable<unknown>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks).toString();
}

async function handOver(data: string, { owner }: PostgresSystemUser): Promise<void> {
  if (!owner) return;
  const entries = await readdir(data, { recursive: true, withFileTypes: true });
  const paths = entries.map((one) => join(one.parentPath, one.name));
  for (const path of [data, ...paths]) await chown(path, owner.uid, owner.gid);
}
