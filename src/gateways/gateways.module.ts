import { type DynamicModule, Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { BankModule } from '../bank/index.js';
import { DocumentsModule } from '../documents/index.js';
import { Clock } from '../kernel/clock.js';
import { Gateways, OwnGateways, PaymentsModule, ProviderCatalogue } from '../payments/index.js';
import { Config } from '../platform/config/config.js';
import { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import { Metrics } from '../platform/observability/metrics.js';
import { AccountProviderCatalogue } from './account-provider-catalogue.js';
import { configuredGateways } from './configured-gateways.js';
import { Providers } from './providers.js';
import { SandboxOutcomesController } from './sandbox/sandbox-outcomes.controller.js';
import { SandboxTeller } from './sandbox/sandbox-teller.js';
import { SandboxMoney } from './sandbox/sandbox-money.js';
import { SandboxThings } from './sandbox/sandbox-things.js';
import { SandboxController } from './sandbox/sandbox.controller.js';
import { SandboxDeliveries } from './sandbox/sandbox-deliveries.js';
import { SandboxSender } from './sandbox/sandbox-sender.js';

/** Global: payments use the gateways, and know nothing of the providers. */
@Module({})
export class GatewaysModule {
  static with(providers: Providers): DynamicModule {
    return {
      module: GatewaysModule,
      global: true,
      imports: [AuthModule, BankModule, DocumentsModule, PaymentsModule],
      controllers: [SandboxController, SandboxOutcomesController],
      providers: [
        SandboxDeliveries,
        SandboxSender,
        SandboxTeller,
        SandboxThings,
        SandboxMoney,
        { provide: Providers, useValue: providers },
        {
          provide: Gateways,
          inject: [Config, Clock, OutgoingClient, Providers, OwnGateways, Metrics],
          useFactory: (
            config: Config,
            clock: Clock,
            outgoing: OutgoingClient,
            { all }: Providers,
            own: OwnGateways,
            metrics: Metrics,
          ) => {
            const watch = metrics.observeProviderCall.bind(metrics);
            const means = { clock, outgoing, watch };
            return new Gateways(configuredGateways(config, means, all), own);
          },
        },
        {
          provide: ProviderCatalogue,
          inject: [Config, Clock, OutgoingClient, Providers, Metrics],
          useFactory: (
            config: Config,
            clock: Clock,
            outgoing: OutgoingClient,
            { all }: Providers,
            metrics: Metrics,
          ) => {
            const watch = metrics.observeProviderCall.bind(metrics);
            return new AccountProviderCatalogue(all, config, clock, outgoing, watch);
          },
        },
      ],
      exports: [Gateways, ProviderCatalogue],
    };
  }
}
