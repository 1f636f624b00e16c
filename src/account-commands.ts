import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import { Accounts } from './auth/index.js';
import type { CommandSurroundings, Json } from './command-surroundings.js';
import { publicId } from './kernel/ids.js';
import { gatewayAccountWarnings, Gateways, isOnlyAccount } from './payments/index.js';
import { Database } from './platform/database/database.js';
import { operator } from './platform/process-identity.js';

export function accountCommands({ withApp, print }: CommandSurroundings): Command {
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
          currency: row.currency,
          time_zone: row.timeZone,
          created_at: row.createdAt.toISOString(),
        }));
        const lines = rows.map((row) => `${row.account_id} ${row.created_at} ${row.name}`);
        print(options, { data: rows }, lines.join('\n') || 'none');
      }),
    );

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
  return account;
}

/** The gateways that the account may use from now on. */
async function gatewaysOf(app: INestApplicationContext, accountId: string): Promise<string[]> {
  const isOnly = await isOnlyAccount({ read: queriesOf(app) }, accountId);
  const all = await app.get(Gateways).of({ accountId, isOnlyAccount: isOnly });
  return all.map(({ name }) => name);
}

function queriesOf(app: INestApplicationContext): Database['query'] {
  const database = app.get(Database);
  return database.query.bind(database);
}
