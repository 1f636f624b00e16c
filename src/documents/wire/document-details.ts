import { z } from 'zod';
import { answerShape, requestShape, some } from '../../platform/http/validation/shapes.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { nested, nestedList } from '../../platform/http/validation/fields.js';
import { matching, shortText } from '../../platform/http/validation/text-fields.js';
import {
  isClassificationList,
  isIcd,
  isPaymentMeans,
  isVatexCode,
} from '../domain/codes/code-lists.js';
import {
  isPaymentReference,
  MOST_OF_REFERENCE,
  tidyPaymentReference,
} from '../domain/payment-reference.js';
import { FurtherDetails, FurtherLineDetails, referenceText } from './further-details.js';
import { PostalAddressBody, PostalAddressRequest, registrationScheme, SchemedId } from './party.js';
import { DocumentRefusal } from '../domain/refusals.js';

// The BT and BG numbers are the business terms of EN 16931.

const ServicePeriodRequest = requestShape('ServicePeriodRequest', {
  start: dateText({
    example: '2026-11-01',
    description: 'The first day (BT-73, on a line BT-134).',
  }),
  end: dateText({ example: '2026-11-30', description: 'The last day (BT-74, on a line BT-135).' }),
});
type ServicePeriodRequest = z.output<typeof ServicePeriodRequest>;

const RecipientRequest = requestShape('RecipientRequest', {
  name: shortText({ max: 300, optional: true, description: 'Who receives it (BT-70).' }),
  location_id: nested(() => SchemedId, {
    optional: true,
    description: 'By which the place is known, such as a GLN (BT-71).',
  }),
});
type RecipientRequest = z.output<typeof RecipientRequest>;

const DeliveryRequest = requestShape('DeliveryRequest', {
  ...RecipientRequest.shape,
  ...PostalAddressRequest.shape,
});
type DeliveryRequest = z.output<typeof DeliveryRequest>;

const RepresentativeRequest = requestShape('RepresentativeRequest', {
  name: shortText({ max: 300, example: 'Fiskal GmbH', description: 'The name (BT-62).' }),
  tax_id: shortText({ max: 50, example: 'DE123456788', description: 'The VAT number (BT-63).' }),
});
type RepresentativeRequest = z.output<typeof RepresentativeRequest>;

export const TaxRepresentativeRequest = requestShape('TaxRepresentativeRequest', {
  ...RepresentativeRequest.shape,
  ...PostalAddressRequest.shape,
});
export type TaxRepresentativeRequest = z.output<typeof TaxRepresentativeRequest>;

export const PayeeRequest = requestShape('PayeeRequest', {
  name: shortText({ max: 300, example: 'Factoring AG', description: 'The name (BT-59).' }),
  id: shortText({
    max: 50,
    optional: true,
    description: 'An id that the buyer knows it by (BT-60).',
  }),
  id_scheme: registrationScheme('BT-60-1'),
  registration_id: shortText({
    max: 50,
    optional: true,
    description: 'The number in the register (BT-61).',
  }),
  registration_scheme: registrationScheme('BT-61-1'),
});
export type PayeeRequest = z.output<typeof PayeeRequest>;

