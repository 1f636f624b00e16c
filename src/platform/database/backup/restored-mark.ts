import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const RESTORED = 'restored';

/** Kept beside a database that a backup was restored into, until its service has taken note. */
export async function markRestored(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, RESTORED), '', { mode: 0o600 });
}

/** From now on the database has another history than the one that the backup was made of. */
export async function noteRestored(dataDir: string, ownerUrl: string): Promise<void> {
  const mark = join(dataDir, RESTORED);
  if (!existsSync(mark)) return;
  const client = new pg.Client(ownerUrl);
  await client.connect();
  try {
    await client.query(`CREATE OR REPLACE FUNCTION book_history() RETURNS text
      LANGUAGE sql STABLE RETURN '${randomUUID()}'::text`);
  } finally {
    await client.end();
  }
  await rm(mark);
}
