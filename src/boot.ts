import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { createPayPalDemoCertificates } from './demo/paypal-demo-certificates.js';
import { PdfRenderer } from './documents/index.js';
import { SystemClock } from './kernel/clock.js';
import { UuidV7Generator } from './kernel/ids.js';
import { ConfigError } from './platform/config/config-error.js';
import type { Config } from './platform/config/config.js';
import { EmbeddedPostgres } from './platform/database/embedded-postgres.js';
import { migrate } from './platform/database/migrate.js';
import { useBodyParsers } from './platform/http/body-parsers.js';
import { useDocs } from './platform/http/docs.js';
import { useRequestContext } from './platform/http/request-context.js';
import { Draining } from './platform/observability/draining.js';
import { type Log, NestLog } from './platform/observability/log.js';
import type { Surroundings } from './platform/platform.module.js';

/** The running service. */
export interface Service {
  app: NestExpressApplication;
  /** Where it listens, `http://127.0.0.1:3000`. */
  url: string;
  stop(): Promise<void>;
}

/** A database for this process: the given one, or an embedded one that `stop` ends again. */
export async function openDatabase(
  config: Config,
  log: Log,
  onExit?: (reason: string) => void,
): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.databaseUrl) return { url: config.databaseUrl, stop: async () => undefined };
  const say = (line: string) => log.info({}, line);
  return EmbeddedPostgres.start({ dataDir: config.dataDir, log: say, onExit });
}

/** The demo's PayPal certificates, for the gateways that are configured with them. */
export async function prepareGateways(config: Config): Promise<void> {
  for (const { settings } of config.gateways) {
    if (!settings['demo_key']) continue;
    const folder = dirname(settings['demo_key']);
    await createPayPalDemoCertificates({ folder, environment: 'sandbox' });
  }
}

/** Our usual surroundings; tests pass others. */
export function surroundings(config: Config, log: Log, databaseUrl: string): Surroundings {
  return { config, log, databaseUrl, clock: new SystemClock(), ids: new UuidV7Generator() };
}

/** The HTTP application, ready to listen. */
export async function createApp(given: Surroundings): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.with(given),
    new ExpressAdapter(),
    { bodyParser: false, logger: new NestLog(given.log), abortOnError: false },
  );
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  if (given.config.trustProxy) app.set('trust proxy', 1);
  useRequestContext(app);
  useBodyParsers(app, given.config);
  useDocs(app);
  await app.init();
  return app;
}

/** Database, migrations, application, port: everything but the demo. */
export async function startService(config: Config, log: Log): Promise<Service> {
  const service: { stop?: () => Promise<void> } = {};
  const database = await openDatabase(config, log, (reason) => {
    log.error({ reason }, 'the embedded PostgreSQL ended');
    process.exitCode = 1;
    void service.stop?.();
  });
  try {
    const migrated = await migrate(database.url);
    if (migrated.length > 0) log.info({ migrated }, 'database migrated');
    await prepareGateways(config);
    const app = await createApp(surroundings(config, log, database.url));
    const server = await listen(app, config);
    service.stop = once(async () => {
      await drain(app, server, config.drainSeconds);
      await database.stop();
    });
    warmUp(app, log);
    const { port } = server.address() as AddressInfo;
    return { app, url: `http://127.0.0.1:${port}`, stop: service.stop };
  } catch (error) {
    await database.stop();
    throw error;
  }
}

/** In the background: the first unpacking takes seconds, and nothing but a PDF waits for it. */
function warmUp(app: NestExpressApplication, log: Log): void {
  app
    .get(PdfRenderer)
    .warm()
    .catch((error: unknown) => {
      if (!app.get(Draining).started) log.warn({ error }, 'no PDF can be made; doctor says why');
    });
}

async function listen(app: NestExpressApplication, config: Config): Promise<Server> {
  try {
    return (await app.listen(config.port, config.host)) as Server;
  } catch (error) {
    await app.close();
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new ConfigError(`PORT: ${config.port} is in use on ${config.host}; set another one.`);
  }
}

/** Lets requests under way finish, then ends what is left. */
async function drain(app: NestExpressApplication, server: Server, seconds: number): Promise<void> {
  app.get(Draining).started = true;
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const patience = setTimeout(() => server.closeAllConnections(), seconds * 1000);
  server.close();
  try {
    await app.close();
  } finally {
    clearInterval(idle);
    clearTimeout(patience);
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
