import type { TAX_CATEGORIES } from './calculation/tax-categories.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { FieldError } from '../../kernel/domain-error.js';
import type { Attachment } from './attachments/attachment.js';
import type { PostalAddress, IdOfScheme } from './parties/party.js';
import type { EInvoiceChoice } from './codes/e-invoice-profiles.js';
import { DocumentRefusal } from './refusals.js';
import type { TaxCurrency } from './tax-currency.js';

/** EN 16931 BG-14 and BG-26: both days are in it. */
export interface ServicePeriod {
  start: IsoDate;
  end: IsoDate;
}

/** The place that goods went to (EN 16931 BG-13, BG-15). */
export interface DeliveryAddress extends PostalAddress {
  name: string | null;
  /** BT-71; the scheme is of ISO 6523. */
  location_id?: IdOfScheme;
}

/** The one that owes the seller's tax in his place (EN 16931 BG-11, BG-12). */
interface TaxRepresentative extends PostalAddress {
  name: string;
  tax_id: string;
}

/** Gets the money in place of the seller (EN 16931 BG-10). */
interface Payee {
  name: string;
  id: string | null;
  /** BT-60-1, ISO 6523. */
  id_scheme?: string;
  registration_id: string | null;
  /** BT-61-1, ISO 6523. */
  registration_scheme?: string;
}

/** BG-1: a note, and what it is about. */
interface SubjectNote {
  /** BT-21, UNTDID 4451. */
  subject?: string;
  /** BT-22. */
  text: string;
}

/** BG-19: a debit that the buyer has agreed to. */
interface DirectDebit {
  /** BT-89. */
  mandate_reference?: string;
  /** BT-90. */
  creditor_id?: string;
  /** BT-91: an IBAN, or another account number. */
  account?: string;
}

/** BG-18: a card that was paid with. */
interface PaymentCard {
  /** BT-87: the last four to six digits. */
  last_digits: string;
  /** BT-88. */
  holder?: string;
}

/** BT-117 of a group, as a document that was issued elsewhere has it there. */
export interface IssuedTax {
  tax_category?: (typeof TAX_CATEGORIES)[number] | undefined;
  tax_rate: string;
  /** Minor units. */
  tax_amount: number;
}

/** References of one line of text, in the order in which they are printed. */
export const REFERENCES = [
  'project_reference',
  'contract_reference',
  'sales_order',
  'receiving_reference',
  'despatch_reference',
  'tender_reference',
  'buyer_accounting_reference',
] as const;

/** The nature of what is billed, which France asks for beside the process (BT-23). */
export const SUPPLY_NATURES = ['goods', 'services', 'goods_and_services'] as const;

/** When tax is owed: on the day of issue, of delivery, or of payment (BT-8). */
export const TAX_POINTS = ['issue', 'delivery', 'payment'] as const;

/** The particulars that few documents have. They are absent where nobody said them. */
interface FurtherDetails {
  /** BT-3, UNTDID 1001. Without it, 380 of an invoice, 381 of a credit note. */
  type_code?: string;
  tax_currency?: TaxCurrency;
  supply_nature?: (typeof SUPPLY_NATURES)[number];
  /** BT-7. */
  tax_point_date?: IsoDate;
  tax_point?: (typeof TAX_POINTS)[number];
  /** BT-15. */
  receiving_reference?: string;
  /** BT-17. */
  tender_reference?: string;
  /** BT-18; the scheme is of UNTDID 1153. */
  invoiced_object?: IdOfScheme;
  /** BT-19. */
  buyer_accounting_reference?: string;
  /** BT-20, in words. */
  payment_terms?: string;
  /** The number of the seller's account that it names (BT-84); without it, those for its currency. */
  payment_account?: string;
  /** BT-83, where the caller says it. The document has one of its number without it. */
  payment_reference?: string;
  /** BT-82. */
  payment_means_text?: string;
  direct_debit?: DirectDebit;
  payment_card?: PaymentCard;
  /** BG-3, beside the invoice that a credit note corrects. */
  preceding_invoices?: { number: string; issue_date?: IsoDate }[];
  /** BT-117 as issued elsewhere, where it is not base times rate. */
  issued_taxes?: IssuedTax[];
  /** BG-1, beside `notes`. */
  subject_notes?: SubjectNote[];
  /** Of a draft: as said; from its issue on, as it goes out. */
  e_invoice_profile?: EInvoiceChoice;
  /** BG-24. They are added and taken away one by one, and no request about the document has them. */
  attachments?: Attachment[];
}

/**
 * Dates, references and further parties of EN 16931, by their names in the API. They are stored as
 * they are, without the empty ones, and frozen when the document is issued.
 */
export interface DocumentDetails extends FurtherDetails {
  /** BT-72. */
  supply_date: IsoDate | null;
  service_period: ServicePeriod | null;
  delivery: DeliveryAddress | null;
  /** BT-10. */
  buyer_reference: string | null;
  /** BT-11. */
  project_reference: string | null;
  /** BT-12. */
  contract_reference: string | null;
  /** BT-14. */
  sales_order: string | null;
  /** BT-16. */
  despatch_reference: string | null;
  /** BT-81, UNTDID 4461. */
  payment_means_code: string | null;
  tax_representative: TaxRepresentative | null;
  payee: Payee | null;
  /** BG-3: of a credit note, the invoice that it corrects. */
  preceding_invoice: { number: string; issue_date: IsoDate } | null;
}

