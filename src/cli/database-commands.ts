import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { givenDatabase, openDatabase } from '../boot.js';
import { filesElsewhere } from './file-commands.js';
import type { CommandContext, Json } from './command-context.js';
import { type Config, loadConfig } from '../platform/config/config.js';
import { dataFolder } from '../platform/config/folders.js';
import { recordedBackup } from '../platform/database/backup/recorded-backup.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import {
  backupFile,
  type BackupSource,
  restoreBackup,
} from '../platform/database/backup/restore.js';
import { identitiesIn } from '../platform/database/backup/store/age-streams.js';
import { storeIn } from './backup-store-commands.js';
import type { DatabaseUrls } from '../platform/database/roles.js';
import type { Log } from '../platform/observability/log.js';

const ITS_OWN_TOOLS =
  'DATABASE_URL names a server of your own: use its own tools, pg_basebackup or pg_dump and ' +
  'pg_restore; docs/operations.md#backup has the commands.';

/** The operator's commands for the database as a whole. */
export function addDatabaseCommands(
  program: Command,
  { caller, log, print, progress }: CommandContext,
): void {
  const { environment, folder: here } = caller;
  program
    .command('database-url')
    .description('print the address of the running database, for psql and pg_dump')
    .addOption(
      new Option('--role <role>', 'the role to log in as')
        .choices(['owner', 'app', 'reader'])
        .default('owner'),
    )
    .option('--json', 'print JSON')
    .action(async ({ role, ...options }: { role: keyof DatabaseUrls } & Json) => {
      const config = await loadConfig(environment, here);
      const urls = givenDatabase(config) ?? (await EmbeddedPostgres.urlsOfRunning(config.dataDir));
      if (!urls) throw new Error(`no service runs on ${config.dataDir}: start it first`);
      const url = urls[role];
      if (!url) throw new Error('DATABASE_READER_URL is not set: there is no reader');
      print(options, { url }, url);
    });

  program
    .command('backup <file>')
    .description('copy the embedded database and its secrets into one file, while it runs')
    .option('--json', 'print JSON')
    .action(async (file: string, options: Json) => {
      const config = await loadConfig(environment, here);
      if (givenDatabase(config)) throw new Error(ITS_OWN_TOOLS);
      const path = resolve(here, file);
      const { files, elsewhere, ...made } = await withEmbedded(config, log, async ({ owner }) => {
        const manifest = await recordedBackup(config, 'cli.backup', owner, path, progress('bytes'));
        return { ...manifest, elsewhere: await filesElsewhere(owner) };
      });
      const bytes = Object.values(files).reduce((sum, { size }) => sum + size, 0);
      const count = Object.keys(files).length;
      const shown = { file: path, ...made, files: count, bytes, files_elsewhere: elsewhere };
      const megabytes = Math.ceil(bytes / 1e6);
      const lines = [
        `${path}: ${shown.files} files, ${megabytes} MB. It holds your secrets.`,
        ...(elsewhere > 0
          ? [`It does not hold the bytes of ${elsewhere} PDFs and attachments: the store has them.`]
          : []),
      ];
      print(options, shown, lines.join('\n'));
    });

  program
    .command('restore [file]')
    .description('restore a backup into an empty data folder: a file, or one of the store')
    .option('--newest', 'the newest backup of QUITTANCE_BACKUP_TO')
    .option('--stored <name>', 'that backup of QUITTANCE_BACKUP_TO')
    .option('--identity <file>', 'of age, for a backup of the store')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, options: RestoreWish) => {
      if (environment['DATABASE_URL']) throw new Error(ITS_OWN_TOOLS);
      const folder = dataFolder(environment, here);
      const source = await sourceOf(file, options, environment, here);
      const { files: _, ...made } = await restoreBackup(source, folder, progress('bytes'));
      print(options, { folder, ...made }, `${folder} is as it was at ${made.made_at}; start it.`);
    });
}

interface RestoreWish extends Json {
  newest?: boolean;
  stored?: string;
  identity?: string;
}

async function sourceOf(
  file: string | undefined,
  { newest, stored, identity }: RestoreWish,
  environment: NodeJS.ProcessEnv,
  here: string,
): Promise<BackupSource> {
  if ([file, newest, stored].filter((one) => one !== undefined).length !== 1)
    throw new Error('name one backup: a file, --stored with its name, or --newest.');
  if (file !== undefined) return backupFile(resolve(here, file));
  if (identity === undefined)
    throw new Error('--identity is missing: the file with the key that can read the backup.');
  const identities = await identitiesIn(resolve(here, identity));
  const store = await storeIn(environment);
  const found = await store.find(stored, 'backup');
  if (found.kind !== 'backup')
    throw new Error(
      `${found.name} is of a server of your own: \`backups fetch\`, then pg_restore.`,
    );
  const { name, bytes } = found;
  return { name, bytes, open: async () => store.read(found, identities) };
}

/** On the server of the running service, or on one that is started for this. */
async function withEmbedded<Result>(
  config: Config,
  log: Log,
  work: (urls: DatabaseUrls) => Promise<Result>,
): Promise<Result> {
  const running = await EmbeddedPostgres.urlsOfRunning(config.dataDir);
  if (running) return work(running);
  const database = await openDatabase(config, log);
  try {
    return await work(database.urls);
  } finally {
    await database.stop();
  }
}
