import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule } from '../events/index.js';
import { Clock } from '../kernel/clock.js';
import { Config } from '../platform/config/config.js';
import { CustomerCredits } from './application/customer-credits.service.js';
import { PaymentLinks } from './application/payment-links.service.js';
import { Payments } from './application/payments.service.js';
import { ProviderPayments } from './application/provider-payments.service.js';
import { Gateways } from './domain/gateways.js';
import { AmountExample } from './http/amount-example.interceptor.js';
import { PaymentLinksController } from './http/payment-links.controller.js';
import { PaymentsController } from './http/payments.controller.js';
import { SandboxController } from './http/sandbox.controller.js';
import { configuredGateways } from './infrastructure/gateways/index.js';
import { IntegrityQuery } from './infrastructure/integrity.query.js';
import { PaymentLinkRepository } from './infrastructure/payment-link.repository.js';
import { PaymentRepository } from './infrastructure/payment.repository.js';
import { PaymentsQuery } from './infrastructure/payments.query.js';
import { ProviderReportRepository } from './infrastructure/provider-report.repository.js';

@Module({
  imports: [DocumentsModule, EventsModule],
  controllers: [PaymentsController, PaymentLinksController, SandboxController],
  providers: [
    Payments,
    CustomerCredits,
    PaymentLinks,
    ProviderPayments,
    PaymentRepository,
    PaymentLinkRepository,
    ProviderReportRepository,
    PaymentsQuery,
    IntegrityQuery,
    AmountExample,
    {
      provide: Gateways,
      inject: [Config, Clock],
      useFactory: (config: Config, clock: Clock) => new Gateways(configuredGateways(config, clock)),
    },
  ],
  exports: [ProviderPayments, PaymentLinks, Gateways, PaymentsQuery, IntegrityQuery],
})
export class PaymentsModule {}