export const NO_DETAILS: DocumentDetails = {
  supply_date: null,
  service_period: null,
  delivery: null,
  buyer_reference: null,
  project_reference: null,
  contract_reference: null,
  sales_order: null,
  despatch_reference: null,
  payment_means_code: null,
  tax_representative: null,
  payee: null,
  preceding_invoice: null,
};

/** Details as a request gives them; null empties one. */
export type SaidDetails = { [Name in keyof DocumentDetails]?: DocumentDetails[Name] | null };
export type SaidLineDetails = { [Name in keyof LineDetails]?: LineDetails[Name] | null };

interface FurtherLineDetails {
  /** BT-127. */
  note?: string;
  /** BT-128; the scheme is of UNTDID 1153. */
  invoiced_object?: IdOfScheme;
  /** BT-133. */
  buyer_accounting_reference?: string;
  /** BT-148: the list price in minor units, as a decimal; BT-147 is the difference to the price. */
  gross_unit_amount_decimal?: string;
  /** BT-149: for how many units the price is. */
  price_base_quantity?: string;
  /** BT-131 as issued elsewhere, in minor units, where it is not quantity times price. */
  issued_net_amount_decimal?: string;
  /** BT-154, beside the line's description. */
  item_description?: string;
  /** BT-159, ISO 3166-1. */
  country_of_origin?: string;
  /** BG-32. */
  attributes?: { name: string; value: string }[];
}

/** The same of one line. */
export interface LineDetails extends FurtherLineDetails {
  /** BG-26. */
  service_period: ServicePeriod | null;
  /** BT-132. */
  order_line: string | null;
  /** BT-156; the seller's own is the line's SKU. */
  buyer_item_id: string | null;
  /** BT-157; the scheme is of ISO 6523, such as 0160 for a GTIN. */
  standard_item_id: { scheme: string; value: string } | null;
  /** BT-158; the list is of UNTDID 7143, such as STI for CPV. */
  classifications: { list: string; code: string; version: string | null }[] | null;
  /** BT-121, VATEX. */
  tax_exemption_code: string | null;
}

const NO_LINE_DETAILS: LineDetails = {
  service_period: null,
  order_line: null,
  buyer_item_id: null,
  standard_item_id: null,
  classifications: null,
  tax_exemption_code: null,
};

/** @param said without the empty ones, as they are stored */
export function lineDetailsOf(said: Partial<LineDetails> | null): LineDetails {
  return { ...NO_LINE_DETAILS, ...said };
}

/** @param said without the empty ones, as they are stored */
export function detailsOf(said: Partial<DocumentDetails> | null): DocumentDetails {
  return { ...NO_DETAILS, ...said };
}

/** Only what is said is stored; null where nothing is. */
export function storedDetails<Details extends object>(details: Details): Partial<Details> | null {
  const said = withoutEmpty(details) as Partial<Details>;
  return Object.keys(said).length === 0 ? null : said;
}

const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && !value.length);

export function withoutEmpty<Details extends object>(details: Details | null | undefined) {
  const said = Object.entries(details ?? {}).filter(([, value]) => !isEmpty(value));
  return Object.fromEntries(said) as {
    [Name in keyof Details]?: Exclude<Details[Name], null | undefined>;
  };
}

/** A copy begins without what is of one supply only: its days, papers, payment and format. */
export function detailsToRepeat(details: SaidDetails): SaidDetails {
  return {
    ...details,
    supply_date: null,
    service_period: null,
    tax_point_date: null,
    receiving_reference: null,
    despatch_reference: null,
    payment_card: null,
    payment_account: null,
    payment_reference: null,
    preceding_invoices: null,
    issued_taxes: null,
    e_invoice_profile: null,
  };
}

/** A copy is issued on another day, so the books tell its rate. */
export function detailsToCopy(details: SaidDetails): SaidDetails {
  const { tax_currency: other } = details;
  return other ? { ...details, tax_currency: { currency: other.currency } } : details;
}

/** A credit note says the same as its invoice, but for what that is. */
export function detailsToCredit(
  details: DocumentDetails,
  preceding: DocumentDetails['preceding_invoice'],
): SaidDetails {
  return {
    ...details,
    preceding_invoice: preceding,
    type_code: null,
    payment_card: null,
    payment_account: null,
    payment_reference: null,
    preceding_invoices: null,
    issued_taxes: null,
    attachments: null,
  };
}

/** Of an amount that stands for a part of a line: it has no price of its own any more. */
export function detailsWithoutPrice(details: LineDetails): SaidLineDetails {
  return {
    ...details,
    gross_unit_amount_decimal: null,
    price_base_quantity: null,
    issued_net_amount_decimal: null,
  };
}

/** EN 16931 BR-29 and BR-30: a period does not end before it starts. */
export function periodErrors(period: ServicePeriod | null | undefined, at: string): FieldError[] {
  if (!period || period.start <= period.end) return [];
  const message = 'end must not be before start.';
  return [DocumentRefusal.period_ends_before_start.field(`${at}/service_period/end`, message)];
}
