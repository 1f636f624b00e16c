import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandRun } from '../../src/cli/command-line.js';
import { signedByStripe, stripePayment } from '../e2e/gateways/stripe-events.js';
import { exportOf } from '../migration/exports.js';
import { bankFixture } from '../support/bank-files.js';
import type { TestClient } from '../support/client.js';
import { startTestService, type TestService } from '../support/service.js';
import { aPlace, type Place } from './program.js';

// Every command prints JSON when it is asked to, wherever --json stands.

const NO_ONE = 'plink_01k9x3v7e8f2r4t6y8w0a1b2c3';
/** They have the option, and another test runs them with it. */
const ELSEWHERE: Record<string, string> = {
  backup: 'backup.e2e-spec.ts has an embedded database',
  restore: 'the same',
  'backups key': 'backup-store.e2e-spec.ts has a store',
  'backups list': 'the same',
  'backups verify': 'the same',
  'backups send': 'the same',
  'backups fetch': 'the same',
  'files move': 'files.e2e-spec.ts has a store',
  'files verify': 'the same',
  'files prune': 'the same',
  'archive write': 'archive.e2e-spec.ts has a closed year',
  'archive verify': 'the same',
  'demo-webhook': 'first-start.e2e-spec.ts has a demo',
  listen: 'event-commands.e2e-spec.ts has a receiver',
};
/** They have no such option. */
const WITHOUT: Record<string, string> = {
  start: 'is the service, whose log is JSON already',
  completion: 'prints a script for a shell',
  mcp: 'speaks the protocol of agents',
};

/** All that do something, by names such as `gateway-events show`. */
function commandsBelow(command: Command, above: string[] = []): [name: string, Command][] {
  const path = [...above, command.name()];
  const own = '_actionHandler' in command && command._actionHandler;
  return [
    ...(own ? [[path.join(' '), command] satisfies [string, Command]] : []),
    ...command.commands.flatMap((one) => commandsBelow(one, path)),
  ];
}

let service: TestService;
let place: Place;
let client: TestClient;
let commands: Record<string, string[]>;
beforeAll(async () => {
  service = await startTestService();
  place = await aPlace();
  // Two accounts: a call that names nobody's link is the operator's.
  await service.aClient();
  client = await service.aClient();
  const { intent } = stripePayment({ amount: 500, currency: 'EUR' }, service.clock.now());
  for (const event of [
    intent,
    stripePayment({ id: NO_ONE, amount: 700, currency: 'EUR' }, service.clock.now()).intent,
  ]) {
    const delivery = signedByStripe(event, service.clock.now());
    await service.call('/v1/webhooks/gateway-a', { method: 'POST', ...delivery });
  }
  const [receipt] = await service.database.query<{ id: string }>(
    'SELECT provider_payment_id AS id FROM provider_receipts WHERE account_id IS NULL',
  );
  const { data } = (await json(['gateway-events'], 'after')) as { data: { id: string }[] };
  const event = data[0]?.id ?? '';
  const file = join(place.folder, 'statement.xml');
  writeFileSync(file, bankFixture('camt053-v02.xml'));
  const account = ['--account', client.accountId];
  const made = (await json(['client', 'create', ...account], 'after')) as { client_id: string };
  commands = {
    'account list': [],
    'account create': ['--name', 'Another'],
    'client create': account,
    'client list': account,
    'client rename': [made.client_id, 'other'],
    'client limit': [made.client_id, '--anywhere'],
    'client rotate': [made.client_id],
    'client revoke': [made.client_id],
    migrate: [],
    upgrade: ['--check'],
    doctor: [],
    status: [],
    integrity: [],
    audit: [],
    receipts: [],
    'receipts claim': ['gateway-a', receipt?.id ?? '', ...account],
    'bank-statements import': [file, ...account],
    'gateway-events': [],
    'gateway-events show': [event],
    'gateway-events replay': [event],
    'deliveries held': [],
    'deliveries release': [],
    'deliveries drop': [],
    'schedules held': [],
    'schedules release': [],
    release: [],
    'erasures lost': [],
    'erasures repeat': [],
    restored: ['--nothing-lost'],
    'database-url': [],
    events: [],
    trigger: ['document.created'],
    'migrate-from': ['csv', exportOf('csv')],
  };
});
afterAll(async () => {
  await place.remove();
  await service.close();
});

const settings = () => ({
  DATABASE_URL: service.database.url,
  // restored is the owner's.
  DATABASE_OWNER_URL: service.database.ownerUrl,
  QUITTANCE_SECRET: service.config.secrets.join(','),
  QUITTANCE_URL: service.url,
  QUITTANCE_METRICS_PORT: new URL(service.metricsUrl).port,
  QUITTANCE_CLIENT_ID: client.id,
  QUITTANCE_CLIENT_SECRET: client.secret,
});

async function json(args: string[], at: 'before' | 'after'): Promise<unknown> {
  const [first = '', ...rest] = args;
  const line = at === 'after' ? [...args, '--json'] : [first, '--json', ...rest];
  const ended = await place.command(line, settings());
  expect([line, ended.errors, ended.code]).toEqual([line, '', expect.toBeOneOf([0, 1])]);
  return JSON.parse(ended.output) as unknown;
}

describe('the command line', () => {
  const caller = { environment: {}, folder: '/', print: () => {}, warn: () => {} };
  const all = new CommandRun(caller).program().commands.flatMap((one) => commandsBelow(one));

  it('is run here whole', () => {
    const known = [commands, ELSEWHERE, WITHOUT].flatMap((some) => Object.keys(some));
    expect(all.map(([name]) => name).toSorted()).toEqual(known.toSorted());
  });

  it('has --json everywhere, but where there is a reason', () => {
    const without = all.filter(([, { options }]) => !options.some(({ long }) => long === '--json'));
    expect(without.map(([name]) => name).toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  it('prints JSON for each command, with --json at its end', async () => {
    for (const [name, args] of Object.entries(commands)) {
      expect(await json([...name.split(' '), ...args], 'after')).toEqual(expect.any(Object));
    }
  });

  it('prints JSON for a command below another one that has --json itself', async () => {
    for (const name of ['gateway-events show', 'gateway-events replay']) {
      const args = [...name.split(' '), ...(commands[name] ?? [])];
      expect(await json(args, 'before')).toEqual(expect.any(Object));
    }
  });

  it.each([
    ['a value that is none', ['integrity', '--account', 'acme'], 2, 'failed'],
    ['a name that is missing', ['account', 'create', '--name', ' '], 2, 'required'],
    ['what is refused', ['gateway-events', 'show', 'gevt_x'], 2, 'gateway_event_not_found'],
    [
      'what the service refuses',
      ['trigger', 'payment.recorded', '--gateway', 'x'],
      2,
      'gateway_not_found',
    ],
    ['an option that nobody knows', ['integrity', '--acount', 'acc_x'], 1, 'usage'],
    ['an argument that is missing', ['receipts', 'claim'], 1, 'usage'],
    ['a command that is missing', ['client'], 1, 'usage'],
    ['a service that is not there', ['events', '--url', 'http://127.0.0.1:1'], 2, 'no_answer'],
  ])('tells %s by code and sentence', async (_, args, code, expected) => {
    const ended = await place.command([...args, '--json'], settings());
    expect(ended).toMatchObject({ code, output: '' });
    expect(JSON.parse(ended.errors)).toEqual({
      code: expected,
      detail: expect.stringMatching(/\w{3}/),
    });
  });
});
