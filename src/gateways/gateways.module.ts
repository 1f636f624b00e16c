import { Global, Module } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Gateways, PaymentsModule } from '../payments/index.js';
import { Config } from '../platform/config/config.js';
import { configuredGateways } from './configured-gateways.js';
import { SandboxController } from './sandbox/sandbox.controller.js';

/** Global: payments use the gateways, and know nothing of the providers. */
@Global()
@Module({
  imports: [PaymentsModule],
  controllers: [SandboxController],
  providers: [
    {
      provide: Gateways,
      inject: [Config, Clock],
      useFactory: (config: Config, clock: Clock) => new Gateways(configuredGateways(config, clock)),
    },
  ],
  exports: [Gateways],
})
export class GatewaysModule {}
