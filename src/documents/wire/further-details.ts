import type { z } from 'zod';
import { requestShape } from '../../platform/http/validation/shapes.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import {
  amountMinor,
  decimalText,
  nested,
  nestedList,
  oneOf,
} from '../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  paragraph,
  shortText,
} from '../../platform/http/validation/text-fields.js';
import {
  isCreditNoteType,
  isInvoiceType,
  isNoteSubject,
  isObjectScheme,
} from '../domain/codes/code-lists.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { TAX_CATEGORIES } from '../domain/calculation/tax-categories.js';
import { SUPPLY_NATURES, TAX_POINTS } from '../domain/document-details.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { eInvoiceChoice } from './e-invoice-profile.js';
import { countryCode } from './party.js';

// Particulars of EN 16931 that few documents have. A request and an answer say them in the same words;
// an answer has them only where they were said.

nameWords({ SupplyNature: SUPPLY_NATURES, TaxPoint: TAX_POINTS });

export const referenceText = (description: string, example: string) =>
  shortText({ max: 100, optional: true, description, example });

const ObjectId = requestShape('ObjectId', {
  scheme: matching(
    {
      refusal: DocumentRefusal.unknown_scheme,
      test: isObjectScheme,
      message: 'must be a code of UNTDID 1153 such as MG for a meter',
    },
    { optional: true, example: 'MG', description: 'UNTDID 1153: MG is a meter.' },
  ),
  value: shortText({ max: 100, example: '1EMH0012345678' }),
});

const TaxCurrency = requestShape('TaxCurrency', {
  currency: currencyCode({ example: 'EUR' }),
  exchange_rate: decimalText({
    min: '0.000000000001',
    max: '999999999999',
    places: 24,
    textOnly: true,
    optional: true,
    example: '0.9215',
    description:
      'The worth of one unit of the document’s currency in it. Default: the rate that your books know ' +
      'for the day of issue.',
  }),
});

const DirectDebit = requestShape('DirectDebit', {
  mandate_reference: shortText({
    max: 35,
    optional: true,
    example: 'MNDT-0001',
    description: 'The reference of the mandate (BT-89).',
  }),
  creditor_id: shortText({
    max: 35,
    optional: true,
    example: 'DE98ZZZ09999999999',
    description: 'By which the bank knows you as a creditor (BT-90).',
  }),
  account: shortText({
    max: 34,
    optional: true,
    example: 'DE89370400440532013000',
    description: 'The account that is debited (BT-91).',
  }),
});

const PaymentCard = requestShape('PaymentCard', {
  last_digits: matching(
    {
      refusal: DocumentRefusal.invalid_card_digits,
      test: (text) => /^\d{4,6}$/.test(text),
      message: 'must be the last 4 to 6 digits of the card, and no more',
    },
    { example: '4242', description: 'The last 4 to 6 digits; never the whole number (BT-87).' },
  ),
  holder: shortText({ max: 200, optional: true, description: 'BT-88.' }),
});

const PrecedingReference = requestShape('PrecedingReference', {
  number: shortText({ max: 100, example: 'INV-00001', description: 'BT-25.' }),
  issue_date: dateText({ optional: true, description: 'BT-26.' }),
});

const SubjectNote = requestShape('SubjectNote', {
  subject: matching(
    {
      refusal: DocumentRefusal.unknown_note_subject,
      test: isNoteSubject,
      message: 'must be a code of UNTDID 4451 such as PMT',
    },
    {
      optional: true,
      example: 'PMT',
      description: 'What it is about, by UNTDID 4451: France asks for PMT, PMD and AAB (BT-21).',
    },
  ),
  text: paragraph({ max: 5000, description: 'BT-22.' }),
});

export const subjectNotes = (description: string) =>
  nestedList(() => SubjectNote, { min: 0, max: 20, optional: true, description });

const IssuedTaxBody = requestShape('IssuedTax', {
  tax_rate: decimalText({ min: '0', max: '100', places: 4, textOnly: true, example: '19' }),
  tax_category: oneOf(TAX_CATEGORIES, {
    optional: true,
    description: 'A code of UNCL5305. Default: S, or Z for a rate of 0.',
  }),
  tax_amount: amountMinor({ signed: true, zero: true, example: 75_741 }),
});

