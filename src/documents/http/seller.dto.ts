import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { isValidBIC, isValidIBAN } from 'ibantools';
import { ACCOUNT_MODES, type AccountMode, type AccountRow } from '../../auth/index.js';
import { publicId } from '../../kernel/ids.js';
import {
  CurrencyCode,
  DateText,
  Flag,
  Matching,
  Nested,
  NestedList,
  Paragraph,
  Text,
  WholeNumber,
} from '../../platform/http/validation/fields.js';
import { MergePatchOf } from '../../platform/http/validation/merge-patch.js';
import { Tidied } from '../../platform/http/validation/rules.js';
import {
  LanguageTag,
  TimeZoneName,
  WebAddress,
} from '../../platform/http/validation/standard-fields.js';
import type { ProfilePatch } from '../application/seller-profiles.service.js';
import { defaultsOf } from '../domain/document-defaults.js';
import { sellerOf } from '../domain/parties/party.js';
import { TaxRateId, taxRateIdIn } from './catalogue/catalogue-ids.js';
import {
  CashDiscountRequest,
  CashDiscounts,
  CashDiscountTermBody,
  orderedDiscounts,
} from './cash-discount.dto.js';
import {
  PayeeBody,
  PayeeRequest,
  TaxRepresentativeBody,
  TaxRepresentativeRequest,
} from './document-details.dto.js';
import { toOthers } from './parse-draft.js';
import { PartyRequest, SellerBody } from './party.dto.js';
import { TemplateRequest, toTemplate } from './template/template.dto.js';

/** Takes numbers as banks print them: with spaces or hyphens, in small letters too. */
const Compacted = () =>
  Tidied((value) =>
    typeof value === 'string' ? value.replaceAll(/[\s-]/g, '').toUpperCase() : value,
  );

const Iban = () =>
  applyDecorators(
    Compacted(),
    Matching(
      {
        code: 'invalid_iban',
        test: isValidIBAN,
        message: 'must be an IBAN of a known country whose check digits are right',
      },
      { example: 'DE89 3704 0044 0532 0130 00', description: 'Spaces are removed.' },
    ),
  );

const Bic = () =>
  applyDecorators(
    Compacted(),
    Matching(
      {
        code: 'invalid_bic',
        test: isValidBIC,
        message: 'must be a BIC (ISO 9362) of 8 or 11 characters',
      },
      { optional: true, example: 'COBADEFFXXX' },
    ),
  );

class BankAccountRequest {
  @Text({ max: 200, optional: true, description: 'The account holder, if it is not the seller.' })
  holder?: string;

  @Text({ max: 200, optional: true, example: 'Commerzbank' })
  bank_name?: string;

  @Iban()
  iban!: string;

  @Bic()
  bic?: string;
}

/** The seller, and what new documents of the account start with. */
class SellerRequest extends PartyRequest {
  @WebAddress({ max: 300, optional: true, example: 'https://acme.example' })
  website?: string;

  @NestedList(() => BankAccountRequest, {
    min: 0,
    max: 10,
    optional: true,
    description: 'The accounts that clients pay to. The list replaces the one before.',
  })
  bank_accounts?: BankAccountRequest[];

  @Flag({
    optional: true,
    description:
      'True if you charge no tax as a small business, such as by section 19 UStG. Lines that say ' +
      'nothing of tax are then exempt, with the words of your country’s law (BT-120, BT-121).',
  })
  small_business?: boolean;

  @Nested(() => TemplateRequest, {
    optional: true,
    description:
      'The looks of documents: colour, columns, words, footer and paragraphs of your own. It ' +
      'replaces the one before, and stays with documents that are issued; null removes it.',
  })
  template?: TemplateRequest;

  @CurrencyCode({ description: 'The currency of new documents.' })
  currency!: string;

  @CurrencyCode({
    description:
      'The currency that reports say their figures in beside the original, and by way of which an ' +
      'exchange rate is found that nobody told directly. It begins as the currency of new documents.',
  })
  base_currency!: string;

  @LanguageTag({ optional: true, description: 'The language of new documents; null means `en`.' })
  language?: string;

