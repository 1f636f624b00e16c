import type pg from 'pg';
import type { Uuid } from '../../../kernel/ids.js';
import type { FileObjects, StoredFile } from '../../../platform/file-store/file-objects.js';
import { S3Failure } from '../../../platform/s3/s3-failure.js';

/** A row may still come for an object that is younger. */
const YOUNG_MS = 86_400_000;
/** A process that stood still has to look again: its word holds for a day. */
const WORD_HOLDS_MS = 3_600_000;

export interface PrunedFiles {
  deleted: number;
  bytes: number;
  /** The store keeps them, such as by an object lock. */
  locked: number;
}

const FORGET = `DELETE FROM removed_files WHERE removed_at < now() - interval '1 day'`;
/** Writers of rows without bytes have it shared: those that were first are seen by the next statement. */
const FIRST = `SELECT pg_advisory_xact_lock(hashtextextended('removed files', 0))`;
const REMOVE = `
  INSERT INTO removed_files (account_id, sha256, removed_at)
  SELECT o.account_id, decode(o.sha256, 'hex'), now()
  FROM unnest($1::uuid[], $2::text[]) AS o (account_id, sha256)
  WHERE NOT EXISTS (SELECT FROM document_pdfs p WHERE p.account_id = o.account_id
      AND p.sha256 = decode(o.sha256, 'hex') AND p.pdf IS NULL)
    AND NOT EXISTS (SELECT FROM attachment_files f WHERE f.account_id = o.account_id
      AND f.sha256 = decode(o.sha256, 'hex') AND f.content IS NULL)
  ON CONFLICT (account_id, sha256) DO UPDATE SET removed_at = excluded.removed_at
  RETURNING account_id, encode(sha256, 'hex') AS sha256`;

/** Deletes objects that no row names and that are older than a day. */
export async function pruneFiles(client: pg.Client, store: FileObjects): Promise<PrunedFiles> {
  const pruned: PrunedFiles = { deleted: 0, bytes: 0, locked: 0 };
  await client.query(FORGET);
  for await (const page of store.pages()) {
    const before = Date.now() - YOUNG_MS;
    const old = page.filter(({ at }) => at.getTime() < before);
    const said = Date.now();
    for (const one of await removedOf(client, old)) {
      if (Date.now() - said > WORD_HOLDS_MS) throw new Error('it stood still: begin again');
      const isGone = await deleted(store, one);
      if (!isGone) pruned.locked += 1;
      else {
        pruned.deleted += 1;
        pruned.bytes += one.bytes;
      }
    }
  }
  return pruned;
}

/** Says of those that no row names that they go. From then on no row may name them. */
async function removedOf(
  client: pg.Client,
  old: readonly StoredFile[],
): Promise<readonly StoredFile[]> {
  if (old.length === 0) return [];
  await client.query('BEGIN');
  try {
    await client.query(`SET LOCAL lock_timeout = '10s'`);
    await client.query(FIRST);
    const values = [old.map(({ accountId }) => accountId), old.map(({ sha256 }) => sha256)];
    const { rows } = await client.query<{ account_id: Uuid; sha256: string }>(REMOVE, values);
    await client.query('COMMIT');
    const gone = new Set(rows.map(({ account_id: id, sha256 }) => `${id}/${sha256}`));
    return old.filter(({ accountId, sha256 }) => gone.has(`${accountId}/${sha256}`));
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

async function deleted(store: FileObjects, one: StoredFile): Promise<boolean> {
  try {
    await store.delete(one);
    return true;
  } catch (error) {
    if (error instanceof S3Failure && error.isRefusal) return false;
    throw error;
  }
}
