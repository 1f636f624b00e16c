import { Body, Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { byClient, type Caller, CallerOf } from '../../platform/http/request.js';
import { Get, Post } from '../../platform/http/route.js';
import { NoFields } from '../../platform/http/validation/shapes.js';
import { instantIn } from '../../platform/http/validation/date-fields.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import type { Once } from '../../platform/idempotency/idempotency.js';
import { OnceOnly } from '../../platform/idempotency/once.decorator.js';
import { DeliveryRecord } from '../inbox/application/delivery-record.js';
import { DeliveryReplays } from '../inbox/application/delivery-replays.js';
import { ProviderPayouts } from '../inbox/application/provider-payouts.js';
import type { ReplayedDelivery } from '../inbox/domain/gateway-delivery.js';
import {
  presentGatewayEvent,
  presentWholeGatewayEvent,
  GatewayEventDetailBody,
  GatewayEventPage,
  GatewayEventReplayBody,
  ListGatewayEventsQuery,
} from '../inbox/wire/gateway-event.js';
import { GatewayDeliveriesQuery } from '../inbox/infrastructure/gateway-deliveries.query.js';
import { GatewayRefusal } from '../port/domain/gateway-refusals.js';

/** Verified calls of providers, as they came, and what became of them. */
@ApiTags('gateway events')
@Controller('v1/finance/gateway-events')
export class GatewayEventsController {
  constructor(
    private readonly query: GatewayDeliveriesQuery,
    private readonly record: DeliveryRecord,
    private readonly replays: DeliveryReplays,
    private readonly payouts: ProviderPayouts,
  ) {}

  @Get('', 'payments:read', {
    summary: 'List calls of providers, newest first',
    description:
      'Every call whose signature was good, for as long as the operator keeps them. A call about ' +
      'several accounts is the operator’s.',
    answers: GatewayEventPage,
  })
  async listGatewayEvents(
    @CallerOf() caller: Caller,
    @Query({ schema: ListGatewayEventsQuery }) query: ListGatewayEventsQuery,
  ) {
    const { gateway, outcome, event_type } = query;
    const filter = {
      gateway,
      outcome,
      eventType: event_type,
      from: instantIn(query.received_from),
      to: instantIn(query.received_to),
      paymentId: idIn('pay', query.payment_id),
      documentId: idIn('doc', query.document_id),
    };
    await this.record.written();
    return pageById({ list: 'gateway-events', filter }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, filter, after, count),
      present: presentGatewayEvent,
      total: async (most) => this.query.count(caller.accountId, filter, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a call of a provider',
    description: 'With its body as it came, and all that there is of what it names.',
    answers: GatewayEventDetailBody,
    problems: [GatewayRefusal.gateway_event_not_found],
  })
  async getGatewayEvent(@CallerOf() caller: Caller, @Param('id') id: string) {
    await this.record.written();
    const event = await this.query.get(caller.accountId, gatewayEventId(id));
    const effects = await this.query.effectsOf(event);
    return presentWholeGatewayEvent(event, effects, await this.payouts.namedIn(event));
  }

  @Post(':id/replay', 'payments:write', {
    summary: 'Apply a call of a provider again',
    description:
      'It is read and applied as if the provider had sent it again, whatever its age. What is ' +
      'known already changes nothing. One of more than 20 reports is worked off afterwards: then ' +
      'it is `accepted`.',
    answers: GatewayEventReplayBody,
    problems: [
      GatewayRefusal.gateway_event_not_found,
      GatewayRefusal.gateway_event_unreadable,
      GatewayRefusal.gateway_not_found,
    ],
  })
  async replayGatewayEvent(
    @CallerOf() caller: Caller,
    @Param('id') id: string,
    @Body({ schema: NoFields }) _body: NoFields,
    @OnceOnly() once: Once,
  ) {
    await this.record.written();
    return once.run(presentReplay, (guard) =>
      this.replays.replay(byClient(caller), gatewayEventId(id), guard),
    );
  }
}

function presentReplay({ event, outcome, problem, isChanged }: ReplayedDelivery) {
  return { changed: isChanged, outcome, problem, gateway_event: presentGatewayEvent(event) };
}

function gatewayEventId(text: string): Uuid {
  const id = uuidOf('gevt', text);
  if (!id) throw GatewayRefusal.gateway_event_not_found.of();
  return id;
}
