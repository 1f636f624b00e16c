import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type AccountMode, Accounts, ApiClients } from '../../auth/index.js';
import { createApp, platformOptions } from '../../boot.js';
import type { Installation } from '../../extensions/installation.js';
import { publicId, uuidOf } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { type Gateway, Gateways, type SampleDelivery } from '../../payments/index.js';
import type { Config } from '../../platform/config/config.js';
import { SCOPES } from '../../platform/http/access.js';
import type { Log } from '../../platform/observability/log.js';
import { byOperator, operator } from '../../platform/process-identity.js';
import type { TestClock } from '../test-clock.js';
import { httpCall, type ServiceAnswer, type ServiceCall } from './http-call.js';
import type { ClientCredentials } from './service-client.js';

export interface ClientWish {
  /** Default: every scope. */
  scopes?: readonly string[];
  /** Of the account of another client; else of a new one. */
  of?: { accountId: string };
  currency?: string;
  timeZone?: string;
  mode?: AccountMode;
}

export interface LinkToPay {
  id: string;
  gateway: string;
  amount: number;
  currency: string;
}

type WebhookAnswer = ServiceAnswer<{ status?: string; code?: string }>;

export interface RunningParts {
  config: Config;
  log: Log;
  clock: TestClock;
  /** A migrated database, by the role of the service. */
  databaseUrl: string;
  installation?: Installation | undefined;
  send?: typeof httpCall;
}

/** The service on a database that is migrated, over real HTTP. */
export class RunningService {
  private constructor(
    readonly app: NestExpressApplication,
    /** `http://127.0.0.1:<port>`, also the configured base URL. */
    readonly url: string,
    private readonly server: Server,
    private readonly clock: TestClock,
    private readonly send: typeof httpCall,
  ) {}

  static async start(parts: RunningParts): Promise<RunningService> {
    const { config, log, clock, databaseUrl, installation, send = httpCall } = parts;
    const usual = platformOptions(config, log, databaseUrl);
    const app = await createApp({ ...usual, clock }, installation);
    const server = (await app.listen(config.port, config.host)) as Server;
    // A test that keeps the process busy for seconds finds its connections where it left them.
    server.keepAliveTimeout = 120_000;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return new RunningService(app, url, server, clock, send);
  }

  /** A request without any credentials. */
  async call<Body = Record<string, unknown>>(
    path: string,
    request?: ServiceCall,
  ): Promise<ServiceAnswer<Body>> {
    return this.send<Body>(`${this.url}${path}`, request);
  }

  /** Of a new client: of a new account, or of the account of another client. */
  async credentials({
    scopes = SCOPES,
    of,
    currency = 'EUR',
    timeZone = 'UTC',
    mode = 'test',
  }: ClientWish = {}): Promise<ClientCredentials> {
    const accounts = this.app.get(Accounts);
    // The law of the EU would warn of each short invoice of the tests.
    const seller = { country: 'US' };
    const accountId = of
      ? (uuidOf('acc', of.accountId) ?? '')
      : (await accounts.create(operator(), { name: 'Acme', mode, currency, timeZone, seller }))
          .accountId;
    const wish = { name: 'test', scopes };
    const { client, secret } = await this.app
      .get(ApiClients)
      .create(byOperator(accountId), null, wish);
    return {
      id: publicId('cli', client.clientId),
      secret,
      accountId: publicId('acc', accountId),
    };
  }

  gateway(name: string): Gateway {
    return this.app.get(Gateways).get(name);
  }

  /** The delivery of the link's provider when it was paid; `amount` in minor units. */
  paidDelivery(link: LinkToPay, amount = link.amount): SampleDelivery {
    const paid = { id: link.id, amount: Money.of(BigInt(amount), link.currency) };
    return this.gateway(link.gateway).samplePaidDelivery(paid, this.clock.serverNow());
  }

  /** Sends a delivery to the webhook of a gateway. */
  async deliver(gateway: string, delivery: SampleDelivery): Promise<WebhookAnswer> {
    return this.call(`/v1/webhooks/${gateway}`, { method: 'POST', ...delivery });
  }

  /** Has the link's provider tell that it was paid. */
  async deliverPaid(link: LinkToPay, amount?: number): Promise<WebhookAnswer> {
    return this.deliver(link.gateway, this.paidDelivery(link, amount));
  }

  async stop(): Promise<void> {
    // Callers that come until the port is closed are not kept.
    this.server.keepAliveTimeout = 1;
    this.server.closeAllConnections();
    await this.app.close();
  }
}
