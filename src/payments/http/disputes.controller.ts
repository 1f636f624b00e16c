import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { shortText } from '../../platform/http/validation/text-fields.js';
import {
  countedPage,
  CountedQuery,
  Cursors,
  DEFAULT_PAGE_SIZE,
  toPage,
  withTotalCount,
} from '../../platform/http/paging.js';
import { type Caller, CallerOf } from '../../platform/http/request.js';
import { Get } from '../../platform/http/route.js';
import { idParameter, idIn } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { presentBookedDispute } from '../returning/domain/dispute.js';
import { DISPUTE_STATUSES } from '../port/domain/told-dispute.js';
import { DisputesQuery } from '../returning/infrastructure/disputes.query.js';
import { PaymentRefusal } from '../port/domain/payment-refusals.js';

nameWords({ DisputeStatus: DISPUTE_STATUSES });

const DisputeBody = answerShape('DisputeBody', {
  id: z.string().meta({ example: 'dsp_01h455vb4pex5vsknk084sn02q' }),
  status: z.string().meta({
    enum: DISPUTE_STATUSES,
    description: '`inquiry`: asked without money; `closed`: an inquiry that came to nothing.',
  }),
  payment_id: z.string().nullable(),
  receipt_id: z
    .string()
    .nullable()
    .describe('The unmatched receipt, where the money found no document.'),
  gateway: z.string(),
  provider_dispute_id: z.string(),
  provider_payment_id: z.string(),
  amount: z.number().describe('What the payer disputes.'),
  amount_held: z.number().describe('What the provider holds until it is decided.'),
  amount_reversed: z.number().describe('What was taken off documents, credit or the receipt.'),
  amount_lost: z.number().describe('The part of that which nobody can be asked for.'),
  fee: z.number().describe('What the provider charged for it, less what it returned.'),
  currency: z.string(),
  reason: z.string().describe('Why, as the provider says.'),
  evidence_due_by: z
    .string()
    .nullable()
    .meta({ format: 'date-time', description: 'Until when the provider takes evidence.' }),
  opened_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time', description: 'When the provider said this.' }),
  recorded_at: z.string().meta({ format: 'date-time' }),
  booked_later: z.boolean().describe('A day on which the provider said it was in a closed month.'),
  booked_on: z.string().nullable().meta({
    format: 'date',
    description: 'The first open day, on which the books have that; null for the day it was said.',
  }),
});
type DisputeBody = z.output<typeof DisputeBody>;

const DisputePage = countedPage('DisputePage', DisputeBody);
type DisputePage = z.output<typeof DisputePage>;

const ListDisputesQuery = queryShape({
  ...CountedQuery.shape,
  status: oneOf(DISPUTE_STATUSES, { optional: true }),
  gateway: shortText({ max: 60, optional: true }),
  payment_id: idParameter('pay'),
  document_id: idParameter('doc', { description: 'Disputes of money that paid this one.' }),
});
type ListDisputesQuery = z.output<typeof ListDisputesQuery>;

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