/** Details of EN 16931 that a draft takes. */
export const DocumentDetailsRequest = requestShape('DocumentDetailsRequest', {
  ...FurtherDetails.shape,
  supply_date: dateText({
    optional: true,
    description: 'The day of the supply, where it is not that of the invoice (BT-72).',
  }),
  service_period: nested(() => ServicePeriodRequest, {
    optional: true,
    description: 'The days that the document bills (BG-14).',
  }),
  delivery: nested(() => DeliveryRequest, {
    optional: true,
    description: 'Where it was delivered (BG-13). Default: the customer’s shipping address.',
  }),
  buyer_reference: referenceText(
    'What the buyer sorts invoices by, such as a Leitweg-ID (BT-10). Default: the customer’s reference.',
    '04011000-12345-03',
  ),
  project_reference: referenceText('The project (BT-11).', 'P-2026-17'),
  contract_reference: referenceText('The contract (BT-12).', 'V-4711'),
  sales_order: referenceText('The seller’s own number of the order (BT-14).', 'SO-1001'),
  despatch_reference: referenceText('The despatch advice or delivery note (BT-16).', 'LS-2026-88'),
  payment_means_code: matching(
    {
      refusal: DocumentRefusal.unknown_payment_means,
      test: isPaymentMeans,
      message: 'must be a code of UNTDID 4461 such as 58 for a SEPA credit transfer',
    },
    { optional: true, example: '58', description: 'How it is to be paid: UNTDID 4461 (BT-81).' },
  ),
  payment_reference: matching(
    {
      refusal: DocumentRefusal.invalid_payment_reference,
      test: isPaymentReference,
      message:
        'must be a line of 1 to 140 characters with a letter or digit in it; one of ISO 11649 (RF18 ...), ' +
        'of Belgium (+++...+++) or of a Swiss QR-bill (27 digits) needs its right check digits',
    },
    {
      optional: true,
      tidy: tidyPaymentReference,
      schema: { minLength: 1, maxLength: MOST_OF_REFERENCE },
      example: 'RF18539007547034',
      description:
        'Your own reference for the transfer (BT-83). Without it, an invoice gets one of its number. No copy has it.',
    },
  ),
  tax_representative: nested(() => TaxRepresentativeRequest, {
    optional: true,
    description: 'Who owes the tax for the seller in the country of the buyer (BG-11).',
  }),
  payee: nested(() => PayeeRequest, {
    optional: true,
    description: 'Who is paid, if it is not the seller (BG-10).',
  }),
});
export type DocumentDetailsRequest = z.output<typeof DocumentDetailsRequest>;

const StandardItemIdRequest = requestShape('StandardItemIdRequest', {
  scheme: matching(
    {
      refusal: DocumentRefusal.unknown_scheme,
      test: isIcd,
      message: 'must be a code of ISO 6523 such as 0160 for a GTIN',
    },
    { example: '0160', description: 'ISO 6523: 0160 is a GTIN (BT-157-1).' },
  ),
  value: shortText({ max: 100, example: '4012345678901', description: 'BT-157.' }),
});
type StandardItemIdRequest = z.output<typeof StandardItemIdRequest>;

const ClassificationRequest = requestShape('ClassificationRequest', {
  list: matching(
    {
      refusal: DocumentRefusal.unknown_classification_list,
      test: isClassificationList,
      message: 'must be a code of UNTDID 7143 such as STI for CPV',
    },
    { example: 'STI', description: 'UNTDID 7143: STI is CPV (BT-158-1).' },
  ),
  code: shortText({ max: 100, example: '72000000-5', description: 'BT-158.' }),
  version: shortText({
    max: 50,
    optional: true,
    description: 'The version of the list (BT-158-2).',
  }),
});
type ClassificationRequest = z.output<typeof ClassificationRequest>;

/** Details of EN 16931 that a line takes. */
export const LineDetailsRequest = requestShape('LineDetailsRequest', {
  ...FurtherLineDetails.shape,
  service_period: nested(() => ServicePeriodRequest, {
    optional: true,
    description: 'The days that the line bills (BG-26).',
  }),
  order_line: referenceText('The line of the buyer’s order (BT-132).', '10'),
  buyer_item_id: referenceText('The buyer’s number of the item (BT-156).', 'B-4711'),
  standard_item_id: nested(() => StandardItemIdRequest, {
    optional: true,
    description: 'A registered id of the item, such as a GTIN (BT-157).',
  }),
  classifications: nestedList(() => ClassificationRequest, {
    min: 0,
    max: 10,
    optional: true,
    description: 'What kind of item it is, by lists such as CPV (BT-158).',
  }),
  tax_exemption_code: matching(
    {
      refusal: DocumentRefusal.unknown_exemption_code,
      test: isVatexCode,
      message: 'must be a code of the VATEX list such as VATEX-EU-132-1I',
    },
    {
      optional: true,
      example: 'VATEX-EU-132-1I',
      tidy: (code) => code.toUpperCase(),
      description:
        'Why there is no tax (BT-121), also in small letters. A category has one on a document.',
    },
  ),
});
export type LineDetailsRequest = z.output<typeof LineDetailsRequest>;

const ServicePeriodBody = answerShape('ServicePeriodBody', {
  start: z.string().meta({ format: 'date', description: 'BT-73, on a line BT-134.' }),
  end: z.string().meta({ format: 'date', description: 'BT-74, on a line BT-135.' }),
});
type ServicePeriodBody = z.output<typeof ServicePeriodBody>;

const RecipientBody = answerShape('RecipientBody', {
  ...some(RecipientRequest.shape, ['location_id']),
  name: z.string().nullable().describe('BT-70.'),
});
type RecipientBody = z.output<typeof RecipientBody>;

