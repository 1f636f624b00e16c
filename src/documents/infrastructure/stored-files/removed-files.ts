import type { Uuid } from '../../../kernel/ids.js';
import type { Database } from '../../../platform/database/database.js';
import type { FileName } from '../../../platform/file-store/file-objects.js';
import type { FileStore } from '../../../platform/file-store/file-store.js';

/**
 * Puts the bytes into the store, unless an object of that name may be about to be deleted: that of
 * a new row has to stay.
 * @returns what the row keeps
 */
export async function keptElsewhere(
  database: Database,
  files: FileStore,
  name: FileName,
  content: Buffer,
): Promise<Buffer | null> {
  if (!files.isElsewhere || (await wasRemoved(database, name))) return content;
  return files.keep(name, content);
}

async function wasRemoved(database: Database, { accountId, sha256 }: FileName): Promise<boolean> {
  const rows = await database.query<{ account_id: Uuid }>(
    'SELECT account_id FROM removed_files WHERE account_id = $1 AND sha256 = $2',
    [accountId, Buffer.from(sha256, 'hex')],
  );
  return rows.length > 0;
}
