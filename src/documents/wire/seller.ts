import { z } from 'zod';
import { isValidBIC, isValidIBAN } from 'ibantools';
import { isTimeZone } from '../../kernel/clock.js';
import { answerShape, patchOf, requestShape, some } from '../../platform/http/validation/shapes.js';
import { ACCOUNT_MODES, type AccountRow } from '../../auth/index.js';
import type { FieldError } from '../../kernel/domain-error.js';
import { FieldRefusal, invalidFields } from '../../kernel/field-refusals.js';
import { publicId } from '../../kernel/ids.js';
import { flag, nested, nestedList, wholeNumber } from '../../platform/http/validation/fields.js';
import {
  currencyCode,
  matching,
  paragraph,
  shortText,
} from '../../platform/http/validation/text-fields.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { languageTag, webAddress } from '../../platform/http/validation/standard-fields.js';
import type { ProfilePatch } from '../application/seller-profiles.service.js';
import { defaultsOf } from '../domain/drafts/document-defaults.js';
import { E_INVOICE_CHOICES } from '../domain/codes/e-invoice-profiles.js';
import type { BankAccount } from '../domain/parties/bank-account.js';
import { sellerOf } from '../domain/parties/party.js';
import { taxRateId, taxRateIdIn } from './catalogue/catalogue-ids.js';
import { cashDiscounts, CashDiscountTermBody, orderedDiscounts } from './cash-discount.js';
import {
  PayeeBody,
  PayeeRequest,
  TaxRepresentativeBody,
  TaxRepresentativeRequest,
} from './document-details.js';
import { withoutNulls } from './customer.js';
import { toOthers } from './parse-draft.js';
import { eInvoiceChoice } from './e-invoice-profile.js';
import { subjectNotes } from './further-details.js';
import { FurtherBankAccount, FurtherSellerDetails, PartyRequest, SellerBody } from './party.js';
import { TemplateRequest, toTemplate } from './template.js';
import { DocumentRefusal } from '../domain/refusals.js';

/** Takes numbers as banks print them: with spaces or hyphens, in small letters too. */
const compacted = (value: string) => value.replaceAll(/[\s-]/g, '').toUpperCase();

const iban = () =>
  matching(
    {
      refusal: DocumentRefusal.invalid_iban,
      test: isValidIBAN,
      message: 'must be an IBAN of a known country whose check digits are right',
    },
    {
      tidy: compacted,
      optional: true,
      example: 'DE89 3704 0044 0532 0130 00',
      description: 'Spaces are removed.',
    },
  );

const bic = () =>
  matching(
    {
      refusal: DocumentRefusal.invalid_bic,
      test: isValidBIC,
      message: 'must be a BIC (ISO 9362) of 8 or 11 characters',
    },
    { tidy: compacted, optional: true, example: 'COBADEFFXXX' },
  );

const BankAccountRequest = requestShape('BankAccountRequest', {
  holder: shortText({
    max: 200,
    optional: true,
    description: 'The account holder, if it is not the seller.',
  }),
  bank_name: shortText({ max: 200, optional: true, example: 'Commerzbank' }),
  iban: iban(),
  bic: bic(),
  ...FurtherBankAccount.shape,
});
type BankAccountRequest = z.output<typeof BankAccountRequest>;

/** The seller, and what new documents of the account start with. */
const SellerRequest = requestShape('SellerRequest', {
  ...PartyRequest.shape,
  ...FurtherSellerDetails.shape,
  website: webAddress({ max: 300, optional: true, example: 'https://acme.example' }),
  bank_accounts: nestedList(() => BankAccountRequest, {
    min: 0,
    max: 10,
    optional: true,
    description: 'The accounts that clients pay to. The list replaces the one before.',
  }),
  small_business: flag({
    optional: true,
    description:
      'True if you charge no tax as a small business, such as by section 19 UStG. Lines that say ' +
      'nothing of tax are then exempt, with the words of your country’s law (BT-120, BT-121).',
  }),
  template: nested(() => TemplateRequest, {
    optional: true,
    description:
      'The looks of documents: colour, columns, words, footer and paragraphs of your own. It ' +
      'replaces the one before, and stays with documents that are issued; null removes it.',
  }),
  currency: currencyCode({ description: 'The currency of new documents.' }),
  base_currency: currencyCode({
    description:
      'The currency that reports say their figures in beside the original, and by way of which an ' +
      'exchange rate is found that nobody told directly. It begins as the currency of new documents.',
  }),
  language: languageTag({
    optional: true,
    description: 'The language of new documents; null means `en`.',
  }),
  payment_terms_days: wholeNumber({
    min: 0,
    max: 3650,
    optional: true,
    description: 'After how many days a new document is due; null means 30.',
  }),
  cash_discounts: cashDiscounts(
    'Reductions for those who pay early, of new documents that are due by these terms; null is none.',
  ),
  payee: nested(() => PayeeRequest, {
    optional: true,
    description: 'Who gets the money of new documents in your place (BG-10).',
  }),
  tax_representative: nested(() => TaxRepresentativeRequest, {
    optional: true,
    description: 'Who owes your tax on new documents (BG-11).',
  }),
  subject_notes: subjectNotes('The notes with a subject of new documents (BG-1).'),
  e_invoice_profile: eInvoiceChoice(
    'The format of e-invoices that goes out with documents, where neither they nor their customer say one.',
  ),
  strict_profile: flag({
    optional: true,
    description:
      'Whether an invoice that breaks a fatal rule of its e-invoice profile is refused when it is issued, ' +
      'instead of issued with warnings; null means false.',
  }),
  document_notes: paragraph({
    max: 5000,
    optional: true,
    description: 'The notes of new documents.',
  }),
  books_from: dateText({
    optional: true,
    description:
      'The first day of your books: no document is dated before it. Default: 1 January, ten years ' +
      'before the account was made.',
  }),
  issue_days_ahead: wholeNumber({
    min: 0,
    max: 366,
    optional: true,
    description: 'How many days ahead a document may be dated when it is issued; null means 90.',
  }),
  strict: flag({
    optional: true,
    description:
      'Whether an invoice that lacks what the law asks for is refused when it is issued, instead of ' +
      'issued with warnings; null means false.',
  }),
  default_tax_rate_id: taxRateId({
    description: 'The tax rate of lines that say nothing of tax; null means none.',
  }),
  time_zone: matching(
    {
      refusal: FieldRefusal.unknown_time_zone,
      test: isTimeZone,
      message: 'must be an IANA time zone such as Europe/Berlin',
    },
    {
      example: 'Europe/Berlin',
      description: 'The time zone that decides which day it is.',
    },
  ),
});
type SellerRequest = z.output<typeof SellerRequest>;

