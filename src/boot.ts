import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { createPayPalDemoCertificates } from './demo/paypal-demo-certificates.js';
import { Drain, type Together } from './drain.js';
import { PdfRenderer } from './documents/index.js';
import { Clock, SystemClock } from './kernel/clock.js';
import { UuidV7Generator } from './kernel/ids.js';
import { Installation } from './extensions/installation.js';
import { configuredGateways, Providers } from './gateways/index.js';
import { Gateways, gatewayAccountWarnings } from './payments/index.js';
import { ConfigError } from './platform/config/config-error.js';
import type { Config } from './platform/config/config.js';
import { ScheduledBackups } from './platform/database/backup/scheduled-backups.js';
import { Database } from './platform/database/database.js';
import { faultOf } from './platform/database/database-error.js';
import { EmbeddedPostgres } from './platform/database/embedded/embedded-postgres.js';
import { noteRestored } from './platform/database/backup/restored-mark.js';
import { assertMigrated, migrate } from './platform/database/migrate.js';
import type { DatabaseUrls } from './platform/database/roles.js';
import { OutgoingClient } from './platform/http/outgoing/outgoing-client.js';
import { serverUrl } from './platform/http/server-url.js';
import { JsonAdapter } from './platform/http/answers/json-adapter.js';
import { Figures } from './platform/observability/figures.js';
import { Log, NestLog } from './platform/observability/log.js';
import { Metrics } from './platform/observability/metrics.js';
import { MetricsServer } from './platform/observability/metrics-server.js';
import { Readiness } from './platform/observability/readiness.js';
import { ServiceStatus } from './platform/observability/service-status.js';
import { within } from './platform/within.js';
import { prepareHttp } from './prepare-http.js';
import type { PlatformOptions } from './platform/platform.module.js';

/** After the last request: jobs under way, the pool, Chromium. A part that hangs is left behind. */
const CLOSING_SECONDS = 5;
const DATABASE_SECONDS = 15;

/** The running service. */
export interface Service {
  app: NestExpressApplication;
  /** The address of the server, `http://127.0.0.1:3000`. */
  url: string;
  stop(): Promise<void>;
}

/** The addresses that were configured, if any. */
export function givenDatabase(config: Config): DatabaseUrls | undefined {
  const { databaseUrl: app, databaseOwnerUrl: owner, databaseReaderUrl: reader } = config;
  return app === null ? undefined : { app, owner: owner ?? app, reader };
}

export interface OpenDatabase {
  urls: DatabaseUrls;
  stop(): Promise<void>;
}

/** A database for this process: the given one, or an embedded one that `stop` ends again. */
export async function openDatabase(
  config: Config,
  log: Log,
  onExit?: (reason: string) => void,
): Promise<OpenDatabase> {
  const given = givenDatabase(config);
  if (given) return { urls: given, stop: async () => undefined };
  const say = (line: string) => log.info({}, line);
  return EmbeddedPostgres.start({ dataDir: config.dataDir, log: say, onExit });
}

/** Makes the demo's PayPal certificates where they are configured, and checks every setting. */
export async function prepareGateways(
  config: Config,
  { all }: Providers = new Providers(),
): Promise<void> {
  for (const { settings } of config.gateways) {
    if (!settings['demo_key']) continue;
    const folder = dirname(settings['demo_key']);
    await createPayPalDemoCertificates({ folder, environment: 'sandbox' });
  }
  const outgoing = new OutgoingClient(config.outgoing);
  configuredGateways(config, { clock: new SystemClock(), outgoing }, all);
}

/** Those of a service as it runs; tests pass others. */
export function platformOptions(config: Config, log: Log, databaseUrl: string): PlatformOptions {
  return { config, log, databaseUrl, clock: new SystemClock(), ids: new UuidV7Generator() };
}

/** The HTTP application, ready to listen. */
export async function createApp(
  given: PlatformOptions,
  installation?: Installation,
): Promise<NestExpressApplication> {
  const adapter = new JsonAdapter();
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(given, installation),
    adapter,
    { logger: new NestLog(given.log), abortOnError: false },
  );
  prepareHttp(app);
  await app.init();
  adapter.indexRoutes();
  return app;
}

/** How long a stop may take, before whoever hangs is left behind. */
export function longestStopMs({ drainDelaySeconds, drainSeconds }: Config): number {
  return (drainDelaySeconds + drainSeconds + CLOSING_SECONDS) * 1000;
}

/**
 * The database with its newest schema.
 * @param onExit the embedded one ended by itself
 * @throws ConfigError for what the operator can set right
 */
