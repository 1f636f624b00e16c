import { ApiProperty } from '@nestjs/swagger';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import {
  CurrencyCode,
  DateText,
  Flag,
  OneOf,
  Text,
} from '../../platform/http/validation/fields.js';
import { IdParameter, ReturnAddress } from '../../platform/http/validation/standard-fields.js';
import { MANDATE_STATUSES, type MandateStatus } from '../domain/mandates/mandate-status.js';

nameWords({ MandateStatus: MANDATE_STATUSES });

const AUTOMATIC =
  'Whether invoices of the customer in this currency are collected on their due date, each once.';

export class CreateMandateRequest {
  @Text({ max: 60, description: 'A gateway whose provider keeps mandates.' })
  gateway!: string;

  @CurrencyCode({ description: 'Of what may be collected: it decides the scheme.' })
  currency!: string;

  @Flag({ optional: true, description: `${AUTOMATIC} Default: false.` })
  collects_automatically?: boolean;

  @ReturnAddress({ optional: true, description: 'The page to come back to from the provider.' })
  return_url?: string;
}

export class PatchMandateRequest {
  @Flag({ optional: true, description: AUTOMATIC })
  collects_automatically?: boolean;
}

export class CollectDocumentRequest {
  @DateText({
    optional: true,
    description:
      'The day of the debit, at most 90 days ahead. A provider that needs longer takes its next possible day. Default: the due date.',
  })
  charge_date?: string;
}

export class MandateBody {
  @ApiProperty({ example: 'mand_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() customer_id!: string;
  @ApiProperty({ example: 'gocardless' }) gateway!: string;
  @ApiProperty() currency!: string;
  @ApiProperty({
    enum: MANDATE_STATUSES,
    description:
      '`pending`: the customer has not agreed yet. `suspended`: it may come back. Only an `active` one collects.',
  })
  status!: MandateStatus;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The page where the customer agrees, while it is pending.',
  })
  url!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'In the word of the provider.' })
  scheme!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The last characters of the bank account, as the provider masks it.',
  })
  account_ending!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'ACME-7Q2M9',
    description: 'By which the customer knows it, such as from a bank statement.',
  })
  reference!: string | null;
  @ApiProperty({ type: String, nullable: true }) provider_mandate_id!: string | null;
  @ApiProperty({ description: AUTOMATIC }) collects_automatically!: boolean;
  @ApiProperty({ type: String, nullable: true, description: 'Why it ended, in a short code.' })
  failure!: string | null;
  @ApiProperty() version!: number;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) activated_at!: string | null;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) ended_at!: string | null;
}

export class MandatePageBody extends CountedEnds {
  @ApiProperty({ type: [MandateBody] }) data!: MandateBody[];
}

export class ListMandatesQuery extends CountedQuery {
  @IdParameter('cus')
  customer_id?: string;

  @OneOf(MANDATE_STATUSES, { optional: true })
  status?: MandateStatus;
}
