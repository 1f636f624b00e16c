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
import { Providers } from '../gateways/index.js';
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
  const run = new CommandRun(caller);
  try {
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

  constructor(readonly caller: CommandCaller) {
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
    program.addCommand(accountCommands(this));
    program.addCommand(clientCommands(this));
    addUpkeepCommands(program, this);
    addMoneyCommands(program, this);
    addGatewayCommands(program, this);
    addDatabaseCommands(program, this);
    return program;
  }

  /** The database of the running service, or one started for this command. */
  readonly withDatabase = async (work: DatabaseWork): Promise<void> => {
    const { environment, folder } = this.caller;
    const providers = await Providers.installed(environment, folder);
    const config = await loadConfig(environment, folder, providers);
    const running = givenDatabase(config) ?? (await EmbeddedPostgres.urlsOfRunning(config.dataDir));
    if (running) return work(running, config, providers);
    const database = await openDatabase(config, this.log);
    try {
      await work(database.urls, config, providers);
    } finally {
      await database.stop();
    }
  };

  readonly withApp = async (
    work: (app: INestApplicationContext) => Promise<void>,
  ): Promise<void> => {
    await this.withDatabase(async (urls, config, providers) => {
      await migrate(urls);
      await prepareGateways(config, providers);
      const app = await NestFactory.createApplicationContext(
        AppModule.with(platformOptions(config, this.log, urls.app), providers),
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
