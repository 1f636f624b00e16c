import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Installation } from '../../src/extensions/installation.js';
import type { Providers } from '../../src/gateways/index.js';
import type { Config } from '../../src/platform/config/config.js';
import { createLog, type Log } from '../../src/platform/observability/log.js';
import { Figures } from '../../src/platform/observability/figures.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { MetricsServer } from '../../src/platform/observability/metrics-server.js';
import { ServiceStatus } from '../../src/platform/observability/service-status.js';
import { freePort } from '../../src/testing/service/free-port.js';
import {
  type ClientWish,
  type LinkToPay,
  RunningService,
} from '../../src/testing/service/running-service.js';
import { configForTests } from '../../src/testing/service/service-config.js';
import { TestClock } from '../../src/testing/test-clock.js';
import { TestClient } from './client.js';
import { aDatabase, type TestDatabase } from './database.js';
import { CACHE_FOLDER, PAYPAL_FOLDER } from './folders.js';
import { expectEventsAsDefined } from './events.js';
import { DescribedAnswers } from './described-answers.js';
import { type Answer, call, type Call, observers } from './http.js';
import { expectOneConnection, watchConnections } from './one-connection.js';

/*
 * The whole service on a database of its own, over real HTTP. Usage:
 *
 *   let service: TestService;
 *   beforeAll(async () => { service = await startTestService(); });
 *   afterAll(() => service.close());
 *
 *   const client = await service.aClient();                    // a new account, every scope
 *   const reader = await service.aClient({ scopes: ['documents:read'], of: client });
 *   const invoice = await client.anInvoice({ lines: 3 });      // issued; a quote: client.aQuote()
 *   const paid = await client.pay(invoice, { amount: 2500 });  // paid.status, paid.body, paid.text
 *   await client.post(path, body, { 'Idempotency-Key': 'k' }); // get, post, patch, delete: with bearer
 *
 *   const token = await client.aPortalToken(invoice);
 *   await service.call(`/v1/portal/${token}/reject`, { method: 'POST', body: { reason: 'No' } });
 *
 *   const link = await client.aPaymentLink(invoice, { gateway: 'gateway-b', amount: 500 });
 *   await service.deliverPaid(link);                           // really signed, as the provider
 *   const { body, headers } = service.paidDelivery(link);      // to change or repeat it
 *
 *   await service.database.query('SELECT ...', [value]);       // bigint as bigint
 *   service.clock.advance({ days: 31 });
 */

export interface TestService {
  /** `http://127.0.0.1:<port>`, also the configured base URL. */
  url: string;
  app: NestExpressApplication;
  config: Config;
  clock: TestClock;
  database: TestDatabase;
  /** A request without any credentials. */
  call<Body = Record<string, unknown>>(path: string, request?: Call): Promise<Answer<Body>>;
  /** The text for Prometheus, at a port of its own. */
  metrics(): Promise<Answer<Record<string, unknown>>>;
  /** `http://127.0.0.1:9464/metrics`: `/status` lies beside it. */
  metricsUrl: string;
  /** A new client: of a new account, or of the account of another client. */
  aClient(wish?: ClientWish): Promise<TestClient>;
  /** The delivery of the link's provider when it was paid; `amount` in minor units. */
  paidDelivery(link: LinkToPay, amount?: number): { body: string; headers: Record<string, string> };
  /** Sends it to the webhook of the link's gateway, or of `to`. */
  deliverPaid(
    link: LinkToPay,
    amount?: number,
  ): Promise<Answer<{ status?: string; code?: string }>>;
  close(): Promise<void>;
}

/** Every field is a test's to override; a log of one's own takes what would be printed. */
export type ServiceWish = Partial<Config> & {
  clock?: TestClock;
  log?: Log;
  providers?: Providers;
  installation?: Installation;
  /** An own database to start on, which `close` leaves alone: two services on one database. */
  database?: TestDatabase;
};

export async function startTestService(wish: ServiceWish = {}): Promise<TestService> {
  const { clock = new TestClock(), log, providers, database: given, ...rest } = wish;
  const { installation = new Installation([], providers), ...overrides } = rest;
  const port = await freePort();
  const config = { ...testConfig(port), ...overrides };
  const database = given ?? (await aDatabase());
  const serviceLog = log ?? createLog(config.logLevel);
  const running = await RunningService.start({
    config,
    clock,
    installation,
    log: serviceLog,
    databaseUrl: database.url,
    send: call,
  });
  const { app, url } = running;
  watchConnections({ app });
  const { registry } = app.get(Metrics);
  const status = app.get(ServiceStatus);
  // A test sees at once what it has done.
  app.get(Figures).keptMs = 0;
  const place = { host: '127.0.0.1', port: 0 };
  const metrics = await MetricsServer.start(place, serviceLog, {
    metrics: () => registry.metrics(),
    status: () => status.report(),
  });
  observers.set(url, asDescribed(await DescribedAnswers.load()));
  return {
    url,
    app,
    config,
    clock,
    database,
    call: running.call.bind(running),
    paidDelivery: running.paidDelivery.bind(running),
    deliverPaid: running.deliverPaid.bind(running),
    aClient: async (of) => new TestClient(url, clock, await running.credentials(of)),
    metrics: async () => call(metrics.url),
    metricsUrl: metrics.url,
    close: async () => {
      observers.delete(url);
      await metrics.stop();
      await running.stop();
      if (config.dataDir !== overrides.dataDir)
        await rm(config.dataDir, { recursive: true, force: true });
      try {
        expectOneConnection();
        if (!given) await expectEventsAsDefined(database);
      } finally {
        if (!given) await database.drop();
      }
    },
  };
}

const asDescribed =
  (described: DescribedAnswers) => (method: string, url: string, answer: Answer<unknown>) => {
    const differences = described.differences(method, url, answer);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  };

/** With gateways whose secrets are of the tests. */
export function testConfig(port: number): Config {
  // Of each service its own: the sandbox keeps its payments there.
  const dataDir = join(tmpdir(), `quittance-test-${randomUUID()}`);
  return {
    ...configForTests(port, dataDir),
    cacheDir: CACHE_FOLDER,
    gateways: [
      {
        name: 'gateway-a',
        provider: 'stripe',
        accounts: '*',
        settings: { webhook_secret: 'whsec_of_the_tests' },
      },
      {
        name: 'gateway-b',
        provider: 'paypal',
        accounts: '*',
        settings: {
          environment: 'sandbox',
          webhook_id: 'WH-TEST',
          certificates: join(PAYPAL_FOLDER, 'certificates.pem'),
          anchors: join(PAYPAL_FOLDER, 'anchors.pem'),
          demo_key: join(PAYPAL_FOLDER, 'leaf-key.pem'),
        },
      },
      {
        name: 'sandbox',
        provider: 'sandbox',
        accounts: '*',
        settings: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
      },
    ],
  };
}
