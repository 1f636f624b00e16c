import type { Argument, Command, Option } from 'commander';

/** A value of an option, or an argument. */
export interface CompletedValue {
  name: string;
  choices: readonly string[];
  isFile: boolean;
  /** All words that follow, up to the next option. */
  isList: boolean;
}

interface CompletedOption {
  /** `-h`, `--help` */
  flags: readonly string[];
  description: string;
  /** Undefined where it takes none. */
  value: CompletedValue | undefined;
}

interface NamedCommand {
  name: string;
  description: string;
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** `gateway-events show`; of the program: empty */
  path: string;
  commands: readonly NamedCommand[];
  options: readonly CompletedOption[];
  values: readonly CompletedValue[];
}

/** Words that no shell reads in another way; others are not offered. */
const PLAIN = /^[\w.,:@%+/-]+$/;

/** All commands, from the tree that runs them: a new one is completed without a line elsewhere. */
export function completedCommands(program: Command): CompletedCommand[] {
  return below(program, '');
}

function below(command: Command, path: string): CompletedCommand[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own: CompletedCommand = {
    path,
    commands: commands.map((one) => ({ name: one.name(), description: firstOf(one) })),
    options: help.visibleOptions(command).map(optionOf),
    values: command.registeredArguments.map((value) => valueOf(value, value.name())),
  };
  const names = commands.map((one) => one.name());
  return [
    own,
    ...commands.flatMap((one) => {
      const at = path === '' ? one.name() : `${path} ${one.name()}`;
      // The command that commander adds is not one of the tree.
      return command.commands.includes(one) ? below(one, at) : [helpBelow(at, names)];
    }),
  ];
}

function helpBelow(path: string, names: readonly string[]): CompletedCommand {
  const value = { name: 'command', choices: names, isFile: false, isList: false };
  return { path, commands: [], options: [], values: [value] };
}

function optionOf(option: Option): CompletedOption {
  const { short, long, description, flags } = option;
  const name = /<([^>.]+)/.exec(flags)?.[1] ?? '';
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    value: option.required ? valueOf(option, name) : undefined,
  };
}

function valueOf(of: Option | Argument, name: string): CompletedValue {
  const choices = (of.argChoices ?? []).filter((choice) => PLAIN.test(choice));
  return { name, choices, isFile: name === 'file', isList: of.variadic };
}

/** Its description, or its name where it has none. */
function firstOf(command: Command): string {
  return command.description() || command.name();
}
