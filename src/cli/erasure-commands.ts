import type { Command } from 'commander';
import type { KeptErasure } from '../integrity/index.js';
import { publicId } from '../kernel/ids.js';
import { operator } from '../platform/process-identity.js';
import { LostErasures } from '../privacy/index.js';
import type { CommandContext, Json } from './command-context.js';

const NOTHING_KNOWN = 'QUITTANCE_SEAL_HEADS_FILE names no file: nothing here knows who was erased';

/** Erasures after a backup was restored: whoever was erased since is there again. */
export function addErasureCommands(program: Command, context: CommandContext): void {
  const { withApp, print, fail } = context;
  const erasures = program
    .command('erasures')
    .description('customers who were erased, and are there again since a backup was restored');
  erasures
    .command('lost')
    .description('who they are, by the file of heads; exit 1 if there is one')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const lost = app.get(LostErasures);
        const customers = (await lost.list()).map(shown);
        const lines = customers.map(({ account_id: of, customer_id: id }) => `${id} of ${of}`);
        const none = lost.knownFrom === null ? NOTHING_KNOWN : 'nobody who was erased is back';
        print(options, { known_from: lost.knownFrom, customers }, lines.join('\n') || none);
        if (customers.length > 0) fail();
      }),
    );
  erasures
    .command('repeat')
    .description('erase them again; exit 1 where something of one is still open')
    .option('--json', 'print JSON')
    .action((options: Json) =>
      withApp(async (app) => {
        const lost = app.get(LostErasures);
        const { erased, refused } = await lost.repeat(operator());
        const answer = {
          known_from: lost.knownFrom,
          erased: erased.map(shown),
          refused: refused.map((one) => ({ ...shown(one), reason: one.reason })),
        };
        const lines = [
          lost.knownFrom === null ? NOTHING_KNOWN : `${erased.length} erased again`,
          ...answer.refused.map(({ customer_id: id, reason }) => `${id} is still there: ${reason}`),
        ];
        print(options, answer, lines.join('\n'));
        if (refused.length > 0) fail();
      }),
    );
}

const shown = ({ accountId, customerId }: KeptErasure) => ({
  account_id: publicId('acc', accountId),
  customer_id: publicId('cus', customerId),
});
