import { ApiProperty } from '@nestjs/swagger';
import { CurrencyCode, InstantText, OneOf, Text } from '../../platform/http/validation/fields.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { IdParameter } from '../../platform/http/validation/standard-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { PAYMENT_LINK_STATUSES, type PaymentLinkStatus } from '../domain/payment-link.js';
import { PaymentLinkBody } from './payment.dto.js';

nameWords({ PaymentLinkStatus: PAYMENT_LINK_STATUSES });

export class PaymentLinkPage extends CountedEnds {
  @ApiProperty({ type: [PaymentLinkBody] }) data!: PaymentLinkBody[];
}

export class ListPaymentLinksQuery extends CountedQuery {
  @OneOf(PAYMENT_LINK_STATUSES, { optional: true })
  status?: PaymentLinkStatus;

  @Text({ max: 60, optional: true })
  gateway?: string;

  @IdParameter('doc')
  document_id?: string;

  @IdParameter('cus', { description: 'Links of the documents of this customer.' })
  customer_id?: string;

  @IdParameter('mand', { description: 'Links that are collected by this mandate.' })
  mandate_id?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @InstantText({ optional: true })
  created_from?: string;

  @InstantText({ optional: true, description: 'Only links made before this instant.' })
  created_to?: string;
}
