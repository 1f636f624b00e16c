import type { Money } from '../../../kernel/money.js';
import type { DocumentDetails } from '../document-details.js';
import type { DocumentKind } from '../lifecycle.js';
import type { Buyer, Seller } from '../parties/party.js';

export interface JudgedAdjustment {
  amount: Money;
  reason: string | null;
}

interface JudgedDocumentAdjustment extends JudgedAdjustment {
  shares: { net: Money }[];
}

/** A document as the rules see it: no figure of it is judged here. */
export interface JudgedDocument {
  kind: DocumentKind;
  seller: Seller;
  customer: Buyer;
  lines: {
    taxCategory: string;
    net: Money;
    discounts: JudgedAdjustment[];
    charges: JudgedAdjustment[];
  }[];
  discounts: JudgedDocumentAdjustment[];
  charges: (JudgedDocumentAdjustment & { ownTax: { category: string } | null })[];
  taxGroups: { category: string; base: Money; tax: Money }[];
  details: DocumentDetails;
  subtotal: Money;
  discountTotal: Money;
  chargeTotal: Money;
  netTotal: Money;
  taxTotal: Money;
  rounding: Money;
  total: Money;
}

export const RULE_CODES = [
  'particulars_missing',
  'tax_id_required',
  'tax_id_not_allowed',
  'invalid_tax_id',
  'tax_category_alone',
  'amount_too_exact',
] as const;
type RuleCode = (typeof RULE_CODES)[number];

export interface InvoiceRule {
  /** Of EN 16931, or the article of the law that alone asks for it. */
  id: string;
  /** Rules of EN 16931 that this one holds, too: they ask for the same, or of another place. */
  also?: readonly string[];
  /** The article that asks for the same. */
  law: string | null;
  code: RuleCode;
  /** It ends the sentence "The document breaks ...:", and tells what to do. */
  message: string;
  /** Whether invoices of small amounts may break it (Art. 226b, § 33 UStDV). */
  notIfSimplified?: true;
  /** Whether it holds for sellers of Germany alone, or of any country; else of the EU. */
  where?: 'DE' | 'everywhere';
  /** JSON pointers into the document to all that breaks it. */
  broken(document: JudgedDocument): string[];
}
