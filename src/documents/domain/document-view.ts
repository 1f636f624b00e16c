import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { PublicId } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { DocumentKind, DocumentStatus } from './lifecycle.js';
import type { Buyer, Seller } from './party.js';

export interface LineView {
  position: number;
  description: string;
  /** Decimal string. */
  quantity: string;
  /** Price of one unit in minor units, up to 12 decimal places: `1250`, `0.0125`. */
  unitAmountDecimal: string;
  /** Percent. */
  taxRate: string;
  /** UNCL5305. */
  taxCategory: string;
  net: Money;
}

/** EN 16931 BG-23: one (category, rate) pair of a document. */
export interface TaxGroupView {
  category: string;
  rate: string;
  base: Money;
  tax: Money;
}

/** The part of a document that is frozen when it is issued, beside its sums. */
export interface DocumentContent {
  seller: Seller;
  customer: Buyer;
  purchaseOrder: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  lines: LineView[];
  taxGroups: TaxGroupView[];
  netTotal: Money;
  taxTotal: Money;
}

/**
 * One document as everybody sees it: API, PDF and portal page print this and compute nothing, so
 * they cannot disagree.
 */
export interface DocumentView extends DocumentContent {
  id: PublicId;
  kind: DocumentKind;
  status: DocumentStatus;
  number: string | null;
  version: number;
  currency: Currency;
  customerId: PublicId;
  issueDate: IsoDate | null;
  dueDate: IsoDate | null;
  isOverdue: boolean;
  total: Money;
  amountPaid: Money;
  amountDue: Money;
  acceptedAt: Date | null;
  rejection: { reason: string; at: Date; version: number } | null;
  createdAt: Date;
  issuedAt: Date | null;
  voidedAt: Date | null;
}
