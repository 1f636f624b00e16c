import type { Command } from 'commander';
import type { CommandContext, Json } from './command-context.js';
import { runDemoWebhook } from '../demo/demo-delivery.js';
import { addStatusCommand } from './remote/status-command.js';
import { becomeService } from './service-process.js';

/** The service itself, and events for its demo. */
export function addServiceCommands(program: Command, context: CommandContext): void {
  const { caller, fail } = context;
  addStatusCommand(program, context);
  program
    .command('start')
    .description('run the service: docs/configuration.md has its variables')
    .action(becomeService);
  program
    .command('demo-webhook [words...]')
    .description("send the demo a provider's signed event")
    .option('--forged', 'with a signature that is wrong')
    .option('--json', 'print JSON')
    .action(async (words: string[], { forged, json }: { forged?: true } & Json) => {
      const flags = [...(forged ? ['--forged'] : []), ...(json ? ['--json'] : [])];
      const code = await runDemoWebhook([...words, ...flags], caller);
      if (code !== 0) fail();
    });
}
