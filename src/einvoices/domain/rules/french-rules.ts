import { READABLE } from '../french-attachments.js';
import type { SemanticInvoice } from '../semantic/semantic-invoice.js';
import type { Identifier } from '../semantic/semantic-parties.js';
import type { SemanticTax } from '../semantic/semantic-terms.js';
import { type EInvoiceRule, each, fatal, has, typed, when } from './rule.js';

const FRENCH_TYPES = '380 389 393 501 386 500 384 471 472 473 261 262 381 396 502 503';
const CORRECTED = new Set(['384', '471', '472', '473']);

const NUMBER = /^[\w+/-]+$/;
const ADDRESS = /^[\w.+-]+$/;
const LONGEST_NUMBER = 35;

/** BT-23: deliveries, services or both, and how they are billed. */
const BUSINESS_PROCESSES = new Set(
  'B1 S1 M1 B2 S2 M2 S3 B4 S4 M4 S5 S6 B7 S7 B8 S8 M8 B9 S9 M9'.split(' '),
);

/** Rates that the law had since 2000. */
const RATES = new Set('0 0.9 1.05 1.75 2.1 5.5 7 8.5 9.2 9.6 10 13 19.6 20 20.6'.split(' '));

/** Notes that an invoice between businesses has, with what each says. */
const NOTES = [
  ['PMT', 'what recovering a debt costs'],
  ['PMD', 'the penalties for late payment'],
  ['AAB', 'the discount for early payment, or that there is none'],
] as const;

const isWrongAddress = (of: Identifier | null) => of?.scheme === '0225' && !ADDRESS.test(of.value);

/** A draft has none yet. */
const isWrongNumber = (number: string) => number !== '' && !NUMBER.test(number);

const SIREN = /^\d{9}$/;
const isSiren = (of: SemanticInvoice['seller']['registration']) =>
  of?.scheme === '0002' && SIREN.test(of.value);

/** A SIREN, and on ids also that of a single taxable person. */
const isWrongSiren = (schemes: readonly string[]) => (of: Identifier | null) =>
  of !== null && schemes.includes(of.scheme ?? '') && !SIREN.test(of.value.trim());
const isWrongRegistration = isWrongSiren(['0002']);
const isWrongId = isWrongSiren(['0002', '0231']);

const taxesOf = ({ vatBreakdown }: SemanticInvoice) => vatBreakdown.map(({ tax }) => tax);
const places = (text: string) => text.split('.')[1]?.length ?? 0;

const taxRule = (id: string, message: string, isBroken: (tax: SemanticTax) => boolean) =>
  fatal(id, message, (invoice) => each(taxesOf(invoice), (at) => `/tax_groups/${at}`, isBroken));

