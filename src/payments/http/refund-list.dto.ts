import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode, InstantText, OneOf, Text } from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { FlagParameter, IdParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { SHOWN_REFUND_STATUSES, type ShownRefundStatus } from '../domain/refund.js';
import { REFUND_MEANINGS, type RefundMeaningName } from '../domain/refunds/refund-meaning.js';
import { RefundBody } from './refund.dto.js';

nameWords({ RefundStatus: SHOWN_REFUND_STATUSES });

export class RefundPage extends CountedEnds {
  @ApiProperty({ type: [RefundBody] }) data!: RefundBody[];
}

export class ListRefundsQuery extends CountedQuery {
  @OneOf(SHOWN_REFUND_STATUSES, { optional: true })
  status?: ShownRefundStatus;

  @Text({ max: 60, optional: true })
  gateway?: string;

  @OneOf(['client', 'gateway'], {
    optional: true,
    description: '`gateway`: made at the provider, in its dashboard for instance.',
  })
  made_by?: 'client' | 'gateway';

  @OneOf(REFUND_MEANINGS, { optional: true })
  meaning?: RefundMeaningName;

  @FlagParameter({
    optional: true,
    description:
      'Whether somebody has yet to say what it means: what it gave is due and undecided.',
  })
  is_undecided?: boolean;

  @IdParameter('pay')
  payment_id?: string;

  @IdParameter('rcpt', { description: 'The unmatched receipt whose money went back.' })
  receipt_id?: string;

  @IdParameter('doc', { description: 'Refunds that this one gave something of.' })
  document_id?: string;

  @IdParameter('cus')
  customer_id?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @InstantText({ optional: true })
  requested_from?: string;

  @InstantText({ optional: true, description: 'Only refunds asked for before this instant.' })
  requested_to?: string;
}
