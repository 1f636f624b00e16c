import { ApiProperty } from '@nestjs/swagger';
import { BothOf } from '../../platform/http/validation/composed-bodies.js';
import {
  DateText,
  Matching,
  Nested,
  NestedList,
  Text,
} from '../../platform/http/validation/fields.js';
import {
  isClassificationList,
  isIcd,
  isPaymentMeans,
  isVatexCode,
} from '../domain/parties/code-lists.js';
import { PostalAddressBody, PostalAddressRequest } from './party.dto.js';

// The BT and BG numbers are the business terms of EN 16931.

export class ServicePeriodRequest {
  @DateText({ example: '2026-11-01', description: 'The first day (BT-73, on a line BT-134).' })
  start!: string;

  @DateText({ example: '2026-11-30', description: 'The last day (BT-74, on a line BT-135).' })
  end!: string;
}

class RecipientRequest {
  @Text({ max: 300, optional: true, description: 'Who receives it (BT-70).' })
  name?: string;
}

class DeliveryRequest extends BothOf(RecipientRequest, PostalAddressRequest) {}

class RepresentativeRequest {
  @Text({ max: 300, example: 'Fiskal GmbH', description: 'The name (BT-62).' })
  name!: string;

  @Text({ max: 50, example: 'DE123456788', description: 'The VAT number (BT-63).' })
  tax_id!: string;
}

export class TaxRepresentativeRequest extends BothOf(RepresentativeRequest, PostalAddressRequest) {}

export class PayeeRequest {
  @Text({ max: 300, example: 'Factoring AG', description: 'The name (BT-59).' })
  name!: string;

  @Text({ max: 50, optional: true, description: 'An id that the buyer knows it by (BT-60).' })
  id?: string;

  @Text({ max: 50, optional: true, description: 'The number in the register (BT-61).' })
  registration_id?: string;
}

const Reference = (description: string, example: string) =>
  Text({ max: 100, optional: true, description, example });

/** Details of EN 16931 that a draft takes. */
export class DocumentDetailsRequest {
  @DateText({
    optional: true,
    description: 'The day of the supply, where it is not that of the invoice (BT-72).',
  })
  supply_date?: string;

  @Nested(() => ServicePeriodRequest, {
    optional: true,
    description: 'The days that the document bills (BG-14).',
  })
  service_period?: ServicePeriodRequest;

  @Nested(() => DeliveryRequest, {
    optional: true,
    description: 'Where it was delivered (BG-13). Default: the customer’s shipping address.',
  })
  delivery?: DeliveryRequest;

  @Reference(
    'What the buyer sorts invoices by, such as a Leitweg-ID (BT-10). Default: the customer’s reference.',
    '04011000-12345-34',
  )
  buyer_reference?: string;

  @Reference('The project (BT-11).', 'P-2026-17')
  project_reference?: string;

  @Reference('The contract (BT-12).', 'V-4711')
  contract_reference?: string;

  @Reference('The seller’s own number of the order (BT-14).', 'SO-1001')
  sales_order?: string;

  @Reference('The despatch advice or delivery note (BT-16).', 'LS-2026-88')
  despatch_reference?: string;

  @Matching(
    {
      code: 'unknown_payment_means',
      test: isPaymentMeans,
      message: 'must be a code of UNTDID 4461 such as 58 for a SEPA credit transfer',
    },
    { optional: true, example: '58', description: 'How it is to be paid: UNTDID 4461 (BT-81).' },
  )
  payment_means_code?: string;

  @Nested(() => TaxRepresentativeRequest, {
    optional: true,
    description: 'Who owes the tax for the seller in the country of the buyer (BG-11).',
  })
  tax_representative?: TaxRepresentativeRequest;

  @Nested(() => PayeeRequest, {
    optional: true,
    description: 'Who is paid, if it is not the seller (BG-10).',
  })
  payee?: PayeeRequest;
}

class StandardItemIdRequest {
  @Matching(
    {
      code: 'unknown_scheme',
      test: isIcd,
      message: 'must be a code of ISO 6523 such as 0160 for a GTIN',
    },
    { example: '0160', description: 'ISO 6523: 0160 is a GTIN (BT-157-1).' },
  )
  scheme!: string;

  @Text({ max: 100, example: '4012345678901', description: 'BT-157.' })
  value!: string;
}

class ClassificationRequest {
  @Matching(
    {
      code: 'unknown_classification_list',
      test: isClassificationList,
      message: 'must be a code of UNTDID 7143 such as STI for CPV',
    },
    { example: 'STI', description: 'UNTDID 7143: STI is CPV (BT-158-1).' },
  )
  list!: string;

  @Text({ max: 100, example: '72000000-5', description: 'BT-158.' })
  code!: string;

  @Text({ max: 50, optional: true, description: 'The version of the list (BT-158-2).' })
  version?: string;
}

/** Details of EN 16931 that a line takes. */
export class LineDetailsRequest {
  @Nested(() => ServicePeriodRequest, {
    optional: true,
    description: 'The days that the line bills (BG-26).',
  })
  service_period?: ServicePeriodRequest;

