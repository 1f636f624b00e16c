import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { accountIn } from './client-commands.js';
import type { CommandContext, Json } from './command-context.js';
import {
  ArchiveFault,
  Archives,
  assertHead,
  assertHeadsOfFile,
  type KeptSeal,
  type VerifiedArchive,
  verifyArchive,
} from '../integrity/index.js';

const SEAL = /^[1-9]\d{0,14}:[0-9a-f]{64}$/;

interface WriteWish extends Json {
  account: string;
  year: string;
  to: string;
}

interface VerifyWish extends Json {
  expectHead?: string[];
  heads?: string;
  print?: string;
}

/** Closed years as files. To verify one needs no database and no configuration. */
export function addArchiveCommands(program: Command, context: CommandContext): void {
  const { caller, withApp, print, progress, fail } = context;
  const archive = program
    .command('archive')
    .description('closed years as files that prove themselves');
  archive
    .command('write')
    .description('write a closed year with its seals into a new file; nothing is removed')
    .requiredOption('--account <id>', 'account id, acc_...')
    .requiredOption('--year <year>', 'such as 2025; all its months are closed')
    .requiredOption('--to <file>', 'the file, which must not be there yet')
    .option('--json', 'print JSON')
    .action(async (options: WriteWish) => {
      const accountId = accountIn(options.account);
      const year = yearIn(options.year);
      const path = resolve(caller.folder, options.to);
      await withApp(async (app) => {
        await app.get(Archives).write(accountId, year, path, progress('rows'));
        // A row that is not as it was sealed is in the file as it is now.
        const found = await foundIn(path, async () => verifyArchive(path, progress('bytes')));
        const { size: bytes } = await stat(path);
        if (found instanceof ArchiveFault) {
          const wrong = `${path} was written, and does not prove itself: ${found.message}`;
          print(options, { file: path, bytes, ok: false, detail: found.message }, wrong);
          return fail();
        }
        const lines = [`${path}: ${bytes} bytes`, ...summary(found)];
        print(options, { file: path, bytes, ...shown(found) }, lines.join('\n'));
      });
    });
  archive
    .command('verify <file>')
    .description('compute every digest of an archive anew; exit 1 where one does not agree')
    .option('--expect-head <seq:digest...>', 'seals that you kept: the archive must have them')
    .option(
      '--heads <file>',
      'a file of heads of seals (QUITTANCE_SEAL_HEADS_FILE) to compare with',
    )
    .option('--print <table>', 'print the rows of a table instead, a line of JSON each')
    .option('--json', 'print JSON')
    .action(async (file: string, options: VerifyWish) => {
      const path = resolve(caller.folder, file);
      const kept = headsIn(options.expectHead ?? []);
      const compared = options.heads === undefined ? null : resolve(caller.folder, options.heads);
      let heads = kept.length;
      const found = await foundIn(path, async () => {
        const verified = await verifyArchive(path, progress('bytes'));
        for (const head of kept) assertHead(verified, head);
        if (compared !== null) heads += await assertHeadsOfFile(verified, compared);
        return verified;
      });
      if (found instanceof ArchiveFault) {
        print(
          options,
          { file: path, ok: false, detail: found.message },
          `${path}: ${found.message}`,
        );
        return fail();
      }
      const { print: table } = options;
      if (table === undefined) {
        const agreed = heads > 0 ? [`${heads} kept heads agree`] : [];
        const lines = [`${path}: as it was sealed`, ...summary(found), ...agreed];
        return print(options, { file: path, ...shown(found), heads }, lines.join('\n'));
      }
      if (!found.tables.has(table))
        throw new Error(`--print: ${table} is none of ${[...found.tables.keys()].join(', ')}`);
      await verifyArchive(path, undefined, { table, show: (json) => caller.print(json) });
    });
}

async function foundIn(
  path: string,
  verify: () => Promise<VerifiedArchive>,
): Promise<VerifiedArchive | ArchiveFault> {
  try {
    return await verify();
  } catch (error) {
    if (error instanceof ArchiveFault) return error;
    const { code, syscall, path: failed = path } = error as NodeJS.ErrnoException;
    throw syscall ? new Error(`${failed} cannot be read: ${code}`) : error;
  }
}

/** Heads of seals, `12:9f86...`. */
export function headsIn(texts: readonly string[]): Omit<KeptSeal, 'accountId'>[] {
  const wrong = texts.filter((text) => !SEAL.test(text)).join(', ');
  if (wrong)
    throw new Error(`--expect-head: ${wrong}: no head (12:9f86..., as integrity prints it)`);
  return texts.map((text) => {
    const [sequence = '', digest = ''] = text.split(':');
    return { sequence: BigInt(sequence), digest };
  });
}

function yearIn(text: string): number {
  if (/^(19|2[0-8])\d\d$/.test(text)) return Number(text);
  throw new Error(`--year: ${text} is no year such as 2025`);
}

const headOf = ({ digests }: VerifiedArchive, sequence: number) => {
  const digest = digests.get(sequence);
  return digest === undefined ? null : { sequence, digest };
};

function shown(found: VerifiedArchive): object {
  const { header, seals, rows, tables } = found;
  const { account, year, first, last } = header;
  return {
    ok: true,
    account_id: account,
    year,
    seals,
    rows,
    tables: Object.fromEntries(tables),
    before: headOf(found, first - 1),
    first: headOf(found, first),
    last: headOf(found, last),
  };
}

function summary(found: VerifiedArchive): string[] {
  const { header, seals, rows, tables } = found;
  const { account, year, first, last } = header;
  const heads = [...new Set([first - 1, first, last])].flatMap((sequence) => {
    const head = headOf(found, sequence);
    if (!head) return [];
    return `${sequence < first ? 'before' : 'seal  '} ${sequence}:${head.digest}`;
  });
  return [
    `${year} of ${account}: ${seals} seals, ${rows} rows`,
    ...[...tables].map(([table, count]) => `  ${table} ${count}`),
    ...heads,
  ];
}
