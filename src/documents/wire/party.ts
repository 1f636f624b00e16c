import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import { nested, nestedList } from '../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  paragraph,
  shortText,
} from '../../platform/http/validation/text-fields.js';
import { textList } from '../../platform/http/validation/list-fields.js';
import { named } from '../../platform/http/openapi/schemas.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { isEmailAddress } from '../../kernel/mailbox.js';
import { eInvoiceChoice } from './e-invoice-profile.js';
import { TemplateBody } from './template.js';
import { COUNTRIES, isCountry, isEasScheme, isIcd } from '../domain/codes/code-lists.js';
import { DocumentRefusal } from '../domain/refusals.js';

const COUNTRY = named('Country', {
  type: 'string',
  description: 'A code of ISO 3166-1 alpha-2.',
  enum: [...COUNTRIES].sort(),
});

export const countryCode = (description?: string) =>
  matching(
    {
      refusal: DocumentRefusal.invalid_country,
      test: isCountry,
      message: 'must be an ISO 3166-1 alpha-2 code such as DE',
    },
    { optional: true, example: 'DE', schema: COUNTRY, ...(description && { description }) },
  );

const icd = {
  refusal: DocumentRefusal.unknown_scheme,
  test: isIcd,
  message: 'must be a code of ISO 6523 such as 0088 for a GLN',
};

/** An id, and the scheme by which it is known. Requests and answers say it in the same words. */
export const SchemedId = requestShape('SchemedId', {
  scheme: matching(icd, {
    optional: true,
    example: '0088',
    description: 'ISO 6523: 0088 is a GLN, 0009 a SIRET, 0060 a DUNS number.',
  }),
  value: shortText({ max: 100, example: '4012345000009' }),
});

export const registrationScheme = (term: string) =>
  matching(icd, {
    optional: true,
    example: '0002',
    description: `Which number it is, by ISO 6523: 0002 is a SIREN, 0208 of Belgium (${term}).`,
  });

export const PostalAddressRequest = requestShape('PostalAddressRequest', {
  address: textList({
    max: 6,
    maxLength: 200,
    optional: true,
    description: 'The street and what belongs to it, line by line.',
    example: ['Hauptstraße 1'],
  }),
  postal_code: shortText({ max: 20, optional: true, example: '10115' }),
  city: shortText({ max: 100, optional: true, example: 'Berlin' }),
  region: shortText({ max: 100, optional: true, description: 'The state, province or canton.' }),
  country: countryCode(),
});
export type PostalAddressRequest = z.output<typeof PostalAddressRequest>;

const RecipientRequest = requestShape('RecipientRequest', {
  name: shortText({ max: 300, optional: true }),
});
type RecipientRequest = z.output<typeof RecipientRequest>;

export const ShippingAddressRequest = requestShape('ShippingAddressRequest', {
  ...RecipientRequest.shape,
  ...PostalAddressRequest.shape,
});
export type ShippingAddressRequest = z.output<typeof ShippingAddressRequest>;

const TaxIdRequest = requestShape('TaxIdRequest', {
  type: shortText({
    max: 30,
    example: 'de_stnr',
    description: 'Which registration it is, in your words.',
  }),
  value: shortText({ max: 50, example: '30/123/45678' }),
});
type TaxIdRequest = z.output<typeof TaxIdRequest>;

const ElectronicAddressRequest = requestShape('ElectronicAddressRequest', {
  scheme: matching(
    {
      refusal: DocumentRefusal.unknown_scheme,
      test: isEasScheme,
      message: 'must be a code of the EAS list such as 0088',
    },
    { example: '0088', description: 'A code of the EAS list.' },
  ),
  value: shortText({ max: 100, example: '4012345000009' }),
});
type ElectronicAddressRequest = z.output<typeof ElectronicAddressRequest>;

const PartyNamesRequest = requestShape('PartyNamesRequest', {
  name: shortText({ max: 300, example: 'Globex GmbH' }),
  legal_name: shortText({
    max: 300,
    optional: true,
    description: 'The name in the register, if it differs.',
  }),
  contact_name: shortText({ max: 200, optional: true, example: 'Erika Mustermann' }),
});
type PartyNamesRequest = z.output<typeof PartyNamesRequest>;

const FurtherPartyDetails = requestShape('FurtherPartyDetails', {
  registration_scheme: registrationScheme('BT-30-1, BT-47-1'),
  identifiers: nestedList(() => SchemedId, {
    min: 0,
    max: 10,
    optional: true,
    description:
      'Other ids, such as a GLN or a SIRET (BT-29, BT-46). One of a customer without a scheme is its customer number.',
  }),
});

export const FurtherSellerDetails = requestShape('FurtherSellerDetails', {
  tax_number: shortText({
    max: 50,
    optional: true,
    example: '30/123/45678',
    description: 'The number at the tax office, beside the VAT number (BT-32).',
  }),
  legal_information: paragraph({
    max: 1000,
    optional: true,
    example: 'Geschäftsführer: Erika Mustermann, Amtsgericht Berlin HRB 12345',
    description: 'What the law wants on papers: directors, court, share capital (BT-33).',
  }),
});

export const FurtherBuyerDetails = requestShape('FurtherBuyerDetails', {
  e_invoice_profile: eInvoiceChoice(
    'The format of the e-invoices that it takes; without it, that of the seller.',
  ),
});