/** Of the French reform, flux 2, 1.4.0.03, by the ids of its rules for CII. */
export const FRENCH_CII_RULES: readonly EInvoiceRule[] = [
  fatal('BR-FR-01_BT-1', 'a number has at most 35 characters.', ({ number }) =>
    when(number.length > LONGEST_NUMBER, '/number'),
  ),
  fatal('BR-FR-02_BT-1', 'a number has letters, digits, + - _ and / only.', ({ number }) =>
    when(isWrongNumber(number), '/number'),
  ),
  ...NOTES.map(([code, what]) =>
    fatal(`BR-FR-05_BT-22_${code}`, `a note says ${what} (subject ${code}).`, ({ notes }) =>
      when(!notes.some(({ subjectCode }) => subjectCode === code), '/subject_notes'),
    ),
  ),
  typed('BR-FR-04_BT-3', FRENCH_TYPES),
  fatal(
    'BR-FR-CO-04_BT-4',
    'a corrected invoice names the one that it corrects, with its date.',
    ({ typeCode, precedingInvoices }) =>
      when(
        CORRECTED.has(typeCode) &&
          (precedingInvoices.length !== 1 || precedingInvoices[0]?.issueDate === null),
        '/preceding_invoices',
      ),
  ),
  fatal('BR-FR-08_BT-23', 'say whether goods or services are billed.', ({ businessProcess }) =>
    when(!BUSINESS_PROCESSES.has(businessProcess ?? ''), '/supply_nature'),
  ),
  fatal(
    'BR-FR-10_BT-30',
    'the seller needs a SIREN of nine digits: registration_scheme 0002.',
    ({ seller }) =>
      when(
        !isSiren(seller.registration),
        seller.registration?.scheme === '0002'
          ? '/seller/registration_id'
          : '/seller/registration_scheme',
      ),
  ),
  fatal('BR-FR-12_BT-49', 'the buyer needs an electronic_address.', ({ buyer }) =>
    when(!has(buyer.electronicAddress?.value), '/customer/electronic_address'),
  ),
  fatal('BR-FR-13_BT-34', 'the seller needs an electronic_address.', ({ seller }) =>
    when(!has(seller.electronicAddress?.value), '/seller/electronic_address'),
  ),
  taxRule('BR-FR-16_BT-119', 'France has no such rate.', ({ rate }) => !RATES.has(rate)),
  fatal('BR-FR-16_BT-152', 'France has no such rate.', ({ lines }) =>
    each(
      lines,
      (at) => `/lines/${at}/tax_rate`,
      ({ tax }) => !RATES.has(tax.rate),
    ),
  ),
  fatal(
    'BR-FR-18_BT-123',
    'only one attachment is described as LISIBLE.',
    ({ supportingDocuments }) =>
      each(
        supportingDocuments,
        (at) => `/attachments/${at}/description`,
        ({ description }) => description === READABLE,
      ).slice(1),
  ),
  fatal('BR-FR-23_BT-34', 'an address has letters, digits, + - _ and . only.', ({ seller }) =>
    when(isWrongAddress(seller.electronicAddress), '/seller/electronic_address/value'),
  ),
  fatal('BR-FR-23_BT-49', 'an address has letters, digits, + - _ and . only.', ({ buyer }) =>
    when(isWrongAddress(buyer.electronicAddress), '/customer/electronic_address/value'),
  ),
  fatal('BR-FR-32-LEGALID', 'a SIREN (0002) has nine digits.', ({ seller, buyer, payee }) => [
    ...when(isWrongRegistration(seller.registration), '/seller/registration_id'),
    ...when(isWrongRegistration(buyer.registration), '/customer/registration_id'),
    ...when(isWrongRegistration(payee?.registration ?? null), '/payee/registration_id'),
  ]),
  fatal('BR-FR-32-GLOBALID', 'an id of 0002 or 0231 has nine digits.', (invoice, { syntax }) => [
    ...each(invoice.seller.ids, (at) => `/seller/identifiers/${at}`, isWrongId),
    ...each(invoice.buyer.ids, (at) => `/customer/identifiers/${at}`, isWrongId),
    ...when(isWrongId(invoice.payee?.id ?? null), '/payee/id'),
    ...when(syntax === 'cii' && isWrongId(invoice.delivery.location), '/delivery/location_id'),
  ]),
  fatal('BR-FR-CO-12_BT-5', 'tax is told in EUR; bill in EUR.', (invoice) =>
    when(invoice.currency !== 'EUR' && invoice.vatAccountingCurrency !== 'EUR', '/currency'),
  ),
  fatal('BR-FR-DEC-02_BT-129', 'a quantity has four decimals at most.', ({ lines }) =>
    each(
      lines,
      (at) => `/lines/${at}/quantity`,
      ({ quantity }) => places(quantity) > 4,
    ),
  ),
  fatal('BR-FR-DEC-02_BT-149', 'a base quantity has four decimals at most.', ({ lines }) =>
    each(
      lines,
      (at) => `/lines/${at}/price_base_quantity`,
      ({ price }) => places(price.baseQuantity) > 4,
    ),
  ),
];

/** The rules for UBL count where those for CII say the subject. */
const IN_UBL: Record<string, string> = {
  'BR-FR-01_BT-1': 'BR-FR-01_BT-1-1',
  'BR-FR-32-GLOBALID': 'BR-FR-32-ID',
  'BR-FR-05_BT-22_PMT': 'BR-FR-05_BT-22-1',
  'BR-FR-05_BT-22_PMD': 'BR-FR-05_BT-22-2',
  'BR-FR-05_BT-22_AAB': 'BR-FR-05_BT-22-3',
};

export const FRENCH_UBL_RULES: readonly EInvoiceRule[] = [
  ...FRENCH_CII_RULES.map((rule) => ({ ...rule, id: IN_UBL[rule.id] ?? rule.id })),
  fatal('BR-FR-01_BT-1-2', 'a number has letters, digits, + - _ and / only.', ({ number }) =>
    when(isWrongNumber(number), '/number'),
  ),
  fatal('BR-FR-CO-10_BT-60-1', 'an id of the payee needs a scheme: id_scheme.', ({ payee }) =>
    when(payee?.id != null && payee.id.scheme === null, '/payee/id_scheme'),
  ),
];
