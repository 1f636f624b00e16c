import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bornAt, isRunning } from '../../process-identity.js';

const LOCK_FILE = 'lock';
const ATTEMPTS = 20;
const RETRY_MS = 25;

/** Says which process holds a folder. `bornAt` tells it from a later process with the same pid. */
interface Holder {
  pid: number;
  bornAt: string;
  nonce: string;
}

/**
 * One process at a time in a folder. The lock is a file that names its holder, so that a crash
 * leaves nothing to clean up. If its holder is gone, a lock is simply taken over.
 */
export class FolderLock {
  private constructor(
    private readonly path: string,
    private readonly text: string,
  ) {}

  /** @throws when a living process holds the folder; the message says which one, and the way out. */
  static async acquire(folder: string): Promise<FolderLock> {
    const path = join(folder, LOCK_FILE);
    const nonce = randomBytes(8).toString('hex');
    const own: Holder = { pid: process.pid, bornAt: bornAt(process.pid) ?? '', nonce };
    const text = JSON.stringify(own);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await createExclusively(path, text)) {
        // Another starter may have moved this file away while it removed a stale one: look again.
        await sleep(RETRY_MS);
        if ((await textAt(path)) === text) return new FolderLock(path, text);
      }
      const found = await textAt(path);
      const holder = found === undefined ? undefined : parse(found);
      if (holder && isAlive(holder)) {
        throw new Error(
          `another Quittance (pid ${holder.pid}) already runs on ${folder}; ` +
            'stop it or set QUITTANCE_DATA_DIR',
        );
      }
      // An unreadable lock may be one that is being written at this moment.
      if (!holder && attempt < 4) await sleep(RETRY_MS);
      else if (found !== undefined) await removeStale(path, found);
    }
    throw new Error(`${path} could not be taken; remove it if no Quittance runs on this folder`);
  }

  /** The pid of the living process that holds the folder. */
  static async holderOf(folder: string): Promise<number | undefined> {
    const text = await textAt(join(folder, LOCK_FILE));
    const holder = text === undefined ? undefined : parse(text);
    return holder && isAlive(holder) ? holder.pid : undefined;
  }

  async release(): Promise<void> {
    if ((await textAt(this.path)) === this.text) await rm(this.path, { force: true });
  }
}

async function createExclusively(path: string, text: string): Promise<boolean> {
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o644 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Moves the lock aside before deleting it, because a plain delete could hit a fresh lock. */
async function removeStale(path: string, stale: string): Promise<void> {
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await textAt(aside);
  if (moved !== undefined && moved !== stale) await createExclusively(path, moved);
  await rm(aside, { force: true });
}

async function textAt(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function parse(text: string): Holder | undefined {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    if (!Number.isInteger(value.pid) || typeof value.bornAt !== 'string') return undefined;
    return value as Holder;
  } catch {
    return undefined;
  }
}

function isAlive(holder: Holder): boolean {
  return isRunning(holder.pid) && bornAt(holder.pid) === holder.bornAt;
}
