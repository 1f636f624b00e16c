import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { readBackupStore } from '../platform/config/backup-store-config.js';
import { identitiesIn, newIdentity } from '../platform/database/backup/store/age-streams.js';
import { BackupStore, storedName } from '../platform/database/backup/store/backup-store.js';
import type { CommandContext, Json } from './command-context.js';

type Named = { identity?: string } & Json;

/** Encrypted backups in S3-compatible storage. None of these needs a database. */
export function addBackupStoreCommands(program: Command, context: CommandContext): void {
  const { caller, print, fail } = context;
  const { environment, folder: here } = caller;
  const backups = program
    .command('backups')
    .description('encrypted backups in the S3-compatible storage of QUITTANCE_BACKUP_TO');
  backups
    .command('key')
    .description('make a key pair: keep the identity elsewhere, the service knows the recipient')
    .option('--json', 'print JSON')
    .action(async (options: Json) => {
      const { identity, recipient } = await newIdentity();
      print(options, { identity, recipient }, `# public key: ${recipient}\n${identity}`);
    });
  backups
    .command('list')
    .description('those that are there, the newest first')
    .option('--json', 'print JSON')
    .action(async (options: Json) => {
      const found = await (await storeIn(environment)).list();
      const lines = found.map(({ name, bytes }) => `${name}  ${bytes} bytes`);
      const data = found.map(({ name, kind, at, bytes }) => ({ name, kind, at, bytes }));
      print(options, { data }, lines.join('\n') || 'none yet');
    });
  backups
    .command('verify [name]')
    .description('read one to its end, the newest by default; exit 1 where it was changed')
    .option('--identity <file>', 'decrypt it, too')
    .option('--json', 'print JSON')
    .action(async (name: string | undefined, { identity, ...options }: Named) => {
      const store = await storeIn(environment);
      const found = await store.find(name);
      const { isSame, sha256 } = await store.verify(found);
      if (isSame && identity !== undefined) {
        const content = await store.read(found, await identitiesIn(resolve(here, identity)));
        for await (const _ of content);
      }
      const shown = { name: found.name, bytes: found.bytes, sha256, ok: isSame };
      print(options, shown, `${found.name}: ${isSame ? 'as it was stored' : 'WAS CHANGED'}`);
      if (!isSame) fail();
    });
  backups
    .command('send <file>')
    .description(
      'encrypt and store a file, or standard input as -: pg_dump -Fc ... | backups send -',
    )
    .option('--json', 'print JSON')
    .action(async (file: string, options: Json) => {
      const store = await storeIn(environment);
      const source = file === '-' ? process.stdin : createReadStream(resolve(here, file));
      const kind = file.endsWith('.backup') ? 'backup' : 'dump';
      const { name, bytes } = await store.send(source, storedName(new Date(), kind));
      const { deleted, locked } = await store.prune(new Date());
      print(options, { name, bytes, deleted, locked }, `${name}: ${bytes} bytes`);
    });
  backups
    .command('fetch <name> <file>')
    .description('decrypt one into a file, such as a dump for pg_restore; `newest` for the newest')
    .requiredOption('--identity <file>', 'of age, as `backups key` printed it')
    .option('--json', 'print JSON')
    .action(async (name: string, file: string, { identity = '', ...options }: Named) => {
      const store = await storeIn(environment);
      const found = await store.find(name === 'newest' ? undefined : name);
      const path = resolve(here, file);
      const content = await store.read(found, await identitiesIn(resolve(here, identity)));
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
      try {
        await pipeline(content, target);
      } catch (error) {
        const isOurs = (error as NodeJS.ErrnoException).code !== 'EEXIST';
        if (isOurs) await rm(path, { force: true });
        throw error;
      }
      print(options, { name: found.name, file: path }, `${path}: ${found.name}. It holds secrets.`);
    });
}

/** @throws where none is configured */
export async function storeIn(environment: NodeJS.ProcessEnv): Promise<BackupStore> {
  const config = await readBackupStore(environment);
  if (!config) throw new Error('QUITTANCE_BACKUP_TO is not set: s3://bucket/prefix');
  return BackupStore.open(config);
}