export async function openMigrated(
  config: Config,
  log: Log,
  installation: Installation,
  onExit: () => void,
): Promise<OpenDatabase> {
  const database = await openDatabase(config, log, (reason) => {
    log.error({ reason }, 'the embedded PostgreSQL ended, and so does the service');
    onExit();
  });
  const stop = () => within(DATABASE_SECONDS * 1000, 'the embedded PostgreSQL', database.stop());
  try {
    const migrated = await schemaFor(config, database.urls, installation).catch(
      (error: unknown) => {
        throw config.databaseUrl ? aboutDatabaseUrl(error) : error;
      },
    );
    if (migrated.length > 0) log.info({ migrated }, 'database migrated');
    if (!config.databaseUrl) await noteRestored(config.dataDir, database.urls.owner);
    return { urls: database.urls, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @returns the migrations that were run; a service that only reads has to find them done */
async function schemaFor(
  { readOnly }: Config,
  urls: DatabaseUrls,
  { migrated }: Installation,
): Promise<string[]> {
  if (!readOnly) return migrate(urls, migrated);
  await assertMigrated(urls.app, migrated);
  return [];
}

/** Parts of a start besides its settings. */
export interface StartOptions {
  /** Awaited before the service calls itself ready. */
  prepare?: (service: Service) => Promise<void>;
  installation?: Installation;
  /** The database that the first of several processes has opened. */
  database?: DatabaseUrls | undefined;
  /** How one of several processes closes the port with the others. */
  together?: Together | undefined;
  /** Aborted when the service shall not start any more. */
  signal?: AbortSignal;
}

/**
 * Database, migrations, application, port.
 * @throws ConfigError for what the operator can set right
 */
export async function startService(
  config: Config,
  log: Log,
  {
    prepare,
    installation = new Installation(),
    database: urls,
    together,
    signal,
  }: StartOptions = {},
): Promise<Service> {
  if (!urls) await prepareGateways(config, installation.providers);
  const service: { stop?: () => Promise<void> } = {};
  const database = urls
    ? { urls, stop: async () => undefined }
    : await openMigrated(config, log, installation, () => {
        // Nothing can be answered any more: whoever supervises us starts us again.
        void Promise.resolve(service.stop?.()).finally(() => process.exit(1));
      });
  try {
    signal?.throwIfAborted();
    const app = await createApp(platformOptions(config, log, database.urls.app), installation);
    service.stop = once(() => app.close().finally(database.stop));
    app.get(Readiness).state = 'starting';
    await warnOfGatewayAccounts(app, log);
    signal?.throwIfAborted();
    const metrics = await serveMetrics(app, config, log);
    const server = await listen(app, config).catch(async (error: unknown) => {
      await metrics?.stop();
      throw error;
    });
    const drain = new Drain(app, server, together);
    const backups = scheduledBackups(app, config, database.urls.owner);
    service.stop = once(async () => {
      const { drainDelaySeconds: delaySeconds, drainSeconds: seconds } = config;
      backups?.stop();
      const drained = drain.run({ delaySeconds, seconds });
      try {
        await within(longestStopMs(config), 'the service', drained);
      } finally {
        await metrics?.stop();
        await database.stop();
      }
    });
    const running = { app, url: serverUrl(server.address() as AddressInfo), stop: service.stop };
    await prepare?.(running);
    signal?.throwIfAborted();
    app.get(Readiness).state = 'ready';
    if (config.doesJobs) warmUp(app, log);
    backups?.start();
    return running;
  } catch (error) {
    await (service.stop ?? database.stop)();
    throw error;
  }
}

/** Of the embedded database, if this process does the jobs. */
function scheduledBackups(
  app: NestExpressApplication,
  config: Config,
  ownerUrl: string,
): ScheduledBackups | undefined {
  const { databaseUrl, doesJobs, backups } = config;
  if (databaseUrl !== null || !doesJobs || backups.hours === 0) return undefined;
  return new ScheduledBackups(
    config,
    ownerUrl,
    app.get(Clock),
    app.get(Log),
    app.get(Metrics),
    app.get(Figures),
  );
}

async function warnOfGatewayAccounts(app: NestExpressApplication, log: Log): Promise<void> {
  const database = app.get(Database);
  const query = database.query.bind(database);
  for (const warning of await gatewayAccountWarnings(app.get(Gateways).all(), query)) {
    log.warn({}, warning);
  }
}

function aboutDatabaseUrl(error: unknown): unknown {
  const fault = faultOf(error);
  if (!fault) return error;
  const { code, message } = error as { code?: string; message?: string };
  if (message?.includes('unsupported startup parameter')) {
    return new ConfigError(
      'DATABASE_URL: it is the address of a pooler in transaction mode; add ?pooler=transaction to it.',
    );
  }
  return new ConfigError(
    fault === 'unreachable' || fault === 'no_privilege'
      ? `DATABASE_URL: the database does not answer (${code ?? 'no connection'}).`
      : `DATABASE_URL: the database cannot be used (${fault}, ${code}): ${message}`,
  );
}

/** In the background: the first unpacking takes seconds, and nothing but a PDF waits for it. */
function warmUp(app: NestExpressApplication, log: Log): void {
  app
    .get(PdfRenderer)
    .warm()
    .catch((error: unknown) => {
      if (app.get(Readiness).state !== 'stopping')
        log.warn({ error }, 'no PDF can be made; doctor says why');
    });
}

async function serveMetrics(
  app: NestExpressApplication,
  { metrics }: Config,
  log: Log,
): Promise<MetricsServer | undefined> {
  if (!metrics) return undefined;
  const { registry } = app.get(Metrics);
  const status = app.get(ServiceStatus);
  const shown = { metrics: () => registry.metrics(), status: () => status.report() };
  try {
    return await MetricsServer.start(metrics, log, shown);
  } catch (error) {
    await app.close();
    throw error;
  }
}

async function listen(app: NestExpressApplication, config: Config): Promise<Server> {
  try {
    return (await app.listen(config.port, config.host)) as Server;
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new ConfigError(`PORT: ${config.port} is in use on ${config.host}; set another one.`);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
