import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { AppModule } from './app.module.js';
import { Accounts, type AuditEntryBody, AuditQuery, presentAuditEntry } from './auth/index.js';
import { givenDatabase, openDatabase, prepareGateways, surroundings } from './boot.js';
import { accountIn, addAccountList, clientCommands } from './client-commands.js';
import { recordCommand } from './command-log.js';
import { addDatabaseCommands } from './database-commands.js';
import { examine } from './doctor.js';
import { DomainError } from './kernel/domain-error.js';
import { NO_ACCOUNT, publicId } from './kernel/ids.js';
import {
  BankStatements,
  CSV_DATE_FORMATS,
  CSV_DECIMALS,
  MOST_BANK_ENTRIES,
  type BankStatementFile,
} from './bank/index.js';
import { Providers } from './gateways/index.js';
import {
  Gateways,
  PaymentsQuery,
  ProviderReceiptClaims,
  isOnlyAccount,
  gatewayAccountWarnings,
} from './payments/index.js';
import { IntegrityQuery, type KeptSeal } from './integrity/index.js';
import { type Config, loadConfig } from './platform/config/config.js';
import { Database } from './platform/database/database.js';
import { EmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { migrate } from './platform/database/migrate.js';
import type { DatabaseUrls } from './platform/database/roles.js';
import { createLog, type Log } from './platform/observability/log.js';
import { byOperator, operator } from './platform/process-identity.js';

interface ImportOptions {
  account: string;
  currency?: string;
  decimal?: string;
  dateFormat?: string;
  bankAccount?: string;
  bookedStates?: string;
}

const SEAL = /^[1-9]\d{0,14}:[0-9a-f]{64}$/;

let running: Command;
interface Json {
  json?: boolean;
}

const program = new Command('quittance')
  .description('Operate a Quittance service.')
  .hook('preAction', (_program, command) => {
    running = command;
  });
const account = program.command('account').description('tenants');
addAccountList(account, { withApp, print });
program.addCommand(clientCommands({ withApp, print }));

account
  .command('create')
  .requiredOption('--name <name>', 'name of the business')
  .option('--currency <code>', 'default currency', 'EUR')
  .option('--time-zone <zone>', 'IANA time zone', 'UTC')
  .option('--json', 'print JSON')
  .action((options: { name: string; currency: string; timeZone: string } & Json) =>
    withApp(async (app) => {
      const { name, currency, timeZone } = options;
      const row = await app.get(Accounts).create(operator(), { name, currency, timeZone });
      const made = {
        account_id: publicId('acc', row.accountId),
        name,
        currency,
        time_zone: timeZone,
        gateways: await gatewaysOf(app, row.accountId),
      };
      const warnings = await gatewayAccountWarnings(app.get(Gateways).all(), queriesOf(app));
      const usable = made.gateways.join(', ') || 'none';
      const lines = [`account  ${made.account_id}`, `gateways ${usable}`, ...warnings];
      print(options, made, lines.join('\n'));
    }),
  );

program
  .command('migrate')
  .description('bring the database schema up to date')
  .option('--json', 'print JSON')
  .action((options: Json) =>
    withDatabase(async (_config, _log, urls) => {
      const migrated = await migrate(urls);
      print(options, { migrated }, migrated.join('\n') || 'nothing to do');
    }),
  );

program
  .command('doctor')
  .description('check database, migrations, Chromium, fonts and gateways')
  .option('--json', 'print JSON')
  .action((options: Json) =>
    withDatabase(async (config, _log, urls, providers) => {
      await prepareGateways(config, providers);
      const findings = await examine(config, urls, providers);
      const lines = findings.map(
        ({ ok, warning, check, detail }) =>
          `${warning ? 'warn' : ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`,
      );
      print(options, { ok: findings.every(({ ok }) => ok), findings }, lines.join('\n'));
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    }),
  );

program
  .command('integrity')
  .description('derive every balance again and verify the seals; exit 1 on a difference')
  .option('--account <id>', 'of one account only, acc_...')
  .option('--expect-head <seq:digest...>', 'seals that you kept: the chain must still have them')
  .option('--json', 'print JSON')
  .action(async (options: { account?: string; expectHead?: string[] } & Json) => {
    const accountId = options.account === undefined ? null : accountIn(options.account);
    const kept = keptSeals(accountId, options.expectHead ?? []);
    await withApp(async (app) => {
      const query = app.get(IntegrityQuery);
      const { checks, sealed, unsealed, ...found } = await query.differences(accountId);
      const differences = [...found.differences, ...(await query.lostSeals(kept))];
      const lines = differences.map(
        ({ check, id, stored, derived }) => `${id}: ${check}: stored ${stored}, derived ${derived}`,
      );
      const head = sealed && { sequence: Number(sealed.sequence), digest: sealed.digest };
      const all = { checks, differences, sealed: head, unsealed_rows: Number(unsealed) };
      const seal = head ? `; seal ${head.sequence}: ${head.digest}` : '';
      const none = `${checks} checks, no difference, ${unsealed} rows to be sealed${seal}`;
      print(options, all, lines.join('\n') || none);
      if (differences.length > 0) process.exitCode = 1;
    });
  });

program
  .command('audit')
  .description(
    'changes of settings and who made them, newest first, at most 1000; of every account and of none',
  )
  .option('--account <id>', 'of one account only, acc_...')
  .option('--since <instant>', 'such as 2026-11-20 or 2026-11-20T10:15:00Z')
  .option('--json', 'print JSON')
  .action((options: { account?: string; since?: string } & Json) =>
    withApp(async (app) => {
      const accountId = options.account === undefined ? null : accountIn(options.account);
      const since = { from: options.since === undefined ? undefined : instantIn(options.since) };
      const entries = await app.get(AuditQuery).list(accountId, since, null, 1000);
      const shown = entries.map((entry) => ({
        account_id: entry.accountId === NO_ACCOUNT ? null : publicId('acc', entry.accountId),
        ...presentAuditEntry(entry),
      }));
      print(options, { entries: shown }, shown.map(auditLine).join('\n') || 'none');
    }),
  );

const receipts = program
  .command('receipts')
  .description('provider money that found no document, of every account and of none')
  .option('--json', 'print JSON')
  .action((options: Json) =>
    withApp(async (app) => {
      const unmatched = await app.get(PaymentsQuery).allUnmatched();
      const review = await app.get(PaymentsQuery).eventsToReview();
      const lines = [
        ...unmatched.map((one) => `${one.gateway} ${one.provider_payment_id} ${one.reason}`),
        ...review.map((one) => `${one.gateway} ${one.event_id} ${one.review}`),
      ];
      print(options, { unmatched, review }, lines.join('\n') || 'none');
    }),
  );

receipts
  .command('claim <gateway> <provider-payment-id>')
  .description('give a receipt that has no account to the account that owns the money')
  .requiredOption('--account <id>', 'account id, acc_...')
  .option('--json', 'print JSON')
  .action((gateway: string, paymentId: string, options: { account: string } & Json) =>
    withApp(async (app) => {
      const by = byOperator(accountIn(options.account));
      const receipt = await app.get(ProviderReceiptClaims).claim(by, gateway, paymentId);
      const id = publicId('rcpt', receipt.id);
      print(options, { receipt_id: id, account_id: options.account }, `receipt ${id}`);
    }),
  );

program
  .command('bank-statements')
  .description('files of banks')
  .command('import')
  .description('import a camt (XML), MT940 or CSV file; the same file again changes nothing')
  .argument('<file>', 'CSV when its name ends with .csv')
  .requiredOption('--account <id>', 'account id, acc_...')
  .option('--currency <code>', 'of a CSV file that has no column for it')
  .option('--decimal <sign>', 'of a CSV file: comma or point')
  .option('--date-format <format>', `of a CSV file: ${CSV_DATE_FORMATS.join(', ')}`)
  .option('--booked-states <words>', 'words of the bank, parted by commas, for a booked entry')
  .option('--bank-account <iban>', 'of a CSV file that does not name it')
  .option('--json', 'print JSON')
  .action((path: string, options: ImportOptions & Json) =>
    withApp(async (app) => {
      const by = { accountId: accountIn(options.account), clientId: null };
      const statement = await app
        .get(BankStatements)
        .import(by, await statementFile(path, options));
      const { entries, knownBefore, pending, rejected, counts } = statement;
      const { debit: debits, ...rest } = counts;
      const all = { entries, ...rest, debits, known_before: knownBefore, pending, rejected };
      const shown = { id: publicId('bstmt', statement.id), format: statement.format, counts: all };
      const lines = Object.entries(all).map(([name, count]) => `${name.padEnd(13)} ${count}`);
      print(options, shown, [`statement     ${shown.id}`, ...lines].join('\n'));
    }),
  );

/** The database of the running service, or one started for this command. */
async function withDatabase(
  work: (config: Config, log: Log, urls: DatabaseUrls, providers: Providers) => Promise<void>,
): Promise<void> {
  const providers = await Providers.installed(process.env, process.cwd());
  const config = await loadConfig(process.env, process.cwd(), providers);
  const log = createLog('error', process.stderr);
  const running = givenDatabase(config) ?? (await EmbeddedPostgres.urlsOfRunning(config.dataDir));
  if (running) return work(config, log, running, providers);
  const database = await openDatabase(config, log);
  try {
    await work(config, log, database.urls, providers);
  } finally {
    await database.stop();
  }
}

async function withApp(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
  await withDatabase(async (config, log, urls, providers) => {
    await migrate(urls);
    await prepareGateways(config, providers);
    const app = await NestFactory.createApplicationContext(
      AppModule.with(surroundings(config, log, urls.app), providers),
      { logger: false, abortOnError: false },
    );
    try {
      await work(app);
      await recordCommand(app, running);
    } finally {
      await app.close();
    }
  });
}

/** The gateways that the account may use from now on. */
async function gatewaysOf(app: INestApplicationContext, accountId: string): Promise<string[]> {
  const isOnly = await isOnlyAccount({ read: queriesOf(app) }, accountId);
  return app.get(Gateways).of(accountId, isOnly);
}

function queriesOf(app: INestApplicationContext): Database['query'] {
  const database = app.get(Database);
  return database.query.bind(database);
}

async function statementFile(path: string, options: ImportOptions): Promise<BankStatementFile> {
  const bytes = await readFile(path);
  const mostEntries = MOST_BANK_ENTRIES.ofCommand;
  const bookedStates = options.bookedStates?.split(',') ?? [];
  if (!/\.csv$/i.test(path)) {
    const isXml = bytes.subarray(0, 200).toString('latin1').includes('<');
    return { bytes, mostEntries, bookedStates, format: isXml ? 'camt' : 'mt940' };
  }
  const hints = {
    delimiter: null,
    decimal: oneOf('--decimal', CSV_DECIMALS, options.decimal),
    dateFormat: oneOf('--date-format', CSV_DATE_FORMATS, options.dateFormat),
    currency: options.currency ?? null,
    account: options.bankAccount ?? null,
    columns: new Map<string, string>(),
  };
  return { bytes, mostEntries, bookedStates, format: 'csv', hints };
}

function oneOf<Value extends string>(
  option: string,
  values: readonly Value[],
  text: string | undefined,
): Value | null {
  const found = values.find((value) => value === text);
  if (text === undefined || found !== undefined) return found ?? null;
  throw new Error(`${option}: ${text} is none of ${values.join(', ')}`);
}

function instantIn(text: string): Date {
  const instant = new Date(text);
  if (!Number.isNaN(instant.getTime())) return instant;
  throw new Error(`--since: ${text} is no instant; write it as 2026-11-20T10:15:00Z`);
}

function auditLine(entry: AuditEntryBody): string {
  const { occurred_at, action, subject, actor, address, occurrences, before, after } = entry;
  const who = [actor.id ?? actor.type, address && `from ${address}`].filter(Boolean).join(' ');
  const times = occurrences > 1 ? ` ${occurrences} times` : '';
  const change = before || after ? ` ${JSON.stringify(before)} -> ${JSON.stringify(after)}` : '';
  return `${occurred_at} ${action}${subject ? ` ${subject}` : ''}${times} by ${who}${change}`;
}

/** Seals in a chain, `12:9f86...`: the chain is an account's. */
function keptSeals(accountId: string | null, texts: readonly string[]): KeptSeal[] {
  if (texts.length === 0) return [];
  if (accountId === null)
    throw new Error('--expect-head: name the account of the chain with --account');
  const wrong = texts.filter((text) => !SEAL.test(text)).join(', ');
  if (wrong)
    throw new Error(`--expect-head: ${wrong}: no head (12:9f86..., as integrity prints it)`);
  return texts.map((text) => {
    const [sequence = '', digest = ''] = text.split(':');
    return { accountId, sequence: BigInt(sequence), digest };
  });
}

function print(options: Json, value: object, text: string): void {
  console.log(options.json ? JSON.stringify(value) : text);
}

addDatabaseCommands(program, process.env);

program.parseAsync().catch((error: unknown) => {
  console.error(
    error instanceof DomainError ? error.detail : error instanceof Error ? error.message : error,
  );
  process.exit(2);
});