  @Reference('The line of the buyer’s order (BT-132).', '10')
  order_line?: string;

  @Reference('The buyer’s number of the item (BT-156).', 'B-4711')
  buyer_item_id?: string;

  @Nested(() => StandardItemIdRequest, {
    optional: true,
    description: 'A registered id of the item, such as a GTIN (BT-157).',
  })
  standard_item_id?: StandardItemIdRequest;

  @NestedList(() => ClassificationRequest, {
    min: 0,
    max: 10,
    optional: true,
    description: 'What kind of item it is, by lists such as CPV (BT-158).',
  })
  classifications?: ClassificationRequest[];

  @Matching(
    {
      code: 'unknown_exemption_code',
      test: isVatexCode,
      message: 'must be a code of the VATEX list such as VATEX-EU-132-1I',
    },
    {
      optional: true,
      example: 'VATEX-EU-132-1I',
      description: 'Why there is no tax (BT-121). A category has one on a document.',
    },
  )
  tax_exemption_code?: string;
}

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class ServicePeriodBody {
  @ApiProperty({ format: 'date', description: 'BT-73, on a line BT-134.' }) start!: string;
  @ApiProperty({ format: 'date', description: 'BT-74, on a line BT-135.' }) end!: string;
}

class RecipientBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-70.' }) name!: string | null;
}

class DeliveryBody extends BothOf(RecipientBody, PostalAddressBody) {}

class RepresentativeBody {
  @ApiProperty({ description: 'BT-62.' }) name!: string;
  @ApiProperty({ description: 'BT-63.' }) tax_id!: string;
}

export class TaxRepresentativeBody extends BothOf(RepresentativeBody, PostalAddressBody) {}

export class PayeeBody {
  @ApiProperty({ description: 'BT-59.' }) name!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-60.' }) id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-61.' }) registration_id!: string | null;
}

class PrecedingInvoiceBody {
  @ApiProperty({ example: 'INV-00001', description: 'BT-25.' }) number!: string;
  @ApiProperty({ format: 'date', description: 'BT-26.' }) issue_date!: string;
}

class StandardItemIdBody {
  @ApiProperty({ example: '0160', description: 'BT-157-1.' }) scheme!: string;
  @ApiProperty({ description: 'BT-157.' }) value!: string;
}

class ClassificationBody {
  @ApiProperty({ example: 'STI', description: 'BT-158-1.' }) list!: string;
  @ApiProperty({ description: 'BT-158.' }) code!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-158-2.' }) version!: string | null;
}

export class LineDetailsBody {
  @ApiProperty({ type: ServicePeriodBody, nullable: true, description: 'The days billed (BG-26).' })
  service_period!: ServicePeriodBody | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The line of the buyer’s order (BT-132).' })
  order_line!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The buyer’s number of the item (BT-156).' })
  buyer_item_id!: string | null;

  @ApiProperty({
    type: StandardItemIdBody,
    nullable: true,
    description: 'Such as a GTIN (BT-157).',
  })
  standard_item_id!: StandardItemIdBody | null;

  @ApiProperty({
    type: [ClassificationBody],
    nullable: true,
    description: 'What kind of item it is (BT-158).',
  })
  classifications!: ClassificationBody[] | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'A VATEX code (BT-121).' })
  tax_exemption_code!: string | null;
}

export class DocumentDetailsBody {
  @ApiProperty({ ...NULLABLE_TEXT, format: 'date', description: 'The day of the supply (BT-72).' })
  supply_date!: string | null;

  @ApiProperty({ type: ServicePeriodBody, nullable: true, description: 'The days billed (BG-14).' })
  service_period!: ServicePeriodBody | null;

  @ApiProperty({
    type: DeliveryBody,
    nullable: true,
    description: 'Where it was delivered (BG-13); null: the customer’s shipping address.',
  })
  delivery!: DeliveryBody | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'What the buyer sorts invoices by (BT-10); null: the customer’s reference.',
  })
  buyer_reference!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The project (BT-11).' })
  project_reference!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The contract (BT-12).' })
  contract_reference!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The seller’s number of the order (BT-14).' })
  sales_order!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The despatch advice (BT-16).' })
  despatch_reference!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, example: '58', description: 'UNTDID 4461 (BT-81).' })
  payment_means_code!: string | null;

  @ApiProperty({
    type: TaxRepresentativeBody,
    nullable: true,
    description: 'Who owes the tax for the seller (BG-11).',
  })
  tax_representative!: TaxRepresentativeBody | null;

  @ApiProperty({
    type: PayeeBody,
    nullable: true,
    description: 'Who is paid, if it is not the seller (BG-10).',
  })
  payee!: PayeeBody | null;

  @ApiProperty({
    type: PrecedingInvoiceBody,
    nullable: true,
    description: 'Of a credit note: the invoice that it corrects (BG-3).',
  })
  preceding_invoice!: PrecedingInvoiceBody | null;
}
