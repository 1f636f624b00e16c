import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { accountCommands } from './account-commands.js';
import { AppModule } from '../app.module.js';
import { givenDatabase, openDatabase, prepareGateways, platformOptions } from '../boot.js';
import { clientCommands } from './client-commands.js';
import { commandName, needsExtensions, recordCommand } from './command-log.js';
import { commandFailure, isOfCommander } from './failure.js';
import { addCompletion } from './completion/completion-command.js';
import type { CommandCaller, CommandContext, DatabaseWork, Json } from './command-context.js';
import { addArchiveCommands } from './archive-commands.js';
import { addBackupStoreCommands } from './backup-store-commands.js';
import { addDatabaseCommands } from './database-commands.js';
import { addDeliveryCommands } from './delivery-commands.js';
import { addReleaseCommands } from './release-commands.js';
import { addScheduleCommands } from './schedule-commands.js';
import { addErasureCommands } from './erasure-commands.js';
import { addEventCommands } from './remote/event-commands.js';
import { addMigrationCommand } from './migration/migration-command.js';
import { addServiceCommands } from './service-commands.js';
import type { Extension } from '../extensions/extension.js';
import { Installation } from '../extensions/installation.js';
import { DomainError } from '../kernel/domain-error.js';
import { addMcpCommand } from './mcp/mcp-command.js';
import type { Progress } from '../kernel/progress.js';
import { addFileCommands } from './file-commands.js';
import { addGatewayCommands } from './gateway-commands.js';
import { addMoneyCommands } from './money-commands.js';
import { type Config, loadConfig } from '../platform/config/config.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { noteRestored } from '../platform/database/backup/restored-mark.js';
import { migrate } from '../platform/database/migrate.js';
import { createLog, type Log } from '../platform/observability/log.js';
import { ownVersion } from '../platform/own-version.js';
import { ProgressLine } from './progress/progress-line.js';
import { addUpkeepCommands } from './upkeep-commands.js';

