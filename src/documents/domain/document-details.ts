import type { IsoDate } from '../../kernel/clock.js';
import type { FieldError } from '../../kernel/domain-error.js';
import type { PostalAddress } from './parties/party.js';
import { DocumentRefusal } from './refusals.js';

/** EN 16931 BG-14 and BG-26: both days are in it. */
export interface ServicePeriod {
  start: IsoDate;
  end: IsoDate;
}

/** The place that goods went to (EN 16931 BG-13, BG-15). */
export interface DeliveryAddress extends PostalAddress {
  name: string | null;
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
  registration_id: string | null;
}

/**
 * Dates, references and further parties of EN 16931, by their names in the API. They are stored as
 * they are, without the empty ones, and frozen when the document is issued.
 */
export interface DocumentDetails {
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

type GivenDetail = Exclude<keyof DocumentDetails, 'preceding_invoice'>;

/** The details that a request may give; the invoice of a credit note follows from it. */
export const GIVEN_DETAILS = (Object.keys(NO_DETAILS) as (keyof DocumentDetails)[]).filter(
  (name): name is GivenDetail => name !== 'preceding_invoice',
);

/** The same of one line. */
export interface LineDetails {
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

export function lineDetailsOf(stored: Partial<LineDetails> | null | undefined): LineDetails {
  return { ...NO_LINE_DETAILS, ...stored };
}

/** Only what is said is stored. */
export function detailsOf(stored: Partial<DocumentDetails> | null): DocumentDetails {
  return { ...NO_DETAILS, ...stored };
}

/** Without what is empty; null where nothing is left. */
export function storedDetails<Details extends object>(details: Details): Partial<Details> | null {
  const said = Object.entries(details).filter(([, value]) => value !== null);
  return said.length === 0 ? null : (Object.fromEntries(said) as Partial<Details>);
}

/** A copy begins with all but the days and the delivery note: they are of one supply only. */
export function detailsToRepeat(details: Partial<DocumentDetails>): Partial<DocumentDetails> {
  return { ...details, supply_date: null, service_period: null, despatch_reference: null };
}

/** EN 16931 BR-29 and BR-30: a period does not end before it starts. */
export function periodErrors(period: ServicePeriod | null | undefined, at: string): FieldError[] {
  if (!period || period.start <= period.end) return [];
  const message = 'end must not be before start.';
  return [DocumentRefusal.period_ends_before_start.field(`${at}/service_period/end`, message)];
}
