import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import pg from 'pg';
import {
  type Provider,
  type ProviderMaker,
  providerMade,
  Providers,
} from '../../gateways/index.js';
import { prepareGateways } from '../../boot.js';
import type { Extension } from '../../extensions/extension.js';
import { Installation } from '../../extensions/installation.js';
import type { Gateway, SampleDelivery } from '../../payments/index.js';
import { ConfigError } from '../../platform/config/config-error.js';
import type { Config } from '../../platform/config/config.js';
import type { GatewayConfig } from '../../platform/config/gateway-config.js';
import { EmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.js';
import { migrate } from '../../platform/database/migrate.js';
import { toUnnamedQuery } from '../../platform/database/sql-statement.js';
import { createLog } from '../../platform/observability/log.js';
import { TestClock } from '../test-clock.js';
import { freePort } from './free-port.js';
import type { ServiceAnswer, ServiceCall } from './http-call.js';
import { type ClientWish, type LinkToPay, RunningService } from './running-service.js';
import { ServiceClient } from './service-client.js';
import { configForTests } from './service-config.js';

export interface TriedGateway {
  provider: string;
  settings: Record<string, string>;
  /** Default: all accounts. */
  accounts?: string;
}

export interface EmbeddedServiceOptions {
  /** Providers beside those of the service; or the default exports of their modules. */
  providers?: readonly (Provider | ProviderMaker)[];
  extensions?: readonly Extension[];
  /** By name, which is the last part of the webhook's address. Default: the sandbox alone. */
  gateways?: Readonly<Record<string, TriedGateway>>;
  /** Default: one that runs from now on. */
  clock?: TestClock;
  /** Other settings than those of tests, by the names of the code: `{ paymentLinkDays: 3 }`. */
  config?: Partial<Config>;
}

const SANDBOX: Record<string, TriedGateway> = {
  sandbox: {
    provider: 'sandbox',
    settings: { webhook_secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
  },
};

/** The whole service for one test, on a PostgreSQL of its own. */
export interface EmbeddedService {
  /** `http://127.0.0.1:<port>` */
  url: string;
  clock: TestClock;
  /** For `app.get(...)`, and no other thing. */
  app: NestExpressApplication;
  /** A new client: of a new account, or of the account of another client. */
  aClient(wish?: ClientWish): Promise<ServiceClient>;
  /** A request without any credentials. */
  call<Body = Record<string, unknown>>(
    path: string,
    request?: ServiceCall,
  ): Promise<ServiceAnswer<Body>>;
  /** An open gateway, for its samples. */
  gateway(name: string): Gateway;
  /** Sends a delivery to the webhook of a gateway. */
  deliver(
    gateway: string,
    delivery: SampleDelivery,
  ): Promise<ServiceAnswer<{ status?: string; code?: string }>>;
  /** The delivery of the link's provider when it was paid; `amount` in minor units. */
  paidDelivery(link: LinkToPay, amount?: number): SampleDelivery;
  /** Has the link's provider tell that it was paid. */
  deliverPaid(
    link: LinkToPay,
    amount?: number,
  ): Promise<ServiceAnswer<{ status?: string; code?: string }>>;
  /** SQL by the owner of all tables. `bigint` is one, and a date is text, as in the service. */
  query<Row extends object = Record<string, unknown>>(
    sql: string,
    values?: unknown[],
  ): Promise<Row[]>;
  /** Ends service and PostgreSQL, and removes their folder. */
  close(): Promise<void>;
}

/**
 * The whole service over real HTTP at a free port, with a PostgreSQL in a folder that `close` removes.
 * @throws ConfigError with a sentence for what is wrong with a provider, or with a gateway's settings
 */
export async function startEmbeddedService(
  options: EmbeddedServiceOptions = {},
): Promise<EmbeddedService> {
  const { clock = new TestClock() } = options;
  const providers = (options.providers ?? []).reduce<Providers>(
    (all, one) => all.with(providerMade(one), (reason) => new ConfigError(`A test ${reason}.`)),
    new Providers(),
  );
  const installation = new Installation(options.extensions, providers);
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-service-'));
  const ends: (() => Promise<unknown>)[] = [
    async () => rm(dataDir, { recursive: true, force: true }),
  ];
  // Also if one of them fails: a PostgreSQL would be left running.
  const close = async () => {
    const failed: unknown[] = [];
    for (let end = ends.pop(); end; end = ends.pop()) {
      await end().catch((error: unknown) => failed.push(error));
    }
    if (failed.length > 0) throw failed[0];
  };
  try {
    const gateways = gatewayConfigsOf(options.gateways ?? SANDBOX);
    const config = { ...configForTests(await freePort(), dataDir), gateways, ...options.config };
    await prepareGateways(config, installation.providers);
    const log = createLog(config.logLevel);
    const say = (line: string) => log.info({}, line);
    const postgres = await EmbeddedPostgres.start({ dataDir, log: say, isDurable: false });
    ends.push(async () => postgres.stop());
    await migrate(postgres.urls, installation.migrated);
    const { app: databaseUrl, owner } = postgres.urls;
    const running = await RunningService.start({ config, log, clock, databaseUrl, installation });
    ends.push(async () => running.stop());
    return { ...doorsOf(running, clock), query: asOwner(owner), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function gatewayConfigsOf(gateways: Readonly<Record<string, TriedGateway>>): GatewayConfig[] {
  return Object.entries(gateways).map(([name, { provider, settings, accounts = '*' }]) => {
    if (typeof settings !== 'object' || settings === null)
      throw new ConfigError(`The gateway ${name} has no settings: give { provider, settings }.`);
    return { name, provider, accounts, settings };
  });
}

function doorsOf(
  running: RunningService,
  clock: TestClock,
): Omit<EmbeddedService, 'query' | 'close'> {
  const { app, url } = running;
  return {
    app,
    url,
    clock,
    aClient: async (wish) => new ServiceClient(url, clock, await running.credentials(wish)),
    call: running.call.bind(running),
    gateway: running.gateway.bind(running),
    deliver: running.deliver.bind(running),
    paidDelivery: running.paidDelivery.bind(running),
    deliverPaid: running.deliverPaid.bind(running),
  };
}

/** Each call has a connection of its own, so that none is left open. */
function asOwner(ownerUrl: string): EmbeddedService['query'] {
  return async <Row extends object>(sql: string, values: unknown[] = []) => {
    const client = new pg.Client(ownerUrl);
    await client.connect();
    try {
      const { rows } = await client.query(toUnnamedQuery({ text: sql, values }));
      return rows as Row[];
    } finally {
      await client.end();
    }
  };
}
