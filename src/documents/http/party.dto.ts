import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { BothOf } from '../../platform/http/validation/composed-bodies.js';
import { Matching, Nested, NestedList, Text } from '../../platform/http/validation/fields.js';
import { TextList } from '../../platform/http/validation/list-fields.js';
import { named } from '../../platform/http/openapi/schemas.js';
import { EmailAddress } from '../../platform/http/validation/standard-fields.js';
import { TemplateBody } from './template/template.dto.js';
import { COUNTRIES, isCountry, isEasScheme } from '../domain/parties/code-lists.js';

const COUNTRY = named('Country', {
  type: 'string',
  description: 'A code of ISO 3166-1 alpha-2.',
  enum: [...COUNTRIES].sort(),
}) as ApiPropertyOptions;

export const CountryCode = () =>
  Matching(
    {
      code: 'invalid_country',
      test: isCountry,
      message: 'must be an ISO 3166-1 alpha-2 code such as DE',
    },
    { optional: true, example: 'DE', schema: COUNTRY },
  );

export class PostalAddressRequest {
  @TextList({
    max: 6,
    maxLength: 200,
    optional: true,
    description: 'The street and what belongs to it, line by line.',
    example: ['Hauptstraße 1'],
  })
  address?: string[];

  @Text({ max: 20, optional: true, example: '10115' })
  postal_code?: string;

  @Text({ max: 100, optional: true, example: 'Berlin' })
  city?: string;

  @Text({ max: 100, optional: true, description: 'The state, province or canton.' })
  region?: string;

  @CountryCode()
  country?: string;
}

class RecipientRequest {
  @Text({ max: 300, optional: true })
  name?: string;
}

export class ShippingAddressRequest extends BothOf(RecipientRequest, PostalAddressRequest) {}

class TaxIdRequest {
  @Text({ max: 30, example: 'de_stnr', description: 'Which registration it is, in your words.' })
  type!: string;

  @Text({ max: 50, example: '30/123/45678' })
  value!: string;
}

class ElectronicAddressRequest {
  @Matching(
    {
      code: 'unknown_scheme',
      test: isEasScheme,
      message: 'must be a code of the EAS list such as 0088',
    },
    { example: '0088', description: 'A code of the EAS list.' },
  )
  scheme!: string;

  @Text({ max: 100, example: '4012345000009' })
  value!: string;
}

class PartyNamesRequest {
  @Text({ max: 300, example: 'Globex GmbH' })
  name!: string;

  @Text({ max: 300, optional: true, description: 'The name in the register, if it differs.' })
  legal_name?: string;

  @Text({ max: 200, optional: true, example: 'Erika Mustermann' })
  contact_name?: string;
}

/** The fields that customers and sellers have in common. A field that is null or absent is empty. */
export class PartyRequest extends BothOf(PartyNamesRequest, PostalAddressRequest) {
  @EmailAddress({ optional: true, example: 'accounts@globex.example' })
  email?: string;

  @Text({ max: 50, optional: true, example: '+49 30 1234567' })
  phone?: string;

  @Text({ max: 50, optional: true, example: 'DE123456788', description: 'The VAT number.' })
  tax_id?: string;

  @NestedList(() => TaxIdRequest, {
    min: 0,
    max: 10,
    optional: true,
    description: 'Further tax registrations.',
  })
  tax_ids?: TaxIdRequest[];

  @Text({ max: 50, optional: true, description: 'The number in the commercial register.' })
  registration_id?: string;

  @Nested(() => ElectronicAddressRequest, {
    optional: true,
    description: 'Where e-invoices are delivered.',
  })
  electronic_address?: ElectronicAddressRequest;
}

const NULLABLE_TEXT = { type: String, nullable: true } as const;

export class PostalAddressBody {
  @ApiProperty({ type: [String] }) address!: string[];
  @ApiProperty(NULLABLE_TEXT) postal_code!: string | null;
  @ApiProperty(NULLABLE_TEXT) city!: string | null;
  @ApiProperty(NULLABLE_TEXT) region!: string | null;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'DE' }) country!: string | null;
}

class RecipientBody {
  @ApiProperty(NULLABLE_TEXT) name!: string | null;
}

class ShippingAddressBody extends BothOf(RecipientBody, PostalAddressBody) {}

class TaxIdBody {
  @ApiProperty() type!: string;
  @ApiProperty() value!: string;
}

class ElectronicAddressBody {
  @ApiProperty({ example: '0088' }) scheme!: string;
  @ApiProperty() value!: string;
}

class PartyNamesBody {
  @ApiProperty() name!: string;
  @ApiProperty(NULLABLE_TEXT) legal_name!: string | null;
  @ApiProperty(NULLABLE_TEXT) contact_name!: string | null;
}

class PartyBody extends BothOf(PartyNamesBody, PostalAddressBody) {
  @ApiProperty(NULLABLE_TEXT) email!: string | null;
  @ApiProperty(NULLABLE_TEXT) phone!: string | null;
  @ApiProperty(NULLABLE_TEXT) tax_id!: string | null;
  @ApiProperty({ type: [TaxIdBody] }) tax_ids!: TaxIdBody[];
  @ApiProperty(NULLABLE_TEXT) registration_id!: string | null;
  @ApiProperty({ type: ElectronicAddressBody, nullable: true })
  electronic_address!: ElectronicAddressBody | null;
}

export class BuyerBody extends PartyBody {
  @ApiProperty({ ...NULLABLE_TEXT, example: 'de' }) language!: string | null;
  @ApiProperty(NULLABLE_TEXT) reference!: string | null;
  @ApiProperty({ type: ShippingAddressBody, nullable: true })
  shipping_address!: ShippingAddressBody | null;
}

class BankAccountBody {
  @ApiProperty(NULLABLE_TEXT) holder!: string | null;
  @ApiProperty(NULLABLE_TEXT) bank_name!: string | null;
  @ApiProperty({ example: 'DE89370400440532013000' }) iban!: string;
  @ApiProperty({ ...NULLABLE_TEXT, example: 'COBADEFFXXX' }) bic!: string | null;
}

export class SellerBody extends PartyBody {
  @ApiProperty(NULLABLE_TEXT) website!: string | null;
  @ApiProperty({ type: [BankAccountBody] }) bank_accounts!: BankAccountBody[];
  @ApiProperty({ description: 'Whether it charges no tax, such as by section 19 UStG.' })
  small_business!: boolean;
  @ApiProperty({ ...NULLABLE_TEXT, description: 'The SHA-256 of the logo at that time.' })
  logo!: string | null;
  @ApiProperty({
    type: TemplateBody,
    nullable: true,
    description: 'The looks of documents; null is those of a new account.',
  })
  template!: TemplateBody | null;
}
