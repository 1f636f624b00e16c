import type { EInvoiceChoice } from '../codes/e-invoice-profiles.js';
import type { BankAccount } from './bank-account.js';
import type { Template } from '../printing/template.js';

/** A postal address: free lines, then what e-invoices need apart. */
export interface PostalAddress {
  /** Street and what belongs to it, line by line, as printed. */
  address: string[];
  postal_code: string | null;
  city: string | null;
  /** State, province or canton. */
  region: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string | null;
}

/** An id, and the scheme that it is of where it has one. */
export interface IdOfScheme {
  scheme?: string;
  value: string;
}

/** A seller or buyer as printed on a document; copied into it, and frozen when it is issued. */
export interface Party extends PostalAddress {
  /** The name that is used day by day. */
  name: string;
  /** As in the register, where it differs from the name. */
  legal_name: string | null;
  contact_name: string | null;
  email: string | null;
  phone: string | null;
  /** VAT number or the tax registration that is printed first. */
  tax_id: string | null;
  /** Further tax registrations. */
  tax_ids: { type: string; value: string }[];
  /** Number in the commercial register (EN 16931 BT-30, BT-47). */
  registration_id: string | null;
  /** The register of that number by ISO 6523, such as 0002 for a SIREN (BT-30-1, BT-47-1). */
  registration_scheme?: string;
  /** Other ids, such as a GLN or a SIRET, by ISO 6523 (BT-29, BT-46). */
  identifiers?: IdOfScheme[];
  /** The address for e-invoices; the scheme is an EAS code (EN 16931 BT-34, BT-49). */
  electronic_address: { scheme: string; value: string } | null;
}

export interface Buyer extends Party {
  /** BCP 47. */
  language: string | null;
  /** The buyer's own reference on documents, such as a cost centre (EN 16931 BT-10). */
  reference: string | null;
  /** The format of e-invoices that it takes. */
  e_invoice_profile?: EInvoiceChoice;
  /** The address for goods, if it is another one. */
  shipping_address: (PostalAddress & { name: string | null }) | null;
}

export interface Seller extends Party {
  website: string | null;
  /** The number that its tax office knows it by, beside the VAT number (BT-32). */
  tax_number?: string;
  /** Directors, court and share capital, as laws ask for on papers (BT-33). */
  legal_information?: string;
  bank_accounts: BankAccount[];
  /** It charges no tax, such as by section 19 UStG. */
  small_business: boolean;
  /** SHA-256 of the stored image, hexadecimal. */
  logo: string | null;
  /** The looks of documents; null: those of a new account. */
  template: Template | null;
}

export const NO_ADDRESS: PostalAddress = {
  address: [],
  postal_code: null,
  city: null,
  region: null,
  country: null,
};

const NOBODY: Party = {
  name: '',
  legal_name: null,
  contact_name: null,
  ...NO_ADDRESS,
  email: null,
  phone: null,
  tax_id: null,
  tax_ids: [],
  registration_id: null,
  electronic_address: null,
};

/** A profile stored by an older version lacks the newer fields: they are empty. */
export function buyerOf(stored: Partial<Buyer>): Buyer {
  return { ...NOBODY, language: null, reference: null, shipping_address: null, ...stored };
}

export function sellerOf(stored: Partial<Seller>): Seller {
  return {
    ...NOBODY,
    website: null,
    bank_accounts: [],
    small_business: false,
    logo: null,
    template: null,
    ...stored,
  };
}
