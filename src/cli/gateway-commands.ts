import type { Command } from 'commander';
import type { CommandContext, Json } from './command-context.js';
import { NO_ACCOUNT, publicId, type Uuid, uuidOf } from '../kernel/ids.js';
import {
  DeliveryReplays,
  GatewayDeliveriesQuery,
  presentGatewayEvent,
  presentWholeGatewayEvent,
  ProviderPayouts,
  GatewayRefusal,
} from '../payments/index.js';
import { byOperator } from '../platform/process-identity.js';

const MOST_SHOWN = 1000;

/** Calls of providers about several accounts, or about nobody that is known: the operator's. */
export function addGatewayCommands(program: Command, context: CommandContext): void {
  const { withApp, print } = context;
  const events = program
    .command('gateway-events')
    .description('calls of providers that are of no single account, newest first')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const query = app.get(GatewayDeliveriesQuery);
        const found = await query.list(NO_ACCOUNT, {}, null, MOST_SHOWN);
        const lines = found.map((one) => {
          const what = [one.gateway, one.outcome, one.problem, ...one.eventTypes].filter(Boolean);
          return `${publicId('gevt', one.id)} ${one.receivedAt.toISOString()} ${what.join(' ')}`;
        });
        print(options, { data: found.map(presentGatewayEvent) }, lines.join('\n') || 'none');
      }),
    );

  events
    .command('show <id>')
    .description('one of them, with its body: always as JSON')
    .option('--json', 'print JSON')
    .action((text: string) =>
      withApp(async (app) => {
        const query = app.get(GatewayDeliveriesQuery);
        const event = await query.get(NO_ACCOUNT, idOf(text));
        const payouts = await app.get(ProviderPayouts).namedIn(event);
        const whole = presentWholeGatewayEvent(event, await query.effectsOf(event), payouts);
        print({ json: true }, whole, '');
      }),
    );

  events
    .command('replay <id>')
    .description('apply one of them again; what is known already changes nothing')
    .option('--json', 'print JSON')
    .action((text: string, options: Json) =>
      withApp(async (app) => {
        const by = byOperator(NO_ACCOUNT);
        const done = await app.get(DeliveryReplays).replay(by, idOf(text));
        const { outcome, problem, isChanged: changed } = done;
        const line = [outcome, problem, changed ? 'changed' : 'nothing changed'];
        print(options, { outcome, problem, changed }, line.filter(Boolean).join(' '));
      }),
    );
}

function idOf(text: string): Uuid {
  const id = uuidOf('gevt', text);
  if (!id) throw GatewayRefusal.gateway_event_not_found.of();
  return id;
}
