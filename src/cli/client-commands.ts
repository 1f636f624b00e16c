import type { INestApplicationContext } from '@nestjs/common';
import { Command } from 'commander';
import {
  type ClientBody,
  type ApiClientChange,
  ApiClients,
  ApiClientsQuery,
  DEFAULT_OVERLAP_HOURS,
  presentClient,
} from '../auth/index.js';
import type { CommandContext, Json } from './command-context.js';
import { AddressList } from '../kernel/address-list.js';
import { publicId, type Uuid, uuidOf } from '../kernel/ids.js';
import { ExtensionScopes, SCOPES } from '../platform/http/access.js';
import { byOperator } from '../platform/process-identity.js';

interface LimitOptions extends Json {
  scope?: string;
  address?: string[];
  anywhere?: boolean;
  expires?: string;
  neverExpires?: boolean;
}

const LARGEST_PAGE = 100;

export function clientCommands({ withApp, print }: CommandContext): Command {
  const program = new Command('client').description('API clients of an account');
  const show = (options: Json, client: ClientBody) => print(options, client, lineOf(client));
  const showSecret = (options: Json, client: ClientBody, secret: string) => {
    const made = { ...client, client_id: client.id, client_secret: secret };
    print(options, made, secretText(client.id, secret));
  };

  program
    .command('create')
    .requiredOption('--account <id>', 'account id, acc_...')
    .option('--name <name>', 'what the client is for', 'api')
    .option('--scope <scopes>', 'space-separated scopes', SCOPES.join(' '))
    .option('--json', 'print JSON')
    .action((options: { account: string; name: string; scope: string } & Json) =>
      withApp(async (app) => {
        const wish = { name: options.name, scopes: scopesOf(options.scope, app) };
        const by = byOperator(accountIn(options.account));
        const { client, secret } = await app.get(ApiClients).create(by, null, wish);
        const made = { client_id: publicId('cli', client.clientId), client_secret: secret };
        print(options, made, secretText(made.client_id, secret));
      }),
    );

  program
    .command('list')
    .description('clients of an account, newest first, with scopes, limits and last use')
    .requiredOption('--account <id>', 'account id, acc_...')
    .option('--json', 'print JSON')
    .action((options: { account: string } & Json) =>
      withApp(async (app) => {
        const clients = await allClients(app, accountIn(options.account));
        print(options, { data: clients }, clients.map(lineOf).join('\n') || 'none');
      }),
    );

  program
    .command('rename <client-id> <name>')
    .option('--json', 'print JSON')
    .action((id: string, name: string, options: Json) =>
      withApp(async (app) => show(options, await changed(app, id, { name: nameIn(name) }))),
    );

  limiting(program.command('limit <client-id>'))
    .description('limit its scopes, its end and its addresses; tokens that may do more end')
    .action((id: string, options: LimitOptions) =>
      withApp(async (app) => {
        const change = limitsIn(options, app);
        if (Object.keys(change).length > 0) return show(options, await changed(app, id, change));
        throw new Error('name a limit: --scope, --address, --anywhere, --expires, --never-expires');
      }),
    );

  limiting(program.command('rotate <client-id>'))
    .description('give it a new secret; the old one works on, unless it gets more rights with it')
    .option('--overlap-hours <hours>', `how long; 0: not at all; else ${DEFAULT_OVERLAP_HOURS}`)
    .action((id: string, options: { overlapHours?: string } & LimitOptions) =>
      withApp(async (app) => {
        const [accountId, clientId] = await named(app, id);
        const { overlapHours: hours } = options;
        const overlapHours = hours === undefined ? undefined : hoursIn(hours);
        const wish = { overlapHours, ...limitsIn(options, app) };
        const by = byOperator(accountId);
        const rotated = await app.get(ApiClients).rotate(by, null, clientId, wish, null);
        showSecret(options, presentClient(rotated.client), rotated.secret);
      }),
    );

  program
    .command('revoke <client-id>')
    .description('end its secrets at once, and its tokens within seconds, for good')
    .option('--json', 'print JSON')
    .action((id: string, options: Json) =>
      withApp(async (app) => {
        const [accountId, clientId] = await named(app, id);
        const by = byOperator(accountId);
        const revoked = await app.get(ApiClients).revoke(by, null, clientId, null);
        show(options, presentClient(revoked));
      }),
    );
  return program;
}

