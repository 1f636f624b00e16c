import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { clientFor } from '../servers/server-client.js';
import { recordOperator } from '../operator-entry.js';

const RESTORED = 'restored';

/** Kept beside a database that a backup was restored into, until its service has taken note. */
export async function markRestored(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, RESTORED), '', { mode: 0o600 });
}

/** From now on the database has another history than the one that the backup was made of. */
export async function noteRestored(dataDir: string, ownerUrl: string): Promise<void> {
  const mark = join(dataDir, RESTORED);
  if (!existsSync(mark)) return;
  await withOwner(ownerUrl, async (client) => {
    await client.query(anotherHistory());
    await client.query(await timelineOf(client));
  });
  await rm(mark);
}

/**
 * The word of an operator on a server of their own, which shows no restore by itself.
 * @param nothingLost a standby took over with all that was committed: the history is the one of before
 */
export async function sayRestored(ownerUrl: string, nothingLost: boolean): Promise<void> {
  await withOwner(ownerUrl, async (client) => {
    await client.query('BEGIN');
    if (!nothingLost) await client.query(anotherHistory());
    await client.query(await timelineOf(client));
    await recordOperator(client, 'cli.restored', { nothing_lost: nothingLost });
    await client.query('COMMIT');
  });
}

const anotherHistory = () => `CREATE OR REPLACE FUNCTION book_history() RETURNS text
  LANGUAGE sql STABLE RETURN '${randomUUID()}'::text`;

async function timelineOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ timeline: number }>(
    'SELECT timeline_id AS timeline FROM pg_control_checkpoint()',
  );
  return `CREATE OR REPLACE FUNCTION book_timeline() RETURNS int
    LANGUAGE sql STABLE RETURN ${Number(rows[0]?.timeline)}`;
}

async function withOwner(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = clientFor(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
