import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../platform/config/config.js';
import { failed, fine, type Finding, warned } from '../../platform/finding.js';
import { readOnce } from './server.js';

const MB = 1e6;
/** The log of the embedded database may take 2 GB under load. */
const LITTLE_BYTES = 3000 * MB;
const NOTHING_BYTES = 300 * MB;
const FEW_FILES = 1000;
const MAKE_ROOM = 'make room, or give it a larger disk: a full one is answered with 503';

interface Room {
  freeBytes: number;
  /** Inodes; null: the file system makes them as it needs them. */
  freeFiles: number | null;
}

/** Room on each disk that the service writes to, by what it writes there. */
export async function examineDisks(config: Config, databaseUrl: string): Promise<Finding[]> {
  const text = 'SELECT pg_database_size(current_database())::float8 AS bytes';
  const bytes = await readOnce<{ bytes: number }>(databaseUrl, text).then(
    ([row]) => row?.bytes ?? null,
    () => null,
  );
  const { dataDir, cacheDir, backups, sealHeadsFile, databaseUrl: own } = config;
  const places = {
    [own === null ? 'data and database' : 'data']: dataDir,
    cache: cacheDir,
    ...(backups.hours > 0 && { backups: backups.folder }),
    ...(sealHeadsFile && { 'heads of seals': dirname(sealHeadsFile) }),
  };
  const size =
    bytes === null
      ? warned('database_size', 'could not be asked: the database does not answer', 'see database')
      : fine('database_size', `the database has ${Math.ceil(bytes / MB)} MB`);
  const disks = await Promise.all(
    [...(await byDevice(places))].map(async ([folder, names]) => {
      const wanted = names.includes('backups') ? (bytes ?? 0) : 0;
      return judgeRoom(`${names.join(', ')} (${folder})`, await roomOf(folder), wanted);
    }),
  );
  return [size, ...disks];
}

/** One of the folders on each disk, and all that is there. */
async function byDevice(places: Record<string, string>): Promise<Map<string, string[]>> {
  const devices = new Map<number, { folder: string; names: string[] }>();
  for (const [name, folder] of Object.entries(places)) {
    const there = await nearest(folder);
    const { dev } = await stat(there);
    const known = devices.get(dev);
    if (known) known.names.push(name);
    else devices.set(dev, { folder: there, names: [name] });
  }
  return new Map([...devices.values()].map(({ folder, names }) => [folder, names]));
}

/** The folder, or the one above in which it will be made. */
async function nearest(folder: string): Promise<string> {
  const there = await stat(folder).catch(() => null);
  return there || dirname(folder) === folder ? folder : nearest(dirname(folder));
}

async function roomOf(folder: string): Promise<Room> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  return { freeBytes: bavail * bsize, freeFiles: files > 0 ? ffree : null };
}

/** @param wantedBytes of the next backup, at most */
export function judgeRoom(
  place: string,
  { freeBytes, freeFiles }: Room,
  wantedBytes: number,
): Finding {
  const check = 'disk';
  const detail = `${place}: ${Math.floor(freeBytes / MB)} MB free`;
  if (freeBytes < NOTHING_BYTES) return failed(check, detail, MAKE_ROOM);
  if (freeFiles !== null && freeFiles < FEW_FILES) {
    return failed(check, `${detail}, and ${freeFiles} files`, MAKE_ROOM);
  }
  if (freeBytes < LITTLE_BYTES) return warned(check, detail, MAKE_ROOM);
  if (freeBytes < wantedBytes) {
    return warned(check, `${detail}, less than the database has`, 'make room for the next backup');
  }
  return fine(check, detail);
}