export const PatchSellerRequest = requestShape('PatchSellerRequest', patchOf(SellerRequest.shape));
export type PatchSellerRequest = z.output<typeof PatchSellerRequest>;

export const SellerProfileBody = answerShape('SellerProfileBody', {
  ...SellerBody.shape,
  mode: z
    .enum(ACCOUNT_MODES)
    .describe('`test`: made for trying, so the sandbox may pay its invoices. It never changes.'),
  currency: z.string().meta({ example: 'EUR' }),
  base_currency: z.string().meta({ example: 'EUR' }),
  language: z.string().meta({ example: 'de' }),
  payment_terms_days: z.number().meta({ type: 'integer', example: 30 }),
  cash_discounts: z.array(CashDiscountTermBody),
  payee: PayeeBody.nullable(),
  tax_representative: TaxRepresentativeBody.nullable(),
  ...some(SellerRequest.shape, ['subject_notes']),
  e_invoice_profile: z.enum(E_INVOICE_CHOICES).nullable(),
  strict_profile: z.boolean(),
  document_notes: z.string().nullable(),
  books_from: z.string().meta({ format: 'date', example: '2016-01-01' }),
  issue_days_ahead: z.number().meta({ type: 'integer', example: 90 }),
  strict: z.boolean(),
  default_tax_rate_id: z.string().nullable().meta({ example: 'txr_01h455vb4pex5vsknk084sn02q' }),
  time_zone: z.string().meta({ example: 'Europe/Berlin' }),
  version: z.number().meta({ type: 'integer', description: 'The same as in the `ETag`.' }),
  updated_at: z.string().meta({ format: 'date-time' }),
});
export type SellerProfileBody = z.output<typeof SellerProfileBody>;

export function toProfilePatch(request: PatchSellerRequest): ProfilePatch {
  const {
    currency,
    base_currency: baseCurrency,
    language,
    payment_terms_days: paymentTermsDays,
    document_notes: documentNotes,
    cash_discounts: discounts,
    payee,
    tax_representative: agent,
    subject_notes: notes,
    e_invoice_profile: profile,
    strict_profile: strictProfile,
    books_from: booksFrom,
    issue_days_ahead: issueDaysAhead,
    strict,
    default_tax_rate_id: defaultTaxRate,
    time_zone: timeZone,
    bank_accounts: accounts,
    template,
    ...party
  } = request;
  assertOneNumberEach(accounts ?? []);
  return {
    seller: {
      ...party,
      bank_accounts: accounts && accounts.map(toBankAccount),
      template: template && toTemplate(template),
    },
    currency,
    baseCurrency,
    language,
    paymentTermsDays,
    documentNotes,
    documentDefaults: {
      ...(discounts !== undefined && { cash_discounts: orderedDiscounts(discounts ?? []) }),
      ...toOthers({ payee, tax_representative: agent }),
      ...(notes !== undefined && { subject_notes: withoutNulls(notes ?? []) }),
      ...(profile !== undefined && { e_invoice_profile: profile }),
      ...(strictProfile !== undefined && { strict_profile: strictProfile ?? false }),
    },
    booksFrom,
    issueDaysAhead,
    strict,
    defaultTaxRateId: defaultTaxRate && taxRateIdIn(defaultTaxRate),
    timeZone,
  };
}

function toBankAccount(request: BankAccountRequest): BankAccount {
  return { holder: null, bank_name: null, iban: null, bic: null, ...withoutNulls(request) };
}

/** @throws DomainError `required`, `said_twice`, with each account that has no number, or two */
function assertOneNumberEach(accounts: readonly BankAccountRequest[]): void {
  const errors = accounts.flatMap(({ iban, account_number: other }, at): FieldError[] => {
    const pointer = `/bank_accounts/${at}`;
    if (iban == null && other == null) {
      return [FieldRefusal.required.field(`${pointer}/iban`, 'Send iban, or account_number.')];
    }
    if (iban == null || other == null) return [];
    const message = 'Send either iban or account_number.';
    return [FieldRefusal.said_twice.field(`${pointer}/account_number`, message)];
  });
  if (errors.length > 0) throw invalidFields(errors);
}

export function presentProfile(account: AccountRow): SellerProfileBody {
  return {
    ...sellerOf(account.seller),
    mode: account.mode,
    currency: account.currency,
    base_currency: account.baseCurrency,
    language: account.language,
    payment_terms_days: account.paymentTermsDays,
    document_notes: account.documentNotes,
    ...defaultsOf(account),
    books_from: account.booksFrom,
    issue_days_ahead: account.issueDaysAhead,
    strict: account.strict,
    default_tax_rate_id: account.defaultTaxRateId && publicId('txr', account.defaultTaxRateId),
    time_zone: account.timeZone,
    version: account.version,
    updated_at: account.updatedAt.toISOString(),
  };
}
