import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './database/embedded/postgres-cluster.js';

/** A file that has its name once it is whole and on the disk, and that the owner alone may read. */
export async function newFile<Result>(
  path: string,
  fill: (handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const draft = `${path}.${process.pid}.part`;
  if (await exists(path)) throw new Error(`${path} is there already; choose another name`);
  const handle = await open(draft, 'wx', 0o600);
  try {
    const result = await fill(handle);
    await handle.sync();
    await handle.close();
    await rename(draft, path);
    await syncFolder(dirname(path));
    return result;
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(draft, { force: true });
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
