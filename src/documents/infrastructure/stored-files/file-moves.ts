import type pg from 'pg';
import { publicId } from '../../../kernel/ids.js';
import type { Progress } from '../../../kernel/progress.js';
import { brokenKey } from '../../../platform/database/database-error.js';
import type { FileObjects } from '../../../platform/file-store/file-objects.js';
import { sha256Of } from '../../../platform/sha256.js';
import { LARGEST_FILE_BYTES } from '../../../platform/file-store/file-store.js';
import { countFiles, FILE_TABLES, rowsIn } from './file-rows.js';

const FILE_WAS_REMOVED = 'file_was_removed';

export interface Moved {
  moved: number;
  bytes: number;
  /** Too large for the store, or of a name whose object has just been deleted. */
  stayed: number;
  /** Documents whose bytes are not those of their digest, or are not to be had. */
  damaged: string[];
}

/**
 * Moves the bytes of each row into the store: put, read again and compared, and only then taken from
 * the row. Killed at any place, it is begun again.
 * @param client of the owner: nobody else may take bytes from a row (decision 302)
 */
export async function moveFiles(
  client: pg.Client,
  store: FileObjects,
  progress?: Progress,
): Promise<Moved> {
  const found: Moved = { moved: 0, bytes: 0, stayed: 0, damaged: [] };
  const { here } = await countFiles(client);
  let seen = 0;
  progress?.(0, here);
  for (const table of FILE_TABLES) {
    for await (const row of rowsIn(client, table, 'here')) {
      progress?.((seen += 1), Math.max(seen, here));
      const { content, sha256, account_id: accountId } = row;
      if (!content || sha256Of(content) !== sha256) {
        found.damaged.push(publicId('doc', row.document_id));
        continue;
      }
      if (content.length > LARGEST_FILE_BYTES) {
        found.stayed += 1;
        continue;
      }
      await store.put({ accountId, sha256 }, content);
      const there = await store.get({ accountId, sha256 }, content.length);
      if (typeof there === 'string') throw new Error(`the store lost ${sha256}: it is ${there}`);
      const key = [row.account_id, row.document_id, row.part];
      const taken = await client.query(table.take, key).catch((error: unknown) => {
        if (brokenKey(error) !== FILE_WAS_REMOVED) throw error;
        found.stayed += 1;
        return { rowCount: 0 };
      });
      if (taken.rowCount === 0) continue;
      found.moved += 1;
      found.bytes += content.length;
    }
  }
  return found;
}

/** The other way. The objects stay, until they are pruned. */
export async function moveFilesBack(
  client: pg.Client,
  store: FileObjects,
  progress?: Progress,
): Promise<Moved> {
  const found: Moved = { moved: 0, bytes: 0, stayed: 0, damaged: [] };
  const { elsewhere } = await countFiles(client);
  let seen = 0;
  progress?.(0, elsewhere);
  for (const table of FILE_TABLES) {
    for await (const row of rowsIn(client, table, 'elsewhere')) {
      progress?.((seen += 1), Math.max(seen, elsewhere));
      const { account_id: accountId, sha256 } = row;
      const content = await store.get({ accountId, sha256 }, LARGEST_FILE_BYTES);
      if (typeof content === 'string') {
        found.damaged.push(publicId('doc', row.document_id));
        continue;
      }
      const key = [row.account_id, row.document_id, row.part];
      const given = await client.query(table.give, [...key, content]);
      if (given.rowCount === 0) continue;
      found.moved += 1;
      found.bytes += content.length;
    }
  }
  return found;
}
