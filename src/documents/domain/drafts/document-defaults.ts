import { type CashDiscountTerm, inTime } from '../cash-discount.js';
import {
  type DocumentDetails,
  detailsOf,
  type SaidDetails,
  withoutEmpty,
} from '../document-details.js';
import type { DocumentContent } from '../document-view.js';
import type { DraftRequest } from './draft-request.js';
import type { EInvoiceChoice } from '../codes/e-invoice-profiles.js';
import type { Customer } from '../parties/customer.js';

/** Particulars of the seller that new documents take over, by their names in the API. */
export interface DocumentDefaults extends Pick<
  DocumentDetails,
  'payee' | 'tax_representative' | 'subject_notes'
> {
  cash_discounts: CashDiscountTerm[];
  e_invoice_profile: EInvoiceChoice | null;
  /** Whether a document is refused that breaks a fatal rule of its profile. */
  strict_profile: boolean;
}

const NO_DEFAULTS: DocumentDefaults = {
  cash_discounts: [],
  payee: null,
  tax_representative: null,
  e_invoice_profile: null,
  strict_profile: false,
};

/** Null while none were said. */
export function defaultsOf({
  documentDefaults,
}: {
  documentDefaults: object | null;
}): DocumentDefaults {
  return { ...NO_DEFAULTS, ...documentDefaults };
}

/** The details of a new document: those that its request leaves out are the seller's. */
export function takenOver(
  account: { documentDefaults: object | null },
  said: SaidDetails,
): DocumentDetails {
  const { payee, tax_representative, subject_notes } = defaultsOf(account);
  const defaults = { payee, tax_representative, ...(subject_notes && { subject_notes }) };
  return detailsOf(withoutEmpty({ ...defaults, ...said }));
}

/** The e-invoice that goes out: a document's own, else that of its customer, else of the seller. */
export function withProfile<Content extends Pick<DocumentContent, 'details' | 'customer'>>(
  content: Content,
  account: { documentDefaults: object | null },
): Content {
  const { details, customer } = content;
  const choice =
    details.e_invoice_profile ??
    customer.e_invoice_profile ??
    defaultsOf(account).e_invoice_profile;
  return choice ? { ...content, details: { ...details, e_invoice_profile: choice } } : content;
}

type Said = Pick<DraftRequest, 'cashDiscounts' | 'dueDate' | 'paymentTermsDays'>;

/**
 * Cash discounts go with the terms that they were agreed with: of the document, of its customer, or
 * of the seller.
 */
export function discountsOf(
  said: Said,
  customer: Pick<Customer, 'paymentTermsDays' | 'cashDiscounts'>,
  account: { paymentTermsDays: number; documentDefaults: object | null },
): readonly CashDiscountTerm[] {
  if (said.cashDiscounts) return said.cashDiscounts;
  if (said.dueDate !== null || said.paymentTermsDays !== undefined) return [];
  if (customer.cashDiscounts) {
    return inTime(customer.cashDiscounts, customer.paymentTermsDays ?? account.paymentTermsDays);
  }
  if (customer.paymentTermsDays !== null) return [];
  return inTime(defaultsOf(account).cash_discounts, account.paymentTermsDays);
}
