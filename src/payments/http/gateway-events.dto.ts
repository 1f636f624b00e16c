import { ApiProperty } from '@nestjs/swagger';
import { nameWords } from '../../platform/http/openapi/words.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { InstantText, OneOf, Text } from '../../platform/http/validation/fields.js';
import { IdParameter } from '../../platform/http/validation/standard-fields.js';
import { DELIVERY_OUTCOMES, type DeliveryOutcome } from '../domain/gateway-delivery.js';
import { WEBHOOK_OUTCOMES } from '../domain/webhook-outcome.js';

nameWords({ GatewayEventOutcome: DELIVERY_OUTCOMES });

export class GatewayEventBody {
  @ApiProperty({ example: 'gevt_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() gateway!: string;
  @ApiProperty({
    enum: DELIVERY_OUTCOMES,
    description:
      '`ok`: applied, now or before; `ignored`: of no effect; `no_link_id`: about a payment that ' +
      'names no link of ours; `accepted`: stored, and being worked off; `failed`: see `problem`.',
  })
  outcome!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The code of what failed last.' })
  problem!: string | null;
  @ApiProperty({ type: [String], description: 'As the provider calls them.' })
  event_types!: string[];
  @ApiProperty({ type: 'integer', description: 'How many things it reports.' }) reports!: number;
  @ApiProperty({ type: 'integer', description: 'How often it was applied again on demand.' })
  replays!: number;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) replayed_at!: string | null;
  @ApiProperty({
    type: 'integer',
    description: 'How often one that was stored first was worked off.',
  })
  attempts!: number;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'When it is worked off next; null where nothing is left to do.',
  })
  next_try_at!: string | null;
  @ApiProperty({ format: 'date-time' }) received_at!: string;
}

class GatewayEventReportBody {
  @ApiProperty({ description: 'The provider’s id of the event.' }) event_id!: string;
  @ApiProperty() event_type!: string;
  @ApiProperty({
    enum: WEBHOOK_OUTCOMES,
    nullable: true,
    description: 'What became of it; null: it was not applied.',
  })
  outcome!: string | null;
}

class FailedPayoutBody {
  @ApiProperty({ example: 'pout_01h455vb4pex5vsknk084sn02q' }) payout_id!: string;
  @ApiProperty({ format: 'date', description: 'The day for which its sending is undone.' })
  failed_on!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The provider’s code, mostly.' })
  reason!: string | null;
}

class GatewayEventEffectsBody {
  @ApiProperty({ type: [GatewayEventReportBody] }) events!: GatewayEventReportBody[];
  @ApiProperty({ type: [String] }) payment_ids!: string[];
  @ApiProperty({ type: [String] }) payment_link_ids!: string[];
  @ApiProperty({ type: [String], description: 'Unmatched receipts.' }) receipt_ids!: string[];
  @ApiProperty({ type: [String] }) refund_ids!: string[];
  @ApiProperty({ type: [String] }) dispute_ids!: string[];
  @ApiProperty({ type: [String], description: 'Payouts, those that came back among them.' })
  payout_ids!: string[];
  @ApiProperty({
    type: [FailedPayoutBody],
    description: 'Those of them whose money the provider has again.',
  })
  failed_payouts!: FailedPayoutBody[];
  @ApiProperty({ type: [String], description: 'Unmatched items.' }) item_ids!: string[];
}

export class GatewayEventDetailBody extends GatewayEventBody {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As it came; null: the secret that it was encrypted with is gone.',
  })
  body!: string | null;
  @ApiProperty({
    description: 'All that there is now of what it names, also if another event brought it.',
  })
  effects!: GatewayEventEffectsBody;
}

export class GatewayEventReplayBody {
  @ApiProperty({ description: 'False: all of it was known already, and nothing changed.' })
  changed!: boolean;
  @ApiProperty({ enum: DELIVERY_OUTCOMES, description: 'What became of this replay.' })
  outcome!: string;
  @ApiProperty({ type: String, nullable: true, description: 'The code of what it failed with.' })
  problem!: string | null;
  @ApiProperty() gateway_event!: GatewayEventBody;
}

export class GatewayEventPage extends CountedEnds {
  @ApiProperty({ type: [GatewayEventBody] }) data!: GatewayEventBody[];
}

export class ListGatewayEventsQuery extends CountedQuery {
  @Text({ max: 60, optional: true })
  gateway?: string;

  @OneOf(DELIVERY_OUTCOMES, { optional: true })
  outcome?: DeliveryOutcome;

  @Text({ max: 200, optional: true, description: 'As the provider calls it.' })
  event_type?: string;

  @InstantText({ optional: true })
  received_from?: string;

  @InstantText({ optional: true, description: 'Only events received before this instant.' })
  received_to?: string;

  @IdParameter('pay', { description: 'Events that name this payment of a provider.' })
  payment_id?: string;

  @IdParameter('doc', { description: 'Events that name a link or a payment of this document.' })
  document_id?: string;
}
