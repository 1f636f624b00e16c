import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { AppModule } from './app.module.js';
import { Accounts } from './auth/index.js';
import { openDatabase, prepareGateways, surroundings } from './boot.js';
import { examine } from './doctor.js';
import { DomainError } from './kernel/domain-error.js';
import { publicId, uuidOf } from './kernel/ids.js';
import { IntegrityQuery, PaymentsQuery } from './payments/index.js';
import { type Config, loadConfig } from './platform/config/config.js';
import { EmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { migrate } from './platform/database/migrate.js';
import { SCOPES } from './platform/http/access.js';
import { createLog, type Log } from './platform/observability/log.js';

interface Json {
  json?: boolean;
}

const program = new Command('quittance').description('Operate a Quittance service.');
const account = program.command('account').description('tenants');
const client = program.command('client').description('API clients of an account');

account
  .command('create')
  .requiredOption('--name <name>', 'name of the business')
  .option('--currency <code>', 'default currency', 'EUR')
  .option('--time-zone <zone>', 'IANA time zone', 'UTC')
  .option('--json', 'print JSON')
  .action((options: { name: string; currency: string; timeZone: string } & Json) =>
    withApp(async (app) => {
      const { name, currency, timeZone } = options;
      const row = await app.get(Accounts).create({ name, currency, timeZone });
      const made = {
        account_id: publicId('acc', row.accountId),
        name,
        currency,
        time_zone: timeZone,
      };
      print(options, made, `account ${made.account_id}`);
    }),
  );

client
  .command('create')
  .requiredOption('--account <id>', 'account id, acc_...')
  .option('--name <name>', 'what the client is for', 'api')
  .option('--scope <scopes>', 'space-separated scopes', SCOPES.join(' '))
  .option('--json', 'print JSON')
  .action((options: { account: string; name: string; scope: string } & Json) =>
    withApp(async (app) => {
      const accountId = uuidOf('acc', options.account);
      if (!accountId) throw new Error(`--account: ${options.account} is no account id (acc_...)`);
      const made = await app
        .get(Accounts)
        .createClient(accountId, options.name, scopesOf(options.scope));
      const shown = `client_id     ${made.client_id}\nclient_secret ${made.client_secret}`;
      print(options, made, `${shown}\nThe secret is not shown again.`);
    }),
  );

program
  .command('migrate')
  .description('bring the database schema up to date')
  .option('--json', 'print JSON')
  .action((options: Json) =>
    withDatabase(async (_config, _log, url) => {
      const migrated = await migrate(url);
      print(options, { migrated }, migrated.join('\n') || 'nothing to do');
    }),
  );

program
  .command('doctor')
  .description('check database, migrations, Chromium, fonts and gateways')
  .option('--json', 'print JSON')
  .action((options: Json) =>
    withDatabase(async (config, _log, url) => {
      await prepareGateways(config);
      const findings = await examine(config, url);
      const lines = findings.map(
        ({ ok, check, detail }) => `${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`,
      );
      print(options, { ok: findings.every(({ ok }) => ok), findings }, lines.join('\n'));
      if (findings.some(({ ok }) => !ok)) process.exitCode = 1;
    }),
  );

program
  .command('integrity')
  .description('derive every balance again; exit 1 on a difference')
  .option('--json', 'print JSON')
  .action((options: Json) =>
    withApp(async (app) => {
      const result = await app.get(IntegrityQuery).differences();
      const lines = result.differences.map(
        ({ check, id, stored, derived }) => `${id}: ${check}: stored ${stored}, derived ${derived}`,
      );
      print(options, result, lines.join('\n') || `${result.checks} checks, no difference`);
      if (result.differences.length > 0) process.exitCode = 1;
    }),
  );

program
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

/** The database of the running service, or one started for this command. */
async function withDatabase(
  work: (config: Config, log: Log, url: string) => Promise<void>,
): Promise<void> {
  const config = await loadConfig(process.env, process.cwd());
  const log = createLog('error', process.stderr);
  const running = config.databaseUrl ?? (await EmbeddedPostgres.urlOfRunning(config.dataDir));
  if (running) return work(config, log, running);
  const database = await openDatabase(config, log);
  try {
    await work(config, log, database.url);
  } finally {
    await database.stop();
  }
}

async function withApp(work: (app: INestApplicationContext) => Promise<void>): Promise<void> {
  await withDatabase(async (config, log, url) => {
    await migrate(url);
    await prepareGateways(config);
    const app = await NestFactory.createApplicationContext(
      AppModule.with(surroundings(config, log, url)),
      { logger: false, abortOnError: false },
    );
    try {
      await work(app);
    } finally {
      await app.close();
    }
  });
}

function scopesOf(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter(Boolean);
  const unknown = scopes.filter((scope) => !SCOPES.some((known) => known === scope));
  if (unknown.length === 0 && scopes.length > 0) return scopes;
  throw new Error(`--scope: ${unknown.join(' ') || 'empty'}; known are: ${SCOPES.join(' ')}`);
}

function print(options: Json, value: object, text: string): void {
  console.log(options.json ? JSON.stringify(value) : text);
}

program.parseAsync().catch((error: unknown) => {
  console.error(
    error instanceof DomainError ? error.detail : error instanceof Error ? error.message : error,
  );
  process.exit(2);
});
