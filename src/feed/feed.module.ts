import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { EventsModule, FactListeners } from '../events/index.js';
import { EndpointNotices, MailModule } from '../mail/index.js';
import { Deliveries } from './application/deliveries.service.js';
import { DeliveryCalls } from './application/delivery-calls.js';
import { DeliveryFigures } from './application/delivery-figures.js';
import { DeliveryLanes } from './application/delivery-lanes.js';
import { DeliveryMaker } from './application/delivery-maker.js';
import { DeliverySettlements } from './application/delivery-settlements.js';
import { DeliveryWorker } from './application/delivery-worker.js';
import { EndpointDisabling } from './application/endpoint-disabling.js';
import { HeldDeliveries } from './application/held-deliveries.js';
import { WaitingReaders } from './application/waiting-readers.js';
import { WebhookEndpoints } from './application/webhook-endpoints.service.js';
import { WebhookSecrets } from './application/webhook-secrets.js';
import { EventFollowing } from './application/event-following.js';
import { EventStreamController } from './http/event-stream.controller.js';
import { EventsController } from './http/events.controller.js';
import { WebhookDeliveriesController } from './http/webhook-deliveries.controller.js';
import { WebhookEndpointsController } from './http/webhook-endpoints.controller.js';
import { DeliveriesQuery } from './infrastructure/deliveries.query.js';
import { DeliveryAgainRepository } from './infrastructure/delivery-again.repository.js';
import { DeliveryFiguresQuery } from './infrastructure/delivery-figures.query.js';
import { Presence } from './infrastructure/presence.js';
import { DeliveryQueueRepository } from './infrastructure/delivery-queue.repository.js';
import { HeldDeliveriesRepository } from './infrastructure/held-deliveries.repository.js';
import { WebhookEndpointRepository } from './infrastructure/webhook-endpoint.repository.js';
import { WebhookEndpointsQuery } from './infrastructure/webhook-endpoints.query.js';
import { ENDPOINT_EVENTS } from './wire/endpoint-events.js';

@Module({
  imports: [AuthModule, EventsModule, MailModule],
  controllers: [
    EventStreamController,
    EventsController,
    WebhookDeliveriesController,
    WebhookEndpointsController,
  ],
  providers: [
    EventFollowing,
    WaitingReaders,
    WebhookEndpoints,
    EndpointDisabling,
    WebhookSecrets,
    WebhookEndpointRepository,
    WebhookEndpointsQuery,
    Deliveries,
    DeliveriesQuery,
    DeliveryAgainRepository,
    DeliveryCalls,
    DeliveryFigures,
    DeliveryFiguresQuery,
    DeliveryLanes,
    DeliveryMaker,
    DeliveryQueueRepository,
    Presence,
    DeliverySettlements,
    DeliveryWorker,
    HeldDeliveries,
    HeldDeliveriesRepository,
  ],
})
export class FeedModule {
  constructor(
    facts: FactListeners,
    notices: EndpointNotices,
    endpoints: WebhookEndpointRepository,
  ) {
    facts.define(Object.keys(ENDPOINT_EVENTS));
    notices.findBy((tx, of) => endpoints.urls(tx, of));
  }
}
