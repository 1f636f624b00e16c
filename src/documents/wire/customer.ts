import { z } from 'zod';
import {
  answerShape,
  patchOf,
  queryShape,
  requestShape,
} from '../../platform/http/validation/shapes.js';
import { publicId } from '../../kernel/ids.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { nested, oneOf, wholeNumber } from '../../platform/http/validation/fields.js';
import { currencyCode, shortText } from '../../platform/http/validation/text-fields.js';
import { metadata } from '../../platform/http/validation/list-fields.js';
import { countedPage, listQuery } from '../../platform/http/paging.js';
import { languageTag } from '../../platform/http/validation/standard-fields.js';
import type { VatNumberCheck } from '../domain/legal/vat-number-register.js';
import {
  CUSTOMER_KINDS,
  type Customer,
  type CustomerChange,
  fieldsOf,
  type NewCustomer,
} from '../domain/parties/customer.js';
import { type Buyer, buyerOf, NO_ADDRESS } from '../domain/parties/party.js';
import { CUSTOMER_SORTS } from '../infrastructure/customers.query.js';
import { cashDiscounts, CashDiscountTermBody, orderedDiscounts } from './cash-discount.js';
import {
  BuyerBody,
  countryCode,
  FurtherBuyerDetails,
  PartyRequest,
  ShippingAddressRequest,
} from './party.js';
import { archivedParameter } from './archived.js';

nameWords({ CustomerKind: CUSTOMER_KINDS });

export const LONGEST_CUSTOMER_EXTERNAL_ID = 100;

export const CustomerRequest = requestShape('CustomerRequest', {
  ...PartyRequest.shape,
  ...FurtherBuyerDetails.shape,
  language: languageTag({ optional: true }),
  reference: shortText({
    max: 100,
    optional: true,
    description: 'What the buyer wants to read on documents.',
  }),
  shipping_address: nested(() => ShippingAddressRequest, { optional: true }),
});
export type CustomerRequest = z.output<typeof CustomerRequest>;

export const CreateCustomerRequest = requestShape('CreateCustomerRequest', {
  ...CustomerRequest.shape,
  kind: oneOf(CUSTOMER_KINDS, {
    optional: true,
    description:
      'Whether this is a business or a consumer, which decides what reminders may ask for. Default: null, treated as a consumer.',
  }),
  currency: currencyCode({
    optional: true,
    description: 'The currency of this customer’s documents.',
  }),
  payment_terms_days: wholeNumber({
    min: 0,
    max: 3650,
    optional: true,
    description: 'The days until they are due.',
  }),
  cash_discounts: cashDiscounts(
    'Reductions for those who pay early, of this customer’s documents. An empty list is none; null ' +
      'leaves them to the seller.',
  ),
  external_id: shortText({
    max: LONGEST_CUSTOMER_EXTERNAL_ID,
    optional: true,
    example: 'K-10023',
    description: 'The customer’s id in your own books; no two customers may have the same.',
  }),
  metadata: metadata({ description: 'At most 50 keys of your own.' }),
});
export type CreateCustomerRequest = z.output<typeof CreateCustomerRequest>;

export const PatchCustomerRequest = requestShape(
  'PatchCustomerRequest',
  patchOf(CreateCustomerRequest.shape),
);
export type PatchCustomerRequest = z.output<typeof PatchCustomerRequest>;

export const ListCustomersQuery = queryShape({
  ...listQuery(() => CustomerBody).shape,
  email: shortText({
    max: 254,
    optional: true,
    description: 'The whole address; capitals do not matter.',
  }),
  external_id: shortText({ max: LONGEST_CUSTOMER_EXTERNAL_ID, optional: true }),
  currency: currencyCode({ optional: true }),
  country: countryCode(),
  archived: archivedParameter(),
  q: shortText({
    max: 200,
    optional: true,
    description:
      'Finds customers by the beginnings of words in names, contact, e-mail address, city, ' +
      'tax ids, registration id and external id. All words must be found; accents and ' +
      'capitals do not matter.',
    example: 'glob gmbh',
  }),
  sort: oneOf(CUSTOMER_SORTS, { optional: true, description: 'Default: `-created_at`.' }),
});
export type ListCustomersQuery = z.output<typeof ListCustomersQuery>;

