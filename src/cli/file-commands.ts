import type { Command } from 'commander';
import type pg from 'pg';
import type { CommandContext, DatabaseWork, Json } from './command-context.js';
import {
  countFiles,
  moveFiles,
  moveFilesBack,
  pruneFiles,
  verifyFiles,
} from '../documents/index.js';
import { SystemClock } from '../kernel/clock.js';
import { ConfigError } from '../platform/config/config-error.js';
import { faultOf } from '../platform/database/database-error.js';
import { recordOperator } from '../platform/database/operator-entry.js';
import { clientFor } from '../platform/database/servers/server-client.js';
import { FileObjects } from '../platform/file-store/file-objects.js';

const MOST_LINES = 20;

type MoveWish = { back?: boolean } & Json;
type VerifyWish = { full?: boolean } & Json;

/** Bytes of PDFs and attachments, in the database and in the store of QUITTANCE_FILES_TO. */
export function addFileCommands(program: Command, context: CommandContext): void {
  const files = program
    .command('files')
    .description('bytes of PDFs and attachments in the object store of QUITTANCE_FILES_TO');
  addMove(files, context);
  addVerify(files, context);
  addPrune(files, context);
}

function addMove(files: Command, { withDatabase, print, progress, fail }: CommandContext): void {
  files
    .command('move')
    .description('move bytes from the database to the store; it may be killed and begun again')
    .option('--back', 'from the store to the database')
    .option('--json', 'print JSON')
    .action(({ back = false, ...options }: MoveWish) =>
      withDatabase(
        asOwner(async (client, store) => {
          await recordOperator(client, 'cli.files.move', { back });
          const move = back ? moveFilesBack : moveFiles;
          const found = await move(client, store, progress('files'));
          const where = back ? 'in the database' : `in ${store.place}`;
          const lines = [
            `${found.moved} files, ${found.bytes} bytes, are ${where} now; ${found.stayed} stayed`,
            ...found.damaged.slice(0, MOST_LINES).map((id) => `${id}: NOT WHAT ITS DIGEST SAYS`),
          ];
          print(options, { back, ...found, ok: found.damaged.length === 0 }, lines.join('\n'));
          if (found.damaged.length > 0) fail();
        }),
      ),
    );
}

function addVerify(files: Command, { withDatabase, print, progress, fail }: CommandContext): void {
  files
    .command('verify')
    .description('look for each object that a row needs, and read a thirtieth; exit 1 on a damage')
    .option('--full', 'read all of them')
    .option('--json', 'print JSON')
    .action(({ full = false, ...options }: VerifyWish) =>
      withDatabase(
        asOwner(async (client, store) => {
          const wish = { isFull: full, now: new SystemClock().now() };
          const found = await verifyFiles(client, store, wish, progress('files'));
          const { damaged } = found;
          const lines = [
            `${found.files} files in ${store.place}, ${found.read} read, ${damaged.length} damaged`,
            ...damaged
              .slice(0, MOST_LINES)
              .map((one) => `${one.sha256} is ${one.found}: ${one.documents.join(', ')}`),
          ];
          const told = damaged.map(({ accountId, ...one }) => ({ account_id: accountId, ...one }));
          const answer = { ...found, damaged: told, ok: damaged.length === 0 };
          print(options, answer, lines.join('\n'));
          if (damaged.length > 0) fail();
        }),
      ),
    );
}

function addPrune(files: Command, { withDatabase, print }: CommandContext): void {
  files
    .command('prune')
    .description('delete objects that no row names, and that are older than a day')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withDatabase(
        asOwner(async (client, store) => {
          await recordOperator(client, 'cli.files.prune', {});
          const pruned = await pruneFiles(client, store);
          const text = `${pruned.deleted} objects deleted, ${pruned.bytes} bytes; ${pruned.locked} are locked`;
          print(options, pruned, text);
        }),
      ),
    );
}

/** How many files a backup of the database does not hold. */
export async function filesElsewhere(ownerUrl: string): Promise<number> {
  const client = clientFor(ownerUrl);
  await client.connect();
  try {
    return (await countFiles(client)).elsewhere;
  } catch (error) {
    // Saved before it is migrated: all bytes are in it.
    if (faultOf(error) === 'schema_mismatch') return 0;
    throw error;
  } finally {
    await client.end();
  }
}

/** The owner of the tables alone may take bytes from a row. */
function asOwner(work: (client: pg.Client, store: FileObjects) => Promise<void>): DatabaseWork {
  return async (urls, { files, readOnly }) => {
    if (readOnly)
      throw new ConfigError('QUITTANCE_READ_ONLY: run it where the service runs that writes.');
    if (!files) throw new ConfigError('QUITTANCE_FILES_TO is not set: s3://bucket/prefix');
    const client = clientFor(urls.owner);
    await client.connect();
    try {
      await work(client, await FileObjects.open(files));
    } catch (error) {
      if (faultOf(error) !== 'no_privilege') throw error;
      throw new ConfigError(
        'DATABASE_OWNER_URL is missing: only the owner of the tables does that',
      );
    } finally {
      await client.end();
    }
  };
}
