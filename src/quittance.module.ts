import { type DynamicModule, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { openMigrated, platformOptions, prepareGateways } from './boot.js';
import type { Extension } from './extensions/extension.js';
import { ExtensionsModule } from './extensions/extensions.module.js';
import { Installation } from './extensions/installation.js';
import { ConfigError } from './platform/config/config-error.js';
import { loadConfig } from './platform/config/config.js';
import { JsonAdapter } from './platform/http/answers/json-adapter.js';
import { createLog } from './platform/observability/log.js';
import { prepareHttp } from './prepare-http.js';

export interface QuittanceOptions {
  /** The variables of docs/configuration.md. Default: those of the process. */
  environment?: NodeJS.ProcessEnv;
  /** Paths and the data folder are relative to it. Default: the process's. */
  folder?: string;
  /** Beside those of `QUITTANCE_EXTENSIONS`. */
  extensions?: readonly Extension[];
}

abstract class OpenedDatabase {
  abstract stop(): Promise<void>;
}

const HOW =
  'NestFactory.create(RootModule, new QuittanceAdapter()), then useQuittance(app), then listen';

/** The API and its jobs as a module of an application of one's own. */
@Module({})
export class QuittanceModule implements OnApplicationBootstrap {
  /**
   * Opens the database, and brings its schema up to date.
   * @throws ConfigError for what the operator can set right
   */
  static async forRoot({
    environment = process.env,
    folder = process.cwd(),
    extensions = [],
  }: QuittanceOptions = {}): Promise<DynamicModule> {
    const installation = await Installation.read(environment, folder, extensions);
    const config = await loadConfig(environment, folder, installation.providers);
    await prepareGateways(config, installation.providers);
    const log = createLog(config.logLevel);
    const database = await openMigrated(config, log, installation, () => process.exit(1));
    const app = AppModule.with(platformOptions(config, log, database.urls.app), installation);
    return {
      module: QuittanceModule,
      // With extensions the application has it already.
      imports:
        installation.extensions.length > 0 ? [app] : [app, ExtensionsModule.with(installation)],
      providers: [{ provide: OpenedDatabase, useValue: database }],
    };
  }

  /** @throws ConfigError where the application was made in another way than it has to be */
  constructor(private readonly host: HttpAdapterHost) {
    const { httpAdapter } = host;
    if (httpAdapter && !(httpAdapter instanceof JsonAdapter)) {
      throw new ConfigError(`Quittance needs its adapter: ${HOW}.`);
    }
  }

  onApplicationBootstrap(): void {
    const adapter = this.host.httpAdapter as JsonAdapter | undefined;
    if (!adapter) return;
    if (!adapter.prepared) throw new ConfigError(`Quittance is not prepared: ${HOW}.`);
    adapter.indexRoutes();
  }
}

/** Prepares an application with `QuittanceModule`, whose database ends with it. */
export function useQuittance(app: NestExpressApplication): void {
  prepareHttp(app);
  const { stop } = app.get(OpenedDatabase);
  const close = app.close.bind(app);
  app.close = async () => close().finally(stop);
}