/** The fields that customers and sellers have in common. A field that is null or absent is empty. */
export const PartyRequest = requestShape('PartyRequest', {
  ...PartyNamesRequest.shape,
  ...PostalAddressRequest.shape,
  ...FurtherPartyDetails.shape,
  email: matching(
    {
      refusal: FieldRefusal.invalid_email,
      test: isEmailAddress,
      message: 'must be an e-mail address',
    },
    { optional: true, example: 'accounts@globex.example' },
  ),
  phone: shortText({ max: 50, optional: true, example: '+49 30 1234567' }),
  tax_id: shortText({
    max: 50,
    optional: true,
    example: 'DE123456788',
    description: 'The VAT number.',
  }),
  tax_ids: nestedList(() => TaxIdRequest, {
    min: 0,
    max: 10,
    optional: true,
    description: 'Further tax registrations.',
  }),
  registration_id: shortText({
    max: 50,
    optional: true,
    description: 'The number in the commercial register.',
  }),
  electronic_address: nested(() => ElectronicAddressRequest, {
    optional: true,
    description: 'Where e-invoices are delivered.',
  }),
});
export type PartyRequest = z.output<typeof PartyRequest>;

export const PostalAddressBody = answerShape('PostalAddressBody', {
  address: z.array(z.string()),
  postal_code: z.string().nullable(),
  city: z.string().nullable(),
  region: z.string().nullable(),
  country: z.string().nullable().meta({ example: 'DE' }),
});
export type PostalAddressBody = z.output<typeof PostalAddressBody>;

const RecipientBody = answerShape('RecipientBody', {
  name: z.string().nullable(),
});
type RecipientBody = z.output<typeof RecipientBody>;

const ShippingAddressBody = answerShape('ShippingAddressBody', {
  ...RecipientBody.shape,
  ...PostalAddressBody.shape,
});
type ShippingAddressBody = z.output<typeof ShippingAddressBody>;

const TaxIdBody = answerShape('TaxIdBody', {
  type: z.string(),
  value: z.string(),
});
type TaxIdBody = z.output<typeof TaxIdBody>;

const ElectronicAddressBody = answerShape('ElectronicAddressBody', {
  scheme: z.string().meta({ example: '0088' }),
  value: z.string(),
});
type ElectronicAddressBody = z.output<typeof ElectronicAddressBody>;

const PartyNamesBody = answerShape('PartyNamesBody', {
  name: z.string(),
  legal_name: z.string().nullable(),
  contact_name: z.string().nullable(),
});
type PartyNamesBody = z.output<typeof PartyNamesBody>;

const PartyBody = answerShape('PartyBody', {
  ...PartyNamesBody.shape,
  ...PostalAddressBody.shape,
  ...FurtherPartyDetails.shape,
  email: z.string().nullable(),
  phone: z.string().nullable(),
  tax_id: z.string().nullable(),
  tax_ids: z.array(TaxIdBody),
  registration_id: z.string().nullable(),
  electronic_address: ElectronicAddressBody.nullable(),
});
type PartyBody = z.output<typeof PartyBody>;

export const BuyerBody = answerShape('BuyerBody', {
  ...PartyBody.shape,
  ...FurtherBuyerDetails.shape,
  language: z.string().nullable().meta({ example: 'de' }),
  reference: z.string().nullable(),
  shipping_address: ShippingAddressBody.nullable(),
});
export type BuyerBody = z.output<typeof BuyerBody>;

const BankCode = requestShape('BankCode', {
  name: shortText({ max: 30, example: 'Routing number' }),
  value: shortText({ max: 50, example: '021000021' }),
});

/** Of accounts in countries without IBAN, or of several currencies. */
export const FurtherBankAccount = requestShape('FurtherBankAccount', {
  account_number: shortText({
    max: 34,
    optional: true,
    example: '000123456789',
    description: 'The number of an account without an IBAN (BT-84).',
  }),
  bank_code: nested(() => BankCode, {
    optional: true,
    description: 'What the country knows the bank by, as it is printed (BT-86, without a BIC).',
  }),
  currency: currencyCode({
    optional: true,
    description: 'Only documents in it name the account; without it, all do.',
  }),
});

const BankAccountBody = answerShape('BankAccountBody', {
  ...FurtherBankAccount.shape,
  holder: z.string().nullable(),
  bank_name: z.string().nullable(),
  iban: z.string().nullable().meta({ example: 'DE89370400440532013000' }),
  bic: z.string().nullable().meta({ example: 'COBADEFFXXX' }),
});
type BankAccountBody = z.output<typeof BankAccountBody>;

export const SellerBody = answerShape('SellerBody', {
  ...PartyBody.shape,
  ...FurtherSellerDetails.shape,
  website: z.string().nullable(),
  bank_accounts: z.array(BankAccountBody),
  small_business: z.boolean().describe('Whether it charges no tax, such as by section 19 UStG.'),
  logo: z.string().nullable().describe('The SHA-256 of the logo at that time.'),
  template: TemplateBody.nullable().describe(
    'The looks of documents; null is those of a new account.',
  ),
});
export type SellerBody = z.output<typeof SellerBody>;