export const CustomerBody = answerShape('CustomerBody', {
  ...BuyerBody.shape,
  id: z.string().meta({ example: 'cus_01h455vb4pex5vsknk084sn02q' }),
  version: z.number(),
  kind: z.enum(CUSTOMER_KINDS).nullable(),
  currency: z.string().nullable().meta({ example: 'EUR' }),
  payment_terms_days: z.number().nullable().meta({ type: 'integer' }),
  cash_discounts: z.array(CashDiscountTermBody).nullable(),
  external_id: z.string().nullable().meta({ example: 'K-10023' }),
  metadata: z.record(z.string(), z.string()),
  archived_at: z.string().nullable().meta({ format: 'date-time' }),
  erased_at: z.string().nullable().meta({
    format: 'date-time',
    description: 'When its data were erased: nothing but its id is known any more.',
  }),
  created_at: z.string().meta({ format: 'date-time' }),
  updated_at: z.string().meta({ format: 'date-time' }),
});
export type CustomerBody = z.output<typeof CustomerBody>;

export const CustomerPage = countedPage('CustomerPage', CustomerBody);
export type CustomerPage = z.output<typeof CustomerPage>;

/** Translates a request for the domain. A field that is null or absent is empty. */
export function toBuyer(request: CustomerRequest): Buyer {
  return buyerOf(buyerFields(request));
}

export function toNewCustomer(request: CreateCustomerRequest): NewCustomer {
  const { kind, currency, payment_terms_days, cash_discounts, external_id, metadata, ...party } =
    request;
  return {
    profile: toBuyer(party),
    kind: kind ?? null,
    currency: currency ?? null,
    paymentTermsDays: payment_terms_days ?? null,
    cashDiscounts: cash_discounts ? orderedDiscounts(cash_discounts) : null,
    externalId: external_id ?? null,
    metadata: metadata ?? {},
  };
}

/** Translates a patch for the domain. An absent field stays; null empties one. */
export function toCustomerChange(request: PatchCustomerRequest): CustomerChange {
  const { kind, currency, payment_terms_days, cash_discounts, external_id, metadata, ...party } =
    request;
  return {
    ...(kind !== undefined && { kind }),
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
    erased_at: customer.erasedAt?.toISOString() ?? null,
    created_at: customer.createdAt.toISOString(),
    updated_at: customer.updatedAt.toISOString(),
  };
}

const EMPTY = buyerOf({});

/** A patch as it is read: null where a field may be empty. */
export type MergePatch<Whole> = {
  [Field in keyof Whole]?: undefined extends Whole[Field] ? Whole[Field] | null : Whole[Field];
};

/** Only the fields that were sent. */
function buyerFields(party: MergePatch<CustomerRequest>): Partial<Buyer> {
  const said = Object.entries(party).filter(([, value]) => value !== undefined);
  const fields = said.map(([name, value]) => [name, value ?? EMPTY[name as keyof Buyer]] as const);
  const { shipping_address: shipping } = party;
  return {
    ...(Object.fromEntries(fields) as Partial<Buyer>),
    ...(shipping && { shipping_address: { name: null, ...NO_ADDRESS, ...withoutNulls(shipping) } }),
  };
}

/** The same without what is null or absent, also in what it has inside. */
export function withoutNulls<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((one: unknown) => withoutNulls(one)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const given = Object.entries(value).filter(([, part]) => part != null);
  return Object.fromEntries(given.map(([name, part]) => [name, withoutNulls(part)])) as Value;
}

export const VatNumberCheckBody = answerShape('VatNumberCheckBody', {
  vat_number: z.string().meta({ example: 'DE123456788' }),
  registered: z.boolean().describe('Whether the register had it at that moment.'),
  name: z.string().nullable().meta({ description: 'As registered; some states do not tell.' }),
  address: z
    .string()
    .nullable()
    .meta({ description: 'As registered, on several lines; some do not tell.' }),
  requester: z
    .string()
    .nullable()
    .meta({ description: 'Your VAT number, which asked.', example: 'DE999999995' }),
  consultation_number: z
    .string()
    .nullable()
    .meta({ description: 'The register’s proof that you asked.' }),
  checked_at: z.string().meta({ format: 'date-time' }),
});
export type VatNumberCheckBody = z.output<typeof VatNumberCheckBody>;

/** As answers and the audit log have it. */
export function presentVatNumberCheck(check: VatNumberCheck): VatNumberCheckBody {
  return {
    vat_number: check.vatNumber,
    registered: check.isRegistered,
    name: check.name,
    address: check.address,
    requester: check.requester,
    consultation_number: check.consultationNumber,
    checked_at: check.checkedAt.toISOString(),
  };
}
