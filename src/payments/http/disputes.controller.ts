import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ListDisputesQuery,
  DisputePage,
  DisputeBody,
  presentBookedDispute,
} from '../returning/wire/dispute.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { pageById } from '../../platform/http/paging.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { idIn } from '../../platform/http/validation/standard-fields.js';
import { DisputesQuery } from '../returning/infrastructure/disputes.query.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';

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
  async listDisputes(
    @CallerOf() caller: Caller,
    @Query({ schema: ListDisputesQuery }) query: ListDisputesQuery,
  ) {
    const { status, gateway, payment_id, document_id } = query;
    const filter = {
      status,
      gateway,
      paymentId: idIn('pay', payment_id),
      documentId: idIn('doc', document_id),
    };
    return pageById({ list: 'disputes', filter }, query, {
      rows: async (after, count) => this.query.list(caller.accountId, filter, after, count),
      present: presentBookedDispute,
      total: async (most) => this.query.count(caller.accountId, filter, most),
    });
  }

  @Get(':id', 'payments:read', {
    summary: 'Read a dispute',
    description: 'With each step that the provider told, its reason, the deadline and the fee.',
    answers: DisputeBody,
    problems: [PaymentRefusal.dispute_not_found],
  })
  async getDispute(@CallerOf() caller: Caller, @Param('id') id: string) {
    return presentBookedDispute(await this.query.get(caller.accountId, disputeId(id)));
  }
}

function disputeId(text: string): Uuid {
  const id = uuidOf('dsp', text);
  if (!id) throw PaymentRefusal.dispute_not_found.of();
  return id;
}