/** @returns 0; 1 when it has found something wrong, or was called wrongly; 2 when it failed */
export async function runCommand(args: readonly string[], caller: CommandCaller): Promise<number> {
  const isJson = args.includes('--json');
  let run: CommandRun | undefined;
  try {
    const installation = await Installation.readable(caller.environment, caller.folder);
    run = new CommandRun(caller, installation, await ownVersion());
    const program = run.program();
    outputOf(program, run.caller, isJson);
    run.assertOurs(args);
    await program.parseAsync(args, { from: 'user' });
    return run.code;
  } catch (error) {
    const { warn } = run?.caller ?? caller;
    const ofCommander = isOfCommander(error) ? error : undefined;
    if (ofCommander?.exitCode === 0) return 0;
    const failure = commandFailure(error);
    if (isJson) warn(JSON.stringify(failure));
    // Otherwise commander has told it, with what may have been meant.
    else if (!ofCommander) warn(error instanceof DomainError ? error.detail : messageOf(error));
    return ofCommander?.exitCode ?? 2;
  } finally {
    run?.end();
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A command tells its caller how it ends, and never ends the process. */
function outputOf(command: Command, caller: CommandCaller, isJson: boolean): void {
  command.exitOverride().configureOutput({
    writeOut: (text) => caller.print(text.trimEnd()),
    writeErr: (text) => {
      if (!isJson) caller.warn(text.trimEnd());
    },
  });
  for (const below of command.commands) outputOf(below, caller, isJson);
}

export class CommandRun implements CommandContext {
  code = 0;
  readonly log: Log;
  private running!: Command;
  private known: readonly string[] = [];
  /** Why some or all of the extensions are not here. */
  private fault: Error | null;

  readonly caller: CommandCaller;
  private line: ProgressLine | undefined;

  constructor(
    caller: CommandCaller,
    private readonly installation = new Installation(),
    private readonly version = 'unknown',
  ) {
    this.caller = {
      ...caller,
      print: (line) => {
        this.line?.end();
        caller.print(line);
      },
      warn: (line) => {
        this.line?.clear();
        caller.warn(line);
      },
    };
    this.fault = installation.fault;
    this.log = createLog('error', { write: (line) => this.caller.warn(line.trimEnd()) });
  }

  program(): Command {
    const program = new Command('quittance')
      .description('Operate a Quittance service.')
      .version(this.version)
      .hook('preAction', (_program, command) => {
        this.running = command;
        this.goOnWithout(command);
        // A command above it may have the same option, and then it is that one which gets it.
        if (command.optsWithGlobals<Partial<Json>>().json) command.setOptionValue('json', true);
      });
    addServiceCommands(program, this);
    addEventCommands(program, this);
    addMcpCommand(program, this);
    addMigrationCommand(program, this);
    addDeliveryCommands(program, this);
    addScheduleCommands(program, this);
    addReleaseCommands(program, this);
    addErasureCommands(program, this);
    program.addCommand(accountCommands(this));
    program.addCommand(clientCommands(this));
    addUpkeepCommands(program, this);
    addArchiveCommands(program, this);
    addMoneyCommands(program, this);
    addGatewayCommands(program, this);
    addDatabaseCommands(program, this);
    addBackupStoreCommands(program, this);
    addFileCommands(program, this);
    addCompletion(program, this);
    for (const extension of this.installation.extensions) {
      try {
        this.addOwnCommands(program, extension);
      } catch (error) {
        this.fault ??= error as Error;
      }
    }
    this.known = program.commands.map((command) => command.name());
    return program;
  }

  /** @throws the fault, if the command may be one of an extension that could not be read */
  assertOurs([name = 'help']: readonly string[]): void {
    if (!this.fault || name.startsWith('-') || ['help', ...this.known].includes(name)) return;
    throw this.fault;
  }

  private addOwnCommands(program: Command, { name, commands }: Extension): void {
    if (!commands) return;
    if (program.commands.some((ours) => ours.name() === name)) {
      throw new Error(`QUITTANCE_EXTENSIONS: ${name} has commands, and is a command of ours.`);
    }
    const own = new Command(name).description(`commands of the extension ${name}`);
    for (const command of commands(this)) own.addCommand(command);
    program.addCommand(own);
  }

  /** @throws the fault, for a command that may need what could not be read */
  private goOnWithout(command: Command): void {
    if (!this.fault) return;
    if (needsExtensions(command)) throw this.fault;
    const { message } = this.fault;
    this.caller.warn(`${command.name()} runs without what could not be read: ${message}`);
  }

  /** The database of the running service, or one started for this command. */
  readonly withDatabase = async (work: DatabaseWork): Promise<void> => {
    const { environment, folder } = this.caller;
    const { installation } = this;
    const config = installation.fault
      ? await configWithout(this.caller, installation)
      : await loadConfig(environment, folder, installation.providers);
    const running = givenDatabase(config) ?? (await EmbeddedPostgres.urlsOfRunning(config.dataDir));
    if (running) return work(running, config, installation);
    const database = await openDatabase(config, this.log);
    try {
      await work(database.urls, config, installation);
    } finally {
      await database.stop();
    }
  };

  readonly withApp = async (
    work: (app: INestApplicationContext) => Promise<void>,
  ): Promise<void> => {
    await this.withDatabase(async (urls, config, whole) => {
      const installation = needsExtensions(this.running) ? whole : whole.alone;
      await migrate(urls, installation.migrated, this.progress('migrations'));
      if (!config.databaseUrl) await noteRestored(config.dataDir, urls.owner);
      await prepareGateways(config, installation.providers);
      const app = await NestFactory.createApplicationContext(
        AppModule.with(platformOptions(config, this.log, urls.app), installation),
        { logger: false, abortOnError: false },
      );
      try {
        await work(app);
        await recordCommand(app, this.running);
      } finally {
        await app.close();
      }
    });
  };

  readonly print = ({ json }: Json, value: object, text: string): void => {
    this.caller.print(json ? JSON.stringify(value) : text);
  };

  readonly progress = (unit: string): Progress | undefined => {
    const { terminal, environment } = this.caller;
    const { json } = this.running.optsWithGlobals<Partial<Json>>();
    if (!terminal || json || environment['TERM'] === 'dumb') return undefined;
    this.end();
    this.line = new ProgressLine(terminal, commandName(this.running), unit);
    return this.line.show;
  };

  /** Nothing of it stays on the terminal. */
  end(): void {
    this.line?.end();
  }

  readonly fail = (): void => {
    this.code = 1;
  };
}

/** Gateways of providers that could not be read are left out. */
async function configWithout(
  { environment, folder }: CommandCaller,
  { providers }: Installation,
): Promise<Config> {
  const config = await loadConfig(environment, folder);
  const known = new Set(providers.all.map(({ name }) => name));
  const gateways = config.gateways.filter(({ provider }) => known.has(provider));
  return { ...config, gateways };
}
