import { Controller, Param, Query } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { OneOf, Text } from '../../platform/http/validation/fields.js';
import {
  CountedEnds,
  CountedQuery,
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  withTotalCount,
} from '../../platform/http/paging.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { IdParameter, idIn } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import {
  DISPUTE_STATUSES,
  disputeNotFound,
  type DisputeStatus,
  presentBookedDispute,
} from '../domain/dispute.js';
import { DisputesQuery } from '../infrastructure/disputes.query.js';

nameWords({ DisputeStatus: DISPUTE_STATUSES });

class DisputeBody {
  @ApiProperty({ example: 'dsp_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty({
    enum: DISPUTE_STATUSES,
    description: '`inquiry`: asked without money; `closed`: an inquiry that came to nothing.',
  })
  status!: string;
  @ApiProperty({ type: String, nullable: true }) payment_id!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The unmatched receipt, where the money found no document.',
  })
  receipt_id!: string | null;
  @ApiProperty() gateway!: string;
  @ApiProperty() provider_dispute_id!: string;
  @ApiProperty() provider_payment_id!: string;
  @ApiProperty({ description: 'What the payer disputes.' }) amount!: number;
  @ApiProperty({ description: 'What the provider holds until it is decided.' })
  amount_held!: number;
  @ApiProperty({ description: 'What was taken off documents, credit or the receipt.' })
  amount_reversed!: number;
  @ApiProperty({ description: 'The part of that which nobody can be asked for.' })
  amount_lost!: number;
  @ApiProperty({ description: 'What the provider charged for it, less what it returned.' })
  fee!: number;
  @ApiProperty() currency!: string;
  @ApiProperty({ description: 'Why, as the provider says.' }) reason!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'Until when the provider takes evidence.',
  })
  evidence_due_by!: string | null;
  @ApiProperty({ format: 'date-time' }) opened_at!: string;
  @ApiProperty({ format: 'date-time', description: 'When the provider said this.' })
  updated_at!: string;
  @ApiProperty({ format: 'date-time' }) recorded_at!: string;
  @ApiProperty({ description: 'A day on which the provider said it was in a closed month.' })
  booked_later!: boolean;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date',
    description: 'The first open day, on which the books have that; null for the day it was said.',
  })
  booked_on!: string | null;
}

class DisputePage extends CountedEnds {
  @ApiProperty({ type: [DisputeBody] }) data!: DisputeBody[];
}

class ListDisputesQuery extends CountedQuery {
  @OneOf(DISPUTE_STATUSES, { optional: true })
  status?: DisputeStatus;

  @Text({ max: 60, optional: true })
  gateway?: string;

  @IdParameter('pay')
  payment_id?: string;

  @IdParameter('doc', { description: 'Disputes of money that paid this one.' })
  document_id?: string;
}

/** Payments that their payers dispute at a provider. Evidence is sent to the provider itself. */
@ApiTags('disputes')
@Controller('v1/finance/disputes')
export class DisputesController {
  constructor(private readonly query: DisputesQuery) {}

  @Get('', 'payments:read', {
    summary: 'List disputes, newest first',
    description:
      'By status, gateway, payment or document. Money that is held is not refundable, and is told apart in the books.',
    answers: DisputePage,
  })
  async listDisputes(@CallerOf() caller: Caller, @Query() query: ListDisputesQuery) {
    const { limit = DEFAULT_PAGE_SIZE, status, gateway, payment_id, document_id } = query;
    const filter = {
      status,
      gateway,
      paymentId: idIn('pay', payment_id),
      documentId: idIn('doc', document_id),
    };
    const cursors = new Cursors({ list: 'disputes', filter }, []);
    const after = cursors.read(query.cursor)?.id ?? null;
    const rows = await this.query.list(caller.accountId, filter, after, limit + 1);
    const keyOf = ({ id }: { id: Uuid }) => cursors.keyOf({ keys: [], id });
    return withTotalCount(toPage(rows, limit, keyOf, presentBookedDispute), query, (most) =>
      this.query.count(caller.accountId, filter, most),
    );
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a dispute',
    description: 'With each step that the provider told, its reason, the deadline and the fee.',
    answers: DisputeBody,
    problems: ['dispute_not_found'],
  })
  async getDispute(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentBookedDispute(await this.query.get(caller.accountId, disputeId(id)));
  }
}

function disputeId(text: string): Uuid {
  const id = uuidOf('dsp', text);
  if (!id) throw disputeNotFound();
  return id;
}
