import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type AccountMode, Accounts, ApiClients } from '../../src/auth/index.js';
import { createApp, platformOptions } from '../../src/boot.js';
import { Installation } from '../../src/extensions/installation.js';
import type { Providers } from '../../src/gateways/index.js';
import { publicId, uuidOf } from '../../src/kernel/ids.js';
import { Money } from '../../src/kernel/money.js';
import { Gateways } from '../../src/payments/index.js';
import type { Config } from '../../src/platform/config/config.js';
import { SCOPES } from '../../src/platform/http/access.js';
import { createLog, type Log } from '../../src/platform/observability/log.js';
import { Metrics } from '../../src/platform/observability/metrics.js';
import { MetricsServer } from '../../src/platform/observability/metrics-server.js';
import { byOperator, operator } from '../../src/platform/process-identity.js';
import { TestClient } from './client.js';
import { aDatabase, type TestDatabase } from './database.js';
import { CACHE_FOLDER, PAYPAL_FOLDER } from './folders.js';
import { freePort } from '../../src/testing/service/free-port.js';
import { expectEventsAsDefined } from './events.js';
import { DescribedAnswers } from './described-answers.js';
import { type Answer, call, type Call, observers } from './http.js';
import { TestClock } from '../../src/testing/test-clock.js';

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

interface ClientWish {
  scopes?: readonly string[];
  of?: { accountId: string };
  currency?: string;
  timeZone?: string;
  mode?: AccountMode;
}

type LinkToPay = { id: string; gateway: string; amount: number; currency: string };

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
  const usual = platformOptions(config, log ?? createLog(config.logLevel), database.url);
  const app = await createApp({ ...usual, clock }, installation);
  const server = await app.listen(config.port, config.host);
  // A test that keeps the process busy for seconds finds its connections where it left them.
  server.keepAliveTimeout = 120_000;
  const { url, ...calls } = callsTo(app, clock);
  const { registry } = app.get(Metrics);
  const place = { host: '127.0.0.1', port: 0 };
  const metrics = await MetricsServer.start(place, usual.log, async () => registry.metrics());
  observers.set(url, asDescribed(await DescribedAnswers.load()));
  return {
    url,
    app,
    config,
    clock,
    database,
    ...calls,
    metrics: async () => call(metrics.url),
    close: async () => {
      observers.delete(url);
      server.closeAllConnections();
      await metrics.stop();
      await app.close();
      if (config.dataDir !== overrides.dataDir)
        await rm(config.dataDir, { recursive: true, force: true });
      if (given) return;
      try {
        await expectEventsAsDefined(database);
      } finally {
        await database.drop();
      }
    },
  };
}

const asDescribed =
  (described: DescribedAnswers) => (method: string, url: string, answer: Answer<unknown>) => {
    const differences = described.differences(method, url, answer);
    if (differences.length > 0) throw new Error(differences.join('\n'));
  };

function callsTo(app: NestExpressApplication, clock: TestClock) {
  const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  const paidDelivery: TestService['paidDelivery'] = (link, amount = link.amount) =>
    app
      .get(Gateways)
      .get(link.gateway)
      .samplePaidDelivery(
        { id: link.id, amount: Money.of(BigInt(amount), link.currency) },
        clock.now(),
      );
  return {
    url,
    paidDelivery,
    call: async <Body>(path: string, request?: Call) => call<Body>(`${url}${path}`, request),
    deliverPaid: async (link: LinkToPay, amount?: number) =>
      call<{ status?: string; code?: string }>(`${url}/v1/webhooks/${link.gateway}`, {
        method: 'POST',
        ...paidDelivery(link, amount),
      }),
    aClient: async ({
      scopes = SCOPES,
      of,
      currency = 'EUR',
      timeZone = 'UTC',
      mode = 'test',
    }: ClientWish = {}) => {
      const accounts = app.get(Accounts);
      // The law of the EU would warn of each short invoice of the tests.
      const seller = { country: 'US' };
      const accountId = of
        ? (uuidOf('acc', of.accountId) ?? '')
        : (await accounts.create(operator(), { name: 'Acme', mode, currency, timeZone, seller }))
            .accountId;
      const wish = { name: 'test', scopes };
      const made = await app.get(ApiClients).create(byOperator(accountId), null, wish);
      return new TestClient(url, clock, {
        id: publicId('cli', made.client.clientId),
        secret: made.secret,
        accountId: publicId('acc', accountId),
      });
    },
  };
}

/** Not production, no rate limit, no log; gateways with secrets of the tests. */
export function testConfig(port: number): Config {
  return {
    production: false,
    host: '127.0.0.1',
    port,
    metrics: null,
    baseUrl: `http://127.0.0.1:${port}`,
    // Of each service its own: the sandbox keeps its payments there.
    dataDir: join(tmpdir(), `quittance-test-${randomUUID()}`),
    cacheDir: CACHE_FOLDER,
    databaseUrl: null,
    databaseOwnerUrl: null,
    databaseReaderUrl: null,
    databasePoolSize: 10,
    processes: 1,
    backups: { folder: join(tmpdir(), 'quittance-test-backups'), hours: 0, kept: 7 },
    doesJobs: true,
    lockTimeoutMs: 20_000,
    statementTimeoutMs: 60_000,
    demo: false,
    secrets: ['a test secret of more than thirty-two characters'],
    accessTokenSeconds: 1800,
    refreshTokenDays: 30,
    refreshGraceSeconds: 10,
    refreshFamilyDays: 90,
    portalTokenDays: 90,
    paymentLinkDays: 30,
    idempotencyHours: 72,
    gatewayEventDays: 90,
    // Tests ask themselves, when they mean to.
    checkoutLookUpSeconds: 3600,
    refundLookUpSeconds: 3600,
    sealSeconds: 0,
    sealHeadsFile: null,
    integrityHours: 0,
    // Nobody listens there: tests that send have a server of their own, and send when they mean to.
    mail: { url: 'smtp://127.0.0.1:9', from: 'billing@quittance.example', dkim: null },
    mailSeconds: 0,
    mailLimits: { document: 20, recipient: 50, account: 5000 },
    viesUrl: null,
    rateLimit: null,
    rateBurst: 200,
    failureLimit: 1,
    failureBurst: 20,
    bodyLimitBytes: 102_400,
    documentBodyLimitBytes: 2_097_152,
    webhookBodyLimitBytes: 262_144,
    bodiesInFlightBytes: 67_108_864,
    chromiumPath: null,
    drainDelaySeconds: 0,
    drainSeconds: 1,
    trustProxy: false,
    takesGatewayHosts: true,
    logLevel: 'silent',
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
