import { Argument, type Command } from 'commander';
import { newStandardSecret, standardKeyOf } from '../../kernel/standard-webhook.js';
import type { CommandContext, Json } from '../command-context.js';
import { type FollowedEvent, followedEvents, presentPlace } from './followed-events.js';
import { Forwarding, forwardTarget } from './forwarding.js';
import { remoteCommand, type RemoteOptions, RemoteService } from './remote-service.js';
import { Trial, TRIGGERS } from './triggers.js';

interface Following extends RemoteOptions, Json {
  types?: string;
  limit?: string;
}

const SHOWN = 20;
/** A trigger waits so long for its event. */
const CAUSED_WITHIN_MS = 30_000;

/** Events of one account of a running service, for whoever builds on them. */
export function addEventCommands(program: Command, context: CommandContext): void {
  addEvents(program, context);
  addListen(program, context);
  addTrigger(program, context);
}

function addEvents(program: Command, { caller, print }: CommandContext): void {
  remoteCommand(program.command('events').description('events of an account, newest first'))
    .option('--follow', 'go on with those that happen from now on, in their order')
    .option('--types <types>', 'such as document.paid,payment.*')
    .option('--limit <count>', 'so many; of --follow: then it ends')
    .option('--json', 'print JSON; of --follow: a line for each')
    .action(async (options: Following & { follow?: true }) => {
      const limit = countIn(options.limit);
      const service = await RemoteService.of(options, caller);
      if (!options.follow) {
        const { types } = options;
        const count = String(limit ?? SHOWN);
        const query = new URLSearchParams({ limit: count, ...(types && { types }) });
        const page = await service.get<{ data: FollowedEvent[] }>(`/v1/events?${query}`);
        return print(options, { data: page.data }, page.data.map(lineOf).join('\n') || 'none');
      }
      const after = await presentPlace(service);
      caller.warn(`following ${service.url}`);
      let left = limit ?? Infinity;
      for await (const event of followedEvents(service, { ...options, after }, caller.warn)) {
        print(options, event, lineOf(event));
        if ((left -= 1) <= 0) return undefined;
      }
      return undefined;
    });
}

function addListen(program: Command, { caller, print }: CommandContext): void {
  remoteCommand(
    program.command('listen').description('post events of an account to a port of this machine'),
  )
    .requiredOption('--forward-to <place>', 'such as localhost:4242/webhooks; nowhere else')
    .option('--secret <secret>', 'whsec_...; else one is made, and printed')
    .option('--types <types>', 'such as document.paid,payment.*')
    .option('--limit <count>', 'then it ends')
    .option('--json', 'print a line of JSON for each')
    .action(async (options: Following & { forwardTo: string; secret?: string }) => {
      const target = forwardTarget(options.forwardTo);
      const secret = options.secret ?? newStandardSecret();
      if (!standardKeyOf(secret)) throw new Error('--secret: must be whsec_ and base64.');
      let left = countIn(options.limit) ?? Infinity;
      const service = await RemoteService.of(options, caller);
      const after = await presentPlace(service);
      const forwarding = new Forwarding(target, secret, caller.warn);
      print(options, { secret, forward_to: target.href }, `secret  ${secret}`);
      caller.warn(`events of ${service.url} are posted to ${target.href}`);
      for await (const event of followedEvents(service, { ...options, after }, caller.warn)) {
        const status = await forwarding.forward(event);
        const { id, type } = event;
        print(options, { id, type, status }, `${status}  ${lineOf(event)}`);
        if ((left -= 1) <= 0) return;
      }
    });
}

function addTrigger(program: Command, { caller, print }: CommandContext): void {
  remoteCommand(
    program.command('trigger').description('make a fact happen on an account for trying'),
  )
    .addArgument(typeArgument())
    .option('--gateway <name>', 'a sandbox', 'sandbox')
    .option('--json', 'print JSON')
    .action(
      async (type: string | undefined, options: RemoteOptions & Json & { gateway: string }) => {
        const types = Object.keys(TRIGGERS);
        if (type === undefined) return print(options, { types }, types.join('\n'));
        const cause = Object.hasOwn(TRIGGERS, type) ? TRIGGERS[type] : undefined;
        if (!cause) throw new Error(`${type} is none of ${types.join(', ')}`);
        const service = await RemoteService.of(options, caller);
        const trial = new Trial(service, options.gateway);
        await trial.assertForTrying();
        const after = await presentPlace(service);
        await cause(trial);
        const event = await caused(service, { after, types: type }, caller.warn);
        return print(options, event, lineOf(event));
      },
    );
}

/** Help and completion tell the types; others are refused in words of ours. */
function typeArgument(): Argument {
  const described = 'of the event; without one: all that can be triggered';
  return Object.assign(new Argument('[type]', described), { argChoices: Object.keys(TRIGGERS) });
}

/** The first event of a type from a place on. @throws Error where it does not come in time */
async function caused(
  service: RemoteService,
  from: { after: string; types: string },
  tell: (line: string) => void,
): Promise<FollowedEvent> {
  const events = followedEvents(service, from, tell);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no ${from.types} came`)), CAUSED_WITHIN_MS);
  });
  try {
    const { value } = await Promise.race([events.next(), tooLate]);
    return value as FollowedEvent;
  } finally {
    clearTimeout(timer);
  }
}

function countIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(text)) return parseInt(text, 10);
  throw new Error('--limit: must be a whole number above 0.');
}

function lineOf({ occurred_at: at, id, type, document_id: document }: FollowedEvent): string {
  return [at, id, type, document].filter(Boolean).join('  ');
}
