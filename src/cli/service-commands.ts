import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { runDemoWebhook } from '../demo/demo-delivery.js';
import { becomeService } from './service-process.js';

/** The service itself, and events for its demo. */
export function addServiceCommands(program: Command, { caller, fail }: CommandContext): void {
  program
    .command('start')
    .description('run the service: docs/configuration.md has its variables')
    .action(becomeService);
  program
    .command('demo-webhook [words...]')
    .description("send the demo a provider's signed event")
    .option('--forged', 'with a signature that is wrong')
    .action(async (words: string[], { forged }: { forged?: true }) => {
      const code = await runDemoWebhook([...words, ...(forged ? ['--forged'] : [])], caller);
      if (code !== 0) fail();
    });
}
