import type { Money } from '../../../kernel/money.js';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import type { DocumentDetails } from '../document-details.js';
import type { DocumentKind } from '../lifecycle.js';
import type { Buyer, Seller } from '../parties/party.js';
import { DocumentRefusal } from '../refusals.js';

export interface JudgedAdjustment {
  amount: Money;
  reason: string | null;
  reasonCode?: string;
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

/** A rule refuses by one of these. */
export const RULE_REFUSALS = [
  DocumentRefusal.particulars_missing,
  DocumentRefusal.tax_id_required,
  DocumentRefusal.tax_id_not_allowed,
  DocumentRefusal.invalid_tax_id,
  DocumentRefusal.tax_category_alone,
  DocumentRefusal.amount_too_exact,
];
export interface InvoiceRule {
  /** Of EN 16931, or the article of the law that alone asks for it. */
  id: string;
  /** Rules of EN 16931 that this one holds, too: they ask for the same, or of another place. */
  also?: readonly string[];
  /** The article that asks for the same. */
  law: string | null;
  refusal: DomainRefusal;
  /** It ends the sentence "The document breaks ...:", and tells what to do. */
  message: string;
  /** Whether invoices of small amounts may break it (Art. 226b, § 33 UStDV). */
  notIfSimplified?: true;
  /** Whether it holds for sellers of Germany alone, or of any country; else of the EU. */
  where?: 'DE' | 'everywhere';
  /** JSON pointers into the document to all that breaks it. */
  broken(document: JudgedDocument): string[];
}
