import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { BooksModule } from '../books/index.js';
import { DocumentsModule } from '../documents/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { PAYMENT_EVENTS } from './wire/payment-events.js';
import { GATEWAY_EVENTS } from './port/wire/gateway-events.js';
import { PortModule } from './port/port.module.js';
import { RecordingModule } from './recording/recording.module.js';
import { CollectingModule } from './collecting/collecting.module.js';
import { ReturningModule } from './returning/returning.module.js';
import { InboxModule } from './inbox/inbox.module.js';
import { PaymentsOfDocuments } from './http/payments-of-documents.js';
import { PageEndings } from './application/page-endings.js';
import { PayPages } from './application/pay-pages.service.js';
import { AmountExample } from './http/amount-example.filter.js';
import { PaymentsController } from './http/payments.controller.js';
import { AllocatedPaymentsController } from './http/allocated-payments.controller.js';
import { PaymentStepsController } from './http/payment-steps.controller.js';
import { PaymentSettingsController } from './http/payment-settings.controller.js';
import { PaymentLinksController } from './http/payment-links.controller.js';
import { MandatesController } from './http/mandates.controller.js';
import { RefundsController } from './http/refunds.controller.js';
import { UnmatchedReceiptsController } from './http/unmatched-receipts.controller.js';
import { UnmatchedItemsController } from './http/unmatched-items.controller.js';
import { DisputesController } from './http/disputes.controller.js';
import { AccountGatewaysController } from './http/account-gateways.controller.js';
import { GatewayEventsController } from './http/gateway-events.controller.js';

/** How it is paid: five rooms, each on those before it, and the HTTP of all. */
@Module({
  imports: [
    AuthModule,
    BooksModule,
    DocumentsModule,
    EventsModule,
    PortModule,
    RecordingModule,
    CollectingModule,
    ReturningModule,
    InboxModule,
  ],
  controllers: [
    PaymentsController,
    AllocatedPaymentsController,
    PaymentStepsController,
    PaymentSettingsController,
    PaymentLinksController,
    MandatesController,
    RefundsController,
    UnmatchedReceiptsController,
    UnmatchedItemsController,
    DisputesController,
    AccountGatewaysController,
    GatewayEventsController,
  ],
  providers: [PaymentsOfDocuments, PageEndings, PayPages, AmountExample],
  exports: [PortModule, RecordingModule, CollectingModule, ReturningModule, InboxModule, PayPages],
})
export class PaymentsModule {
  constructor(facts: FactListeners) {
    facts.define(Object.keys({ ...PAYMENT_EVENTS, ...GATEWAY_EVENTS }));
  }
}