const secretText = (id: string, secret: string) =>
  `client_id     ${id}\nclient_secret ${secret}\nThe secret is not shown again.`;

async function allClients(app: INestApplicationContext, accountId: Uuid): Promise<ClientBody[]> {
  const found: ClientBody[] = [];
  for (let after: Uuid | null = null; ;) {
    const page = await app.get(ApiClientsQuery).list(accountId, after, LARGEST_PAGE);
    found.push(...page.map(presentClient));
    if (page.length < LARGEST_PAGE) return found;
    after = page.at(-1)?.clientId ?? null;
  }
}

async function changed(app: INestApplicationContext, id: string, change: ApiClientChange) {
  const [accountId, clientId] = await named(app, id);
  const by = byOperator(accountId);
  return presentClient(await app.get(ApiClients).change(by, null, clientId, change, null));
}

async function named(app: INestApplicationContext, id: string): Promise<[Uuid, Uuid]> {
  const clientId = uuidOf('cli', id);
  const accountId = clientId && (await app.get(ApiClientsQuery).accountOf(clientId));
  if (clientId && accountId) return [accountId, clientId];
  throw new Error(`${id} is the id of no client (cli_...)`);
}

function lineOf(client: ClientBody): string {
  const notes = [
    client.revoked_at ? `revoked ${client.revoked_at}` : `used ${client.last_used_at ?? 'never'}`,
    client.expires_at && `ends ${client.expires_at}`,
    client.addresses && `from ${client.addresses.join(' ')}`,
    client.previous_secret_ends_at && `two secrets until ${client.previous_secret_ends_at}`,
    client.scopes.join(' '),
  ];
  return `${client.id} ${client.name}: ${notes.filter(Boolean).join(', ')}`;
}

function limiting(command: Command): Command {
  return command
    .option('--scope <scopes>', 'space-separated scopes')
    .option('--address <blocks...>', 'CIDR blocks from which it may call')
    .option('--anywhere', 'it may call from everywhere')
    .option('--expires <instant>', 'when it ends, such as 2027-01-31T00:00:00Z')
    .option('--never-expires', 'it does not end by itself')
    .option('--json', 'print JSON');
}

function limitsIn(options: LimitOptions, app: INestApplicationContext): ApiClientChange {
  const { scope, address, anywhere, expires, neverExpires } = options;
  if (address && anywhere) throw new Error('--address and --anywhere exclude each other');
  if (expires && neverExpires) throw new Error('--expires and --never-expires exclude each other');
  const wrong = address?.find((block) => !AddressList.isBlock(block));
  if (wrong !== undefined) throw new Error(`--address: ${wrong} is no block such as 192.0.2.0/24`);
  return {
    ...(scope !== undefined && { scopes: scopesOf(scope, app) }),
    ...(address && { addresses: address }),
    ...(anywhere && { addresses: null }),
    ...(expires !== undefined && { expiresAt: instantIn(expires) }),
    ...(neverExpires && { expiresAt: null }),
  };
}

function nameIn(text: string): string {
  const name = text.trim();
  if (name !== '' && name.length <= 200) return name;
  throw new Error('<name>: 1 to 200 characters');
}

function hoursIn(text: string): number {
  if (/^\d{1,3}$/.test(text) && Number(text) <= 720) return Number(text);
  throw new Error(`--overlap-hours: ${text} is no whole number from 0 to 720`);
}

function instantIn(text: string): Date {
  const instant = new Date(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(instant.getTime())) return instant;
  throw new Error(`--expires: ${text} is no instant such as 2027-01-31T00:00:00Z`);
}

export function accountIn(text: string): Uuid {
  const accountId = uuidOf('acc', text);
  if (accountId) return accountId;
  throw new Error(`--account: ${text} is no account id (acc_...)`);
}

function scopesOf(text: string, app: INestApplicationContext): string[] {
  const all = [...SCOPES, ...app.get(ExtensionScopes).all];
  const scopes = text.split(/[\s,]+/).filter(Boolean);
  const unknown = scopes.filter((scope) => !all.includes(scope));
  if (unknown.length === 0 && scopes.length > 0) return scopes;
  throw new Error(`--scope: ${unknown.join(' ') || 'empty'}; known are: ${all.join(' ')}`);
}