  @WholeNumber({
    min: 0,
    max: 3650,
    optional: true,
    description: 'After how many days a new document is due; null means 30.',
  })
  payment_terms_days?: number;

  @CashDiscounts(
    'Reductions for those who pay early, of new documents that are due by these terms; null is none.',
  )
  cash_discounts?: CashDiscountRequest[];

  @Nested(() => PayeeRequest, {
    optional: true,
    description: 'Who gets the money of new documents in your place (BG-10).',
  })
  payee?: PayeeRequest;

  @Nested(() => TaxRepresentativeRequest, {
    optional: true,
    description: 'Who owes your tax on new documents (BG-11).',
  })
  tax_representative?: TaxRepresentativeRequest;

  @Paragraph({ max: 5000, optional: true, description: 'The notes of new documents.' })
  document_notes?: string;

  @DateText({
    optional: true,
    description:
      'The first day of your books: no document is dated before it. Default: 1 January, ten years ' +
      'before the account was made.',
  })
  books_from?: string;

  @WholeNumber({
    min: 0,
    max: 366,
    optional: true,
    description: 'How many days ahead a document may be dated when it is issued; null means 90.',
  })
  issue_days_ahead?: number;

  @Flag({
    optional: true,
    description:
      'Whether an invoice that lacks what the law asks for is refused when it is issued, instead of ' +
      'issued with warnings; null means false.',
  })
  strict?: boolean;

  @TaxRateId({
    description: 'The tax rate of lines that say nothing of tax; null means none.',
  })
  default_tax_rate_id?: string;

  @TimeZoneName({ description: 'The time zone that decides which day it is.' })
  time_zone!: string;
}

export class PatchSellerRequest extends MergePatchOf(SellerRequest) {}

export class SellerProfileBody extends SellerBody {
  @ApiProperty({
    enum: ACCOUNT_MODES,
    description: '`test`: made for trying, so the sandbox may pay its invoices. It never changes.',
  })
  mode!: AccountMode;
  @ApiProperty({ example: 'EUR' }) currency!: string;
  @ApiProperty({ example: 'EUR' }) base_currency!: string;
  @ApiProperty({ example: 'de' }) language!: string;
  @ApiProperty({ type: 'integer', example: 30 }) payment_terms_days!: number;
  @ApiProperty({ type: [CashDiscountTermBody] }) cash_discounts!: CashDiscountTermBody[];
  @ApiProperty({ type: PayeeBody, nullable: true }) payee!: PayeeBody | null;
  @ApiProperty({ type: TaxRepresentativeBody, nullable: true })
  tax_representative!: TaxRepresentativeBody | null;
  @ApiProperty({ type: String, nullable: true }) document_notes!: string | null;
  @ApiProperty({ format: 'date', example: '2016-01-01' }) books_from!: string;
  @ApiProperty({ type: 'integer', example: 90 }) issue_days_ahead!: number;
  @ApiProperty() strict!: boolean;
  @ApiProperty({ type: String, nullable: true, example: 'txr_01h455vb4pex5vsknk084sn02q' })
  default_tax_rate_id!: string | null;
  @ApiProperty({ example: 'Europe/Berlin' }) time_zone!: string;
  @ApiProperty({ type: 'integer', description: 'The same as in the `ETag`.' }) version!: number;
  @ApiProperty({ format: 'date-time' }) updated_at!: string;
}

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
    books_from: booksFrom,
    issue_days_ahead: issueDaysAhead,
    strict,
    default_tax_rate_id: defaultTaxRate,
    time_zone: timeZone,
    bank_accounts: accounts,
    template,
    ...party
  } = request;
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
    },
    booksFrom,
    issueDaysAhead,
    strict,
    defaultTaxRateId: defaultTaxRate && taxRateIdIn(defaultTaxRate),
    timeZone,
  };
}

function toBankAccount({ holder, bank_name: bank, iban, bic }: BankAccountRequest) {
  return { holder: holder ?? null, bank_name: bank ?? null, iban, bic: bic ?? null };
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
