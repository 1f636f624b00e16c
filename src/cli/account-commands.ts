import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { Accounts } from '../auth/index.js';
import type { CommandContext, Json } from './command-context.js';
import { publicId } from '../kernel/ids.js';
import { gatewayAccountWarnings, Gateways, payableAccount } from '../payments/index.js';
import { Database } from '../platform/database/database.js';
import { operator } from '../platform/process-identity.js';

interface NewAccountOptions {
  name: string;
  currency: string;
  timeZone: string;
  test?: true;
}

export function accountCommands({ withApp, print }: CommandContext): Command {
  const account = new Command('account').description('tenants');
  account
    .command('list')
    .description('all accounts, oldest first')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const rows = (await app.get(Accounts).list()).map((row) => ({
          account_id: publicId('acc', row.accountId),
          name: row.name,
          mode: row.mode,
          currency: row.currency,
          time_zone: row.timeZone,
          created_at: row.createdAt.toISOString(),
        }));
        const lines = rows.map(
          (row) => `${row.account_id} ${row.created_at} ${row.mode} ${row.name}`,
        );
        print(options, { data: rows }, lines.join('\n') || 'none');
      }),
    );

  account
    .command('create')
    .requiredOption('--name <name>', 'name of the business')
    .option('--currency <code>', 'default currency', 'EUR')
    .option('--time-zone <zone>', 'IANA time zone', 'UTC')
    .option('--test', 'for trying: the sandbox may pay its invoices, for good')
    .option('--json', 'print JSON')
    .action((options: NewAccountOptions & Json) =>
      withApp(async (app) => {
        const { name, currency, timeZone } = options;
        const mode = options.test ? 'test' : 'live';
        const row = await app.get(Accounts).create(operator(), { name, mode, currency, timeZone });
        const made = {
          account_id: publicId('acc', row.accountId),
          name,
          mode,
          currency,
          time_zone: timeZone,
          gateways: await gatewaysOf(app, row.accountId),
        };
        const warnings = await gatewayAccountWarnings(app.get(Gateways).all(), queriesOf(app));
        const usable = made.gateways.join(', ') || 'none';
        const lines = [`account  ${made.account_id} (${mode})`, `gateways ${usable}`, ...warnings];
        print(options, made, lines.join('\n'));
      }),
    );
  return account;
}

/** The gateways that the account may use from now on. */
async function gatewaysOf(app: INestApplicationContext, accountId: string): Promise<string[]> {
  const all = await app.get(Gateways).of(await payableAccount({ read: queriesOf(app) }, accountId));
  return all.map(({ name }) => name);
}

function queriesOf(app: INestApplicationContext): Database['query'] {
  const database = app.get(Database);
  return database.query.bind(database);
}
