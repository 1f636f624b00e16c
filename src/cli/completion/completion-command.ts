import { Argument, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { bashScript } from './bash-script.js';
import { type CompletedCommand, completedCommands } from './completed-commands.js';
import { fishScript } from './fish-script.js';
import { zshScript } from './zsh-script.js';

const SCRIPTS: Readonly<Record<string, (commands: readonly CompletedCommand[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script has all words in it: a shell that asked the program would wait for it (decision 280). */
export function addCompletion(program: Command, { caller }: CommandContext): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'which one').choices(Object.keys(SCRIPTS)))
    .action((shell: string) => {
      const script = SCRIPTS[shell]?.(completedCommands(program)) ?? '';
      caller.print(script.trimEnd());
    });
}
