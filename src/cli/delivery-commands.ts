import type { Command } from 'commander';
import { HeldDeliveries } from '../feed/index.js';
import type { CommandContext, Json } from './command-context.js';

/** Deliveries that were on their way when a backup was restored. */
export function addDeliveryCommands(program: Command, { withApp, print }: CommandContext): void {
  const deliveries = program
    .command('deliveries')
    .description('webhook deliveries that wait for your word since a backup was restored');
  deliveries
    .command('held')
    .description('how many wait')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const { held } = await app.get(HeldDeliveries).survey();
        print(options, { held }, `${held} wait`);
      }),
    );
  deliveries
    .command('release')
    .description('send them, also those that had left before: each has its id of then')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const released = await app.get(HeldDeliveries).release();
        print(options, { released }, `${released} are on their way`);
      }),
    );
  deliveries
    .command('drop')
    .description('send none of them; `redeliver` and `replay` still do')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const dropped = await app.get(HeldDeliveries).drop();
        print(options, { dropped }, `${dropped} are dropped`);
      }),
    );
}
