import { ApiProperty } from '@nestjs/swagger';
import { publicId } from '../../kernel/ids.js';
import {
  CurrencyCode,
  Nested,
  OneOf,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { Metadata } from '../../platform/http/validation/list-fields.js';
import { type MergePatch, MergePatchOf } from '../../platform/http/validation/merge-patch.js';
import { CountedEnds, CountedQuery } from '../../platform/http/paging.js';
import {
  type Archived,
  ArchivedParameter,
  LanguageTag,
} from '../../platform/http/validation/standard-fields.js';
import { fieldsOfCheck, type VatNumberCheck } from '../application/vat-number-checks.service.js';
import {
  type Customer,
  type CustomerChange,
  fieldsOf,
  type NewCustomer,
} from '../domain/parties/customer.js';
import { type Buyer, buyerOf, NO_ADDRESS } from '../domain/parties/party.js';
import { CUSTOMER_SORTS, type CustomerSort } from '../infrastructure/customers.query.js';
import {
  CashDiscountRequest,
  CashDiscounts,
  CashDiscountTermBody,
  orderedDiscounts,
} from './cash-discount.dto.js';
import { BuyerBody, CountryCode, PartyRequest, ShippingAddressRequest } from './party.dto.js';

export const LONGEST_CUSTOMER_EXTERNAL_ID = 100;

export class CustomerRequest extends PartyRequest {
  @LanguageTag({ optional: true })
  language?: string;

  @Text({ max: 100, optional: true, description: 'What the buyer wants to read on documents.' })
  reference?: string;

  @Nested(() => ShippingAddressRequest, { optional: true })
  shipping_address?: ShippingAddressRequest;
}

export class CreateCustomerRequest extends CustomerRequest {
  @CurrencyCode({ optional: true, description: 'The currency of this customer’s documents.' })
  currency?: string;

  @WholeNumber({ min: 0, max: 3650, optional: true, description: 'The days until they are due.' })
  payment_terms_days?: number;

  @CashDiscounts(
    'Reductions for those who pay early, of this customer’s documents. An empty list is none; null ' +
      'leaves them to the seller.',
  )
  cash_discounts?: CashDiscountRequest[];

  @Text({
    max: LONGEST_CUSTOMER_EXTERNAL_ID,
    optional: true,
    example: 'K-10023',
    description: 'The customer’s id in your own books; no two customers may have the same.',
  })
  external_id?: string;

  @Metadata({ description: 'At most 50 keys of your own.' })
  metadata?: Record<string, string>;
}

export class PatchCustomerRequest extends MergePatchOf(CreateCustomerRequest) {}

export class ListCustomersQuery extends CountedQuery {
  @Text({ max: 254, optional: true, description: 'The whole address; capitals do not matter.' })
  email?: string;

  @Text({ max: LONGEST_CUSTOMER_EXTERNAL_ID, optional: true })
  external_id?: string;

  @CurrencyCode({ optional: true })
  currency?: string;

  @CountryCode()
  country?: string;

  @ArchivedParameter()
  archived?: Archived;

  @Text({
    max: 200,
    optional: true,
    description:
      'Finds customers by the beginnings of words in names, contact, e-mail address, city, ' +
      'tax ids, registration id and external id. All words must be found; accents and ' +
      'capitals do not matter.',
    example: 'glob gmbh',
  })
  q?: string;

  @OneOf(CUSTOMER_SORTS, { optional: true, description: 'Default: `-created_at`.' })
  sort?: CustomerSort;
}

export class CustomerBody extends BuyerBody {
  @ApiProperty({ example: 'cus_01h455vb4pex5vsknk084sn02q' }) id!: string;
  @ApiProperty() version!: number;
  @ApiProperty({ type: String, nullable: true, example: 'EUR' }) currency!: string | null;
  @ApiProperty({ type: 'integer', nullable: true }) payment_terms_days!: number | null;
  @ApiProperty({ type: [CashDiscountTermBody], nullable: true })
  cash_discounts!: CashDiscountTermBody[] | null;
  @ApiProperty({ type: String, nullable: true, example: 'K-10023' }) external_id!: string | null;
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  metadata!: Record<string, string>;
  @ApiProperty({ type: String, nullable: true, format: 'date-time' }) archived_at!: string | null;
  @ApiProperty({ format: 'date-time' }) created_at!: string;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
}

export class CustomerPage extends CountedEnds {
  @ApiProperty({ type: [CustomerBody] }) data!: CustomerBody[];
}

/** Translates a request for the domain. A field that is null or absent is empty. */
export function toBuyer(request: CustomerRequest): Buyer {
  return buyerOf(buyerFields(request));
}

export function toNewCustomer(request: CreateCustomerRequest): NewCustomer {
  const { currency, payment_terms_days, cash_discounts, external_id, metadata, ...party } = request;
  return {
    profile: toBuyer(party),
    currency: currency ?? null,
    paymentTermsDays: payment_terms_days ?? null,
    cashDiscounts: cash_discounts ? orderedDiscounts(cash_discounts) : null,
    externalId: external_id ?? null,
    metadata: metadata ?? {},
  };
}

/** Translates a patch for the domain. An absent field stays; null empties one. */
export function toCustomerChange(request: PatchCustomerRequest): CustomerChange {
  const { currency, payment_terms_days, cash_discounts, external_id, metadata, ...party } = request;
  return {
    ...(currency !== undefined && { currency }),
    ...(payment_terms_days !== undefined && { paymentTermsDays: payment_terms_days }),
    ...(cash_discounts !== undefined && {
      cashDiscounts: cash_discounts && orderedDiscounts(cash_discounts),
    }),
    ...(external_id !== undefined && { externalId: external_id }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
    profile: buyerFields(party),
  };
}

export function presentCustomer(customer: Customer): CustomerBody {
  return {
    id: publicId('cus', customer.id),
    version: customer.version,
    ...fieldsOf(customer),
    created_at: customer.createdAt.toISOString(),
    updated_at: customer.updatedAt.toISOString(),
  };
}

const EMPTY = buyerOf({});

/** Only the fields that were sent. */
function buyerFields(party: MergePatch<CustomerRequest>): Partial<Buyer> {
  const said = Object.entries(party).filter(([, value]) => value !== undefined);
  const fields = said.map(([name, value]) => [name, value ?? EMPTY[name as keyof Buyer]] as const);
  const { shipping_address: shipping } = party;
  return {
    ...(Object.fromEntries(fields) as Partial<Buyer>),
    ...(shipping && { shipping_address: { name: null, ...NO_ADDRESS, ...withoutNull(shipping) } }),
  };
}

export function withoutNull<Fields extends object>(fields: Fields): Fields {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given) as Fields;
}

const TOLD = { type: String, nullable: true } as const;

export class VatNumberCheckBody {
  @ApiProperty({ example: 'DE123456788' }) vat_number!: string;
  @ApiProperty({ description: 'Whether the register had it at that moment.' }) registered!: boolean;
  @ApiProperty({ ...TOLD, description: 'As registered; some states do not tell.' })
  name!: string | null;
  @ApiProperty({ ...TOLD, description: 'As registered, on several lines; some do not tell.' })
  address!: string | null;
  @ApiProperty({ ...TOLD, description: 'Your VAT number, which asked.', example: 'DE999999995' })
  requester!: string | null;
  @ApiProperty({ ...TOLD, description: 'The register’s proof that you asked.' })
  consultation_number!: string | null;
  @ApiProperty({ format: 'date-time' }) checked_at!: string;
}

export const presentVatNumberCheck = (check: VatNumberCheck): VatNumberCheckBody =>
  fieldsOfCheck(check);