/** Of a document. */
export const FurtherDetails = requestShape('FurtherDetails', {
  type_code: matching(
    {
      refusal: DocumentRefusal.unknown_type_code,
      test: (text) => isInvoiceType(text) || isCreditNoteType(text),
      message: 'must be a code of UNTDID 1001 such as 386 for a prepayment invoice',
    },
    {
      optional: true,
      example: '386',
      description:
        'The type by UNTDID 1001 (BT-3). 326 is a partial invoice, 384 a corrected one. 386 is for a ' +
        'prepayment, 389 is self-billed, 875 and 877 are for construction. Without it: 380 or 381.',
    },
  ),
  tax_currency: nested(() => TaxCurrency, {
    optional: true,
    description: 'A further currency in which the tax is said, as a country may ask for (BT-6).',
  }),
  supply_nature: oneOf(SUPPLY_NATURES, {
    optional: true,
    description: 'What is billed; e-invoices in France say it (BT-23).',
  }),
  tax_point_date: dateText({
    optional: true,
    description: 'The day on which tax is owed, if it is not one of tax_point (BT-7).',
  }),
  tax_point: oneOf(TAX_POINTS, {
    optional: true,
    description: 'Whether tax is owed on the day of issue, of delivery, or of payment (BT-8).',
  }),
  receiving_reference: referenceText('The buyer’s receiving advice (BT-15).', 'WE-2026-88'),
  tender_reference: referenceText('The call for tender, or its lot (BT-17).', 'TED-2026-17'),
  invoiced_object: nested(() => ObjectId, {
    optional: true,
    description: 'The object that is billed, such as a meter or a subscription (BT-18).',
  }),
  buyer_accounting_reference: referenceText('Where the buyer books it (BT-19).', '4711-100'),
  payment_terms: paragraph({
    max: 1000,
    optional: true,
    example: 'Payable in two parts.',
    description: 'The terms of payment in words, beside due date and cash discounts (BT-20).',
  }),
  payment_account: shortText({
    max: 50,
    optional: true,
    example: 'DE89370400440532013000',
    description:
      'The one bank account that it names, by its IBAN or account_number; without it, those of the ' +
      'seller for its currency.',
  }),
  payment_means_text: shortText({
    max: 500,
    optional: true,
    description: 'The means of payment in words (BT-82).',
  }),
  direct_debit: nested(() => DirectDebit, {
    optional: true,
    description: 'The debit that the buyer has agreed to (BG-19).',
  }),
  payment_card: nested(() => PaymentCard, {
    optional: true,
    description: 'The card that was paid with (BG-18).',
  }),
  preceding_invoices: nestedList(() => PrecedingReference, {
    min: 0,
    max: 100,
    optional: true,
    description: 'Invoices that this one corrects, completes or follows (BG-3).',
  }),
  issued_taxes: nestedList(() => IssuedTaxBody, {
    min: 0,
    max: 100,
    optional: true,
    description:
      'Of a document that was issued elsewhere: taxes that are not base times rate there (BT-117). They ' +
      'are kept, and warned of.',
  }),
  subject_notes: subjectNotes('Notes with what each is about, beside notes (BG-1).'),
  e_invoice_profile: eInvoiceChoice(
    'The e-invoice that goes out with it. Without it: that of the customer, else of the seller. It is ' +
      'decided when the document is issued.',
  ),
});

const Attribute = requestShape('Attribute', {
  name: shortText({ max: 100, example: 'Colour', description: 'BT-160.' }),
  value: shortText({ max: 500, example: 'red', description: 'BT-161.' }),
});

/** Of what is sold, wherever it is sold: items of the catalogue have them, too. */
const FurtherItemDetails = requestShape('FurtherItemDetails', {
  country_of_origin: countryCode('Where it was made, by ISO 3166-1 (BT-159).'),
  attributes: nestedList(() => Attribute, {
    min: 0,
    max: 50,
    optional: true,
    description: 'What it is like: names and values (BG-32).',
  }),
});

/** Of a line. */
export const FurtherLineDetails = requestShape('FurtherLineDetails', {
  ...FurtherItemDetails.shape,
  item_description: paragraph({
    max: 2000,
    optional: true,
    description: 'What it is in more words; description is then its name alone (BT-154).',
  }),
  note: paragraph({ max: 1000, optional: true, description: 'A note to the line (BT-127).' }),
  invoiced_object: nested(() => ObjectId, {
    optional: true,
    description: 'The object that the line bills, such as a meter (BT-128).',
  }),
  buyer_accounting_reference: referenceText('Where the buyer books it (BT-133).', '4711-100'),
  price_base_quantity: decimalText({
    min: '0.000001',
    max: '1000000000',
    places: 6,
    textOnly: true,
    optional: true,
    example: '100',
    description: 'For how many units the price is: 100 for a price by the hundred (BT-149).',
  }),
  issued_net_amount_decimal: matching(
    {
      refusal: FieldRefusal.invalid_decimal,
      test: (text) => /^-?\d{1,13}$/.test(text),
      message: 'must be a whole number of minor units as text, of at most 13 digits',
    },
    {
      optional: true,
      example: '10000',
      description:
        'Of a document that was issued elsewhere: its net amount there, in minor units, where it is not ' +
        'quantity times price (BT-131). It is kept, and warned of.',
    },
  ),
  gross_unit_amount_decimal: decimalText({
    min: '0',
    max: '10000000000000',
    places: 12,
    textOnly: true,
    optional: true,
    example: '12500',
    description:
      'The list price in minor units, from which unit_amount was reduced (BT-148). It is said, and ' +
      'not calculated with.',
  }),
});
export type FurtherLineDetails = z.output<typeof FurtherLineDetails>;
