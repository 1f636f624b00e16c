import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
import { HeldDeliveries } from '../feed/index.js';
import { HeldMail } from '../mail/index.js';
import { HeldCollections, HeldRefunds } from '../payments/index.js';
import { sayRestored } from '../platform/database/backup/restored-mark.js';
import { migrate } from '../platform/database/migrate.js';
import { HeldSchedules } from '../schedules/index.js';
import type { CommandContext, Json } from './command-context.js';

/** All that reaches others, and waits after a restore. */
const KINDS = ['mail', 'deliveries', 'schedules', 'collections', 'refunds'] as const;
type Kind = (typeof KINDS)[number];
type Wish = Partial<Record<Kind | 'all' | 'discard', boolean>>;

interface Waiting {
  held: boolean;
  /** All that would leave with the word. */
  count: number;
  oldest: Date | null;
}

/** How much waits of a kind, and the words that end it. */
interface Gate {
  survey(): Promise<Waiting>;
  release(): Promise<unknown>;
  discard?(): Promise<unknown>;
}

export function addReleaseCommands(program: Command, context: CommandContext): void {
  const { withApp, withDatabase, print } = context;
  program
    .command('release')
    .description('what waits for your word since a restore; and, by kind, let it go')
    .option('--mail', 'messages that were queued: most have left since the backup')
    .option('--deliveries', 'webhook deliveries, with their ids of then')
    .option('--schedules', 'schedules, reminders and statements')
    .option('--collections', 'debits by mandates, and those that are tried again')
    .option('--refunds', 'refunds that no provider has')
    .option('--all', 'all of them')
    .option('--discard', 'with --mail or --deliveries: they never leave')
    .option('--json', 'print JSON')
    .action((wish: Wish & Json) => {
      const kinds = KINDS.filter((kind) => wish[kind] || wish.all);
      refuseUnclear(kinds, wish);
      return withApp(async (app) => {
        const gates = gatesOf(app);
        for (const kind of kinds) {
          await (wish.discard ? gates[kind].discard?.() : gates[kind].release());
        }
        const shown: Record<string, object> = {};
        const lines: string[] = [];
        for (const kind of KINDS) {
          const { held, count, oldest } = await gates[kind].survey();
          shown[kind] = { held, count, oldest: oldest?.toISOString() ?? null };
          lines.push(lineOf(kind, { held, count, oldest }));
        }
        print(wish, shown, lines.join('\n'));
      });
    });

  program
    .command('restored')
    .description('before the first start on a server that was restored: what reaches others waits')
    .option('--nothing-lost', 'a standby took over with all that was committed: nothing waits')
    .option('--json', 'print JSON')
    .action(({ nothingLost = false, ...options }: { nothingLost?: boolean } & Json) =>
      withDatabase(async (urls, _config, installation) => {
        await migrate(urls, installation.migrated);
        await sayRestored(urls.owner, nothingLost);
        const text = nothingLost ? 'its history goes on' : 'what reaches others waits: see release';
        print(options, { nothing_lost: nothingLost }, text);
      }),
    );
}

/** A word too much must not send what was to be dropped. */
function refuseUnclear(kinds: readonly Kind[], { discard, all }: Wish): void {
  if (!discard) return;
  const others = kinds.filter((kind) => kind !== 'mail' && kind !== 'deliveries');
  if (kinds.length > 0 && others.length === 0 && !all) return;
  throw new Error('--discard goes with --mail and --deliveries: nothing else is thrown away.');
}

function queued({ held, oldest }: { held: number; oldest: Date | null }): Waiting {
  return { held: held > 0, count: held, oldest };
}

function dueOf({ held, due }: { held: boolean; due: number }): Waiting {
  return { held, count: held ? due : 0, oldest: null };
}

function gatesOf(app: INestApplicationContext): Record<Kind, Gate> {
  const [mail, deliveries] = [app.get(HeldMail), app.get(HeldDeliveries)];
  const [schedules, collections] = [app.get(HeldSchedules), app.get(HeldCollections)];
  const refunds = app.get(HeldRefunds);
  return {
    mail: {
      survey: async () => queued(await mail.survey()),
      release: async () => mail.release(),
      discard: async () => mail.discard(),
    },
    deliveries: {
      survey: async () => queued(await deliveries.survey()),
      release: async () => deliveries.release(),
      discard: async () => deliveries.drop(),
    },
    schedules: {
      survey: async () => dueOf(await schedules.survey()),
      release: async () => schedules.release(),
    },
    collections: {
      survey: async () => dueOf(await collections.survey()),
      release: async () => collections.release(),
    },
    refunds: {
      survey: async () => {
        const { held, count, oldest } = await refunds.survey();
        return { held, count: held ? count : 0, oldest: held ? oldest : null };
      },
      release: async () => refunds.release(),
    },
  };
}

function lineOf(kind: Kind, { held, count, oldest }: Waiting): string {
  if (!held) return `${kind}: nothing waits`;
  const since = oldest ? `, the oldest of ${oldest.toISOString()}` : '';
  const discard = kind === 'mail' || kind === 'deliveries' ? ', with --discard to drop them' : '';
  return `${kind}: ${count} wait${since}; release --${kind}${discard}`;
}