const DeliveryBody = answerShape('DeliveryBody', {
  ...RecipientBody.shape,
  ...PostalAddressBody.shape,
});
type DeliveryBody = z.output<typeof DeliveryBody>;

const RepresentativeBody = answerShape('RepresentativeBody', {
  name: z.string().describe('BT-62.'),
  tax_id: z.string().describe('BT-63.'),
});
type RepresentativeBody = z.output<typeof RepresentativeBody>;

export const TaxRepresentativeBody = answerShape('TaxRepresentativeBody', {
  ...RepresentativeBody.shape,
  ...PostalAddressBody.shape,
});
export type TaxRepresentativeBody = z.output<typeof TaxRepresentativeBody>;

export const PayeeBody = answerShape('PayeeBody', {
  ...some(PayeeRequest.shape, ['id_scheme', 'registration_scheme']),
  name: z.string().describe('BT-59.'),
  id: z.string().nullable().describe('BT-60.'),
  registration_id: z.string().nullable().describe('BT-61.'),
});
export type PayeeBody = z.output<typeof PayeeBody>;

const PrecedingInvoiceBody = answerShape('PrecedingInvoiceBody', {
  number: z.string().meta({ example: 'INV-00001', description: 'BT-25.' }),
  issue_date: z.string().meta({ format: 'date', description: 'BT-26.' }),
});
type PrecedingInvoiceBody = z.output<typeof PrecedingInvoiceBody>;

const StandardItemIdBody = answerShape('StandardItemIdBody', {
  scheme: z.string().meta({ example: '0160', description: 'BT-157-1.' }),
  value: z.string().describe('BT-157.'),
});
type StandardItemIdBody = z.output<typeof StandardItemIdBody>;

const ClassificationBody = answerShape('ClassificationBody', {
  list: z.string().meta({ example: 'STI', description: 'BT-158-1.' }),
  code: z.string().describe('BT-158.'),
  version: z.string().nullable().describe('BT-158-2.'),
});
type ClassificationBody = z.output<typeof ClassificationBody>;

export const LineDetailsBody = answerShape('LineDetailsBody', {
  ...FurtherLineDetails.shape,
  service_period: ServicePeriodBody.nullable().describe('The days billed (BG-26).'),
  order_line: z.string().nullable().describe('The line of the buyer’s order (BT-132).'),
  buyer_item_id: z.string().nullable().describe('The buyer’s number of the item (BT-156).'),
  standard_item_id: StandardItemIdBody.nullable().describe('Such as a GTIN (BT-157).'),
  classifications: z
    .array(ClassificationBody)
    .nullable()
    .describe('What kind of item it is (BT-158).'),
  tax_exemption_code: z.string().nullable().describe('A VATEX code (BT-121).'),
});
export type LineDetailsBody = z.output<typeof LineDetailsBody>;

export const DocumentDetailsBody = answerShape('DocumentDetailsBody', {
  ...FurtherDetails.shape,
  supply_date: z
    .string()
    .nullable()
    .meta({ format: 'date', description: 'The day of the supply (BT-72).' }),
  service_period: ServicePeriodBody.nullable().describe('The days billed (BG-14).'),
  delivery: DeliveryBody.nullable().describe(
    'Where it was delivered (BG-13); null: the customer’s shipping address.',
  ),
  buyer_reference: z
    .string()
    .nullable()
    .describe('What the buyer sorts invoices by (BT-10); null: the customer’s reference.'),
  project_reference: z.string().nullable().describe('The project (BT-11).'),
  contract_reference: z.string().nullable().describe('The contract (BT-12).'),
  sales_order: z.string().nullable().describe('The seller’s number of the order (BT-14).'),
  despatch_reference: z.string().nullable().describe('The despatch advice (BT-16).'),
  payment_means_code: z
    .string()
    .nullable()
    .meta({ example: '58', description: 'UNTDID 4461 (BT-81).' }),
  tax_representative: TaxRepresentativeBody.nullable().describe(
    'Who owes the tax for the seller (BG-11).',
  ),
  payee: PayeeBody.nullable().describe('Who is paid, if it is not the seller (BG-10).'),
  preceding_invoice: PrecedingInvoiceBody.nullable().describe(
    'Of a credit note: the invoice that it corrects (BG-3).',
  ),
});
export type DocumentDetailsBody = z.output<typeof DocumentDetailsBody>;
