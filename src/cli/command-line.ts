import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Command } from 'commander';
import { accountCommands } from './account-commands.js';
import { AppModule } from '../app.module.js';
import { givenDatabase, openDatabase, prepareGateways, platformOptions } from '../boot.js';
import { clientCommands } from './client-commands.js';
import { recordCommand } from './command-log.js';
import type { CommandCaller, CommandContext, DatabaseWork, Json } from './command-context.js';
import { addDatabaseCommands } from './database-commands.js';
import { addServiceCommands } from './service-commands.js';
import { Installation } from '../extensions/installation.js';
import { DomainError } from '../kernel/domain-error.js';
import { addGatewayCommands } from './gateway-commands.js';
import { addMoneyCommands } from './money-commands.js';
import { loadConfig } from '../platform/config/config.js';
import { EmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.js';
import { migrate } from '../platform/database/migrate.js';
import { createLog, type Log } from '../platform/observability/log.js';
import { addUpkeepCommands } from './upkeep-commands.js';

/** @returns 0; 1 when it has found something wrong; 2 when it could not be done */
export async function runCommand(args: readonly string[], caller: CommandCaller): Promise<number> {
  try {
    const installation = await Installation.read(caller.environment, caller.folder);
    const run = new CommandRun(caller, installation);
    await run.program().parseAsync(args, { from: 'user' });
    return run.code;
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    caller.warn(error instanceof DomainError ? error.detail : message);
    return 2;
  }
}

export class CommandRun implements CommandContext {
  code = 0;
  readonly log: Log;
  private running!: Command;

  constructor(
    readonly caller: CommandCaller,
    private readonly installation = new Installation(),
  ) {
    this.log = createLog('error', { write: (line) => caller.warn(line.trimEnd()) });
  }

  program(): Command {
    const program = new Command('quittance')
      .description('Operate a Quittance service.')
      .hook('preAction', (_program, command) => {
        this.running = command;
        // A command above it may have the same option, and then it is that one which gets it.
        if (command.optsWithGlobals<Partial<Json>>().json) command.setOptionValue('json', true);
      });
    addServiceCommands(program, this);
    program.addCommand(accountCommands(this));
    program.addCommand(clientCommands(this));
    addUpkeepCommands(program, this);
    addMoneyCommands(program, this);
    addGatewayCommands(program, this);
    addDatabaseCommands(program, this);
    for (const { name, commands } of this.installation.extensions) {
      if (!commands) continue;
      if (program.commands.some((ours) => ours.name() === name)) {
        throw new Error(`QUITTANCE_EXTENSIONS: ${name} has commands, and is a command of ours.`);
      }
      const own = new Command(name).description(`commands of the extension ${name}`);
      for (const command of commands(this)) own.addCommand(command);
      program.addCommand(own);
    }
    return program;
  }

  /** The database of the running service, or one started for this command. */
  readonly withDatabase = async (work: DatabaseWork): Promise<void> => {
    const { environment, folder } = this.caller;
    const { installation } = this;
    const config = await loadConfig(environment, folder, installation.providers);
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
    await this.withDatabase(async (urls, config, installation) => {
      await migrate(urls, installation.migrated);
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

  readonly fail = (): void => {
    this.code = 1;
  };
}
