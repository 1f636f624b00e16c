import { ApiProperty } from '@nestjs/swagger';
import { DateText, Matching, Nested, Text } from '../../platform/http/fields.js';
import { isPaymentMeans } from '../domain/parties/code-lists.js';
import { PostalAddressBody, PostalAddressRequest } from './party.dto.js';

// The BT and BG numbers are the business terms of EN 16931.

export class ServicePeriodRequest {
  @DateText({ example: '2026-11-01', description: 'The first day (BT-73, on a line BT-134).' })
  start!: string;

  @DateText({ example: '2026-11-30', description: 'The last day (BT-74, on a line BT-135).' })
  end!: string;
}

class DeliveryRequest extends PostalAddressRequest {
  @Text({ max: 300, optional: true, description: 'Who receives it (BT-70).' })
  name?: string;
}

class TaxRepresentativeRequest extends PostalAddressRequest {
  @Text({ max: 300, example: 'Fiskal GmbH', description: 'The name (BT-62).' })
  name!: string;

  @Text({ max: 50, example: 'DE123456789', description: 'The VAT number (BT-63).' })
  tax_id!: string;
}

class PayeeRequest {
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

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class ServicePeriodBody {
  @ApiProperty({ format: 'date', description: 'BT-73, on a line BT-134.' }) start!: string;
  @ApiProperty({ format: 'date', description: 'BT-74, on a line BT-135.' }) end!: string;
}

class DeliveryBody extends PostalAddressBody {
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-70.' }) name!: string | null;
}

class TaxRepresentativeBody extends PostalAddressBody {
  @ApiProperty({ description: 'BT-62.' }) name!: string;
  @ApiProperty({ description: 'BT-63.' }) tax_id!: string;
}

class PayeeBody {
  @ApiProperty({ description: 'BT-59.' }) name!: string;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-60.' }) id!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'BT-61.' }) registration_id!: string | null;
}

class PrecedingInvoiceBody {
  @ApiProperty({ example: 'INV-00001', description: 'BT-25.' }) number!: string;
  @ApiProperty({ format: 'date', description: 'BT-26.' }) issue_date!: string;
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
