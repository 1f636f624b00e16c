import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Clock } from '../../kernel/clock.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { Deliveries } from '../application/deliveries.service.js';
import { EndpointRefusal } from '../domain/endpoint-refusals.js';
import { DeliveriesQuery } from '../infrastructure/deliveries.query.js';
import { WebhookEndpointsQuery } from '../infrastructure/webhook-endpoints.query.js';
import {
  ListWebhookDeliveriesQuery,
  presentDelivery,
  ReplayWebhooksRequest,
  WebhookDeliveryBody,
  WebhookDeliveryPage,
  WebhookReplayBody,
  WebhookTestBody,
} from '../wire/delivery.js';
import { endpointId } from './endpoint-id.js';

@ApiTags('webhook endpoints')
@Controller('v1/webhook-endpoints/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly deliveries: Deliveries,
    private readonly query: DeliveriesQuery,
    private readonly endpoints: WebhookEndpointsQuery,
    private readonly clock: Clock,
  ) {}

  @Get('deliveries', 'webhooks:manage', {
    summary: 'List deliveries to a webhook endpoint, newest event first',
    description: 'With each try: when, how long it took, and what was answered. Kept 30 days.',
    answers: WebhookDeliveryPage,
    problems: [EndpointRefusal.webhook_endpoint_not_found],
  })
  async listWebhookDeliveries(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Query({ schema: ListWebhookDeliveriesQuery }) query: ListWebhookDeliveriesQuery,
  ) {
    const endpoint = await this.existing(accountId, id);
    const { status } = query;
    return pageById({ list: 'webhook-deliveries', endpoint, status }, query, {
      rows: async (after, count) => this.query.list(accountId, endpoint, status, after, count),
      present: presentDelivery,
      total: async (most) => this.query.count(accountId, endpoint, status, most),
    });
  }

  @Get('deliveries/:event_id', 'webhooks:manage', {
    summary: 'Read a delivery to a webhook endpoint',
    description: 'All that became of one event on its way to the endpoint.',
    answers: WebhookDeliveryBody,
    problems: [
      EndpointRefusal.webhook_endpoint_not_found,
      EndpointRefusal.webhook_delivery_not_found,
    ],
  })
  async getWebhookDelivery(
    @CallerOf() { accountId }: Caller,
    @Param('id') id: string,
    @Param('event_id') event: string,
  ) {
    const endpoint = await this.existing(accountId, id);
    const delivery = await this.query.find(accountId, endpoint, eventId(event));
    if (!delivery) throw EndpointRefusal.webhook_delivery_not_found.of();
    return presentDelivery(delivery);
  }

  @Post('deliveries/:event_id/redeliver', 'webhooks:manage', {
    summary: 'Send an event to a webhook endpoint again',
    description: 'With the same `webhook-id`, and all tries anew.',
    answers: WebhookDeliveryBody,
    problems: [
      EndpointRefusal.webhook_endpoint_not_found,
      EndpointRefusal.webhook_endpoint_disabled,
      EndpointRefusal.webhook_delivery_not_found,
      EndpointRefusal.webhook_delivery_pending,
    ],
  })
  async redeliverWebhook(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Param('event_id') event: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentDelivery, (guard) =>
      this.deliveries.redeliver(byClient(caller), endpointId(id), eventId(event), guard),
    );
  }

  @Post('test', 'webhooks:manage', {
    summary: 'Send a webhook endpoint an event to try it',
    description: 'A `webhook_endpoint.test`, which no other endpoint gets, whatever its types.',
    answers: WebhookTestBody,
    problems: [
      EndpointRefusal.webhook_endpoint_not_found,
      EndpointRefusal.webhook_endpoint_disabled,
    ],
  })
  async testWebhookEndpoint(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    return once.run(presentTest, (guard) =>
      this.deliveries.test(byClient(caller), endpointId(id), guard),
    );
  }

  @Post('replay', 'webhooks:manage', {
    summary: 'Send events of a time to a webhook endpoint again',
    description:
      'What is tried no more, or all that fits its types: also what happened while it was disabled, or before it was there. At most 100,000 at once.',
    example: { from: '2026-11-20T00:00:00Z', which: 'failed' },
    answers: WebhookReplayBody,
    problems: [
      EndpointRefusal.webhook_endpoint_not_found,
      EndpointRefusal.webhook_endpoint_disabled,
      EndpointRefusal.too_many_events_to_replay,
      EndpointRefusal.invalid_replay_time,
      FieldRefusal.validation_failed,
      FieldRefusal.unknown_field,
    ],
  })
  async replayWebhooks(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: ReplayWebhooksRequest }) body: ReplayWebhooksRequest,
    @OnceOnly() once: Once,
  ) {
    const from = new Date(body.from);
    const to = instantIn(body.to) ?? this.clock.serverNow();
    return once.run(
      (events: number) => ({ events }),
      (guard) =>
        this.deliveries.replay(
          byClient(caller),
          endpointId(id),
          { which: body.which ?? 'failed', from, to },
          guard,
        ),
    );
  }

  private async existing(accountId: Uuid, id: string): Promise<Uuid> {
    const endpoint = await this.endpoints.find(accountId, endpointId(id));
    if (!endpoint) throw EndpointRefusal.webhook_endpoint_not_found.of();
    return endpoint.id;
  }
}

function presentTest(event: Uuid): WebhookTestBody {
  return { event_id: publicId('evt', event), type: 'webhook_endpoint.test' };
}

function eventId(text: string): Uuid {
  const id = uuidOf('evt', text);
  if (!id) throw EndpointRefusal.webhook_delivery_not_found.of();
  return id;
}
