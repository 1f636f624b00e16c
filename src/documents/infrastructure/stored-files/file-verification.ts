import type pg from 'pg';
import { publicId } from '../../../kernel/ids.js';
import type { Progress } from '../../../kernel/progress.js';
import type { FileObjects, StoredFile } from '../../../platform/file-store/file-objects.js';
import { LARGEST_FILE_BYTES } from '../../../platform/file-store/file-store.js';
import { countFiles, documentsOf, neededNames } from './file-rows.js';

/** Within so many days each object is read once. */
const SHARES = 30;
const DAY_MS = 86_400_000;
const MOST_TOLD = 1000;

interface DamagedFile {
  accountId: string;
  sha256: string;
  found: 'missing' | 'changed';
  documents: string[];
}

export interface VerifiedFiles {
  /** Objects that rows need. */
  files: number;
  /** Those of them that were read and compared. */
  read: number;
  damaged: DamagedFile[];
}

/**
 * Compares rows whose bytes are in the store with the store: each object is looked for in its list,
 * and a share of the day, or all, is read.
 */
export async function verifyFiles(
  client: pg.Client,
  store: FileObjects,
  { isFull, now }: { isFull: boolean; now: Date },
  progress?: Progress,
): Promise<VerifiedFiles> {
  const verified: VerifiedFiles = { files: 0, read: 0, damaged: [] };
  const { elsewhere } = await countFiles(client);
  const share = Math.floor(now.getTime() / DAY_MS) % SHARES;
  const list = new OrderedList(store.pages());
  progress?.(0, elsewhere);
  for await (const name of neededNames(client)) {
    verified.files += 1;
    progress?.(Math.min(verified.files, elsewhere), elsewhere);
    const { account_id: accountId, sha256 } = name;
    const isListed = await list.has(`${accountId}/${sha256}`);
    const isOfShare = Number.parseInt(sha256.slice(0, 8), 16) % SHARES === share;
    if (isListed && !isFull && !isOfShare) continue;
    // One that is not listed may have come since.
    const found = await store.get({ accountId, sha256 }, LARGEST_FILE_BYTES);
    verified.read += 1;
    if (typeof found !== 'string' || verified.damaged.length >= MOST_TOLD) continue;
    const documents = (await documentsOf(client, name)).map((id) => publicId('doc', id));
    // A draft was deleted meanwhile.
    if (documents.length === 0) continue;
    verified.damaged.push({ accountId: publicId('acc', accountId), sha256, found, documents });
  }
  return verified;
}

/** A list in the order of its names, that is asked in the same order. */
class OrderedList {
  private page: StoredFile[] = [];
  private at = 0;
  private hasEnded = false;

  constructor(private readonly pages: AsyncGenerator<StoredFile[]>) {}

  async has(name: string): Promise<boolean> {
    for (;;) {
      const next = this.page[this.at];
      if (next) {
        const listed = `${next.accountId}/${next.sha256}`;
        if (listed >= name) return listed === name;
        this.at += 1;
        continue;
      }
      if (this.hasEnded) return false;
      const { done, value } = await this.pages.next();
      this.hasEnded = done ?? false;
      this.page = value ?? [];
      this.at = 0;
    }
  }
}
