import { type DynamicModule, Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/index.js';
import { Clock } from '../kernel/clock.js';
import { Gateways, OwnGateways, PaymentsModule, ProviderCatalogue } from '../payments/index.js';
import { Config } from '../platform/config/config.js';
import { OutgoingClient } from '../platform/http/outgoing/outgoing-client.js';
import { AccountProviderCatalogue } from './account-provider-catalogue.js';
import { configuredGateways } from './configured-gateways.js';
import { Providers } from './providers.js';
import { SandboxController } from './sandbox/sandbox.controller.js';
import { SandboxDeliveries } from './sandbox/sandbox-deliveries.js';

/** Global: payments use the gateways, and know nothing of the providers. */
@Module({})
export class GatewaysModule {
  static with(providers: Providers): DynamicModule {
    return {
      module: GatewaysModule,
      global: true,
      imports: [DocumentsModule, PaymentsModule],
      controllers: [SandboxController],
      providers: [
        SandboxDeliveries,
        { provide: Providers, useValue: providers },
        {
          provide: Gateways,
          inject: [Config, Clock, OutgoingClient, Providers, OwnGateways],
          useFactory: (
            config: Config,
            clock: Clock,
            outgoing: OutgoingClient,
            { all }: Providers,
            own: OwnGateways,
          ) => new Gateways(configuredGateways(config, { clock, outgoing }, all), own),
        },
        {
          provide: ProviderCatalogue,
          inject: [Config, Clock, OutgoingClient, Providers],
          useFactory: (
            config: Config,
            clock: Clock,
            outgoing: OutgoingClient,
            { all }: Providers,
          ) => new AccountProviderCatalogue(all, config, clock, outgoing),
        },
      ],
      exports: [Gateways, ProviderCatalogue],
    };
  }
}
