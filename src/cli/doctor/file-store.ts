import { randomBytes } from 'node:crypto';
import { NO_ACCOUNT } from '../../kernel/ids.js';
import type { Config } from '../../platform/config/config.js';
import type { DatabaseUrls } from '../../platform/database/roles.js';
import { FileObjects } from '../../platform/file-store/file-objects.js';
import { sha256Of } from '../../platform/sha256.js';
import { readOnce } from './server.js';

const TRIED_BYTES = 64;
const ELSEWHERE = `SELECT EXISTS (SELECT FROM document_pdfs WHERE pdf IS NULL)
  OR EXISTS (SELECT FROM attachment_files WHERE content IS NULL) AS some`;

/** Writes, reads and deletes a small object, as the service does. */
export async function fileStoreOf(
  { files, readOnly }: Pick<Config, 'files' | 'readOnly'>,
  urls: DatabaseUrls,
): Promise<string> {
  if (!files) {
    const [found] = await readOnce<{ some: boolean }>(urls.app, ELSEWHERE).catch(() => []);
    if (!found?.some) return 'none: bytes of files are in the database (QUITTANCE_FILES_TO)';
    throw new Error('bytes of files are in a store, and none is named: set QUITTANCE_FILES_TO');
  }
  const store = await FileObjects.forCallers(files);
  if (readOnly) {
    await store.pages().next();
    return `${store.place} can be listed; nothing is written from here`;
  }
  const content = randomBytes(TRIED_BYTES);
  const name = { accountId: NO_ACCOUNT, sha256: sha256Of(content) };
  await store.put(name, content);
  const found = await store.get(name, TRIED_BYTES);
  await store.delete(name);
  if (typeof found === 'string')
    throw new Error(`${store.place}: what was just written is ${found}`);
  return `${store.place} takes, gives and deletes`;
}
