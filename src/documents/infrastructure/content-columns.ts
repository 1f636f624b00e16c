import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type { Row } from '../../platform/database/row.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentContent,
  LineView,
  TaxGroupView,
} from '../domain/document-view.js';
import type { DocumentState } from '../domain/document-state.js';
import {
  type DocumentDetails,
  detailsOf,
  type LineDetails,
  lineDetailsOf,
  storedDetails,
} from '../domain/document-details.js';
import { searchText } from './search-text.js';
import { type Buyer, buyerOf, type Seller, sellerOf } from '../domain/parties/party.js';

interface StoredAdjustment {
  percent: string | null;
  amount: string;
  reason: string | null;
}

/** @json */
interface StoredDocumentAdjustment extends StoredAdjustment {
  own_tax: { category: string; rate: string } | null;
  shares: { category: string; rate: string; amount: string; net: string }[];
}

// Amounts are stored as text inside JSON: a sum of minor units is never a float on its way.
export function storedAdjustment({ percent, amount, reason }: AdjustmentView): StoredAdjustment {
  return { percent, amount: `${amount.minor}`, reason };
}

function storedDocumentAdjustment(view: DocumentAdjustmentView): StoredDocumentAdjustment {
  return {
    ...storedAdjustment(view),
    own_tax: view.ownTax,
    shares: view.shares.map(({ category, rate, amount, net }) => ({
      category,
      rate,
      amount: `${amount.minor}`,
      net: `${net.minor}`,
    })),
  };
}

type WordColumns = Omit<
  Row<
    'document_contents',
    {
      seller: Partial<Seller>;
      customer: Partial<Buyer>;
      metadata: Record<string, string>;
      details: Partial<DocumentDetails>;
      discounts: StoredDocumentAdjustment[];
      charges: StoredDocumentAdjustment[];
      lines: StoredLine[];
      tax_groups: StoredTaxGroup[];
    }
  >,
  'account_id' | 'document_id' | 'search'
>;

type FigureColumns = Pick<
  Row<'documents'>,
  | 'language'
  | 'purchase_order'
  | 'payment_reference'
  | 'prices_include_tax'
  | 'cash_rounding'
  | 'subtotal'
  | 'discount_total'
  | 'charge_total'
  | 'net_total'
  | 'tax_total'
  | 'rounding'
  | 'total'
  | 'currency'
>;

/** Columns of a document's content, as PostgreSQL returns them. */
export type ContentColumns = WordColumns & FigureColumns;

type StoredTaxGroup = [
  category: string,
  rate: string,
  base: string,
  tax: string,
  exemptionCode: string | null,
  exemptionReason: string | null,
];

type StoredLine = [
  position: number,
  description: string,
  quantity: string,
  unit: string,
  unitAmount: string,
  taxRate: string,
  taxCategory: string,
  exemptionReason: string | null,
  details: Partial<LineDetails> | null,
  discounts: StoredAdjustment[],
  charges: StoredAdjustment[],
  amount: string,
  net: string,
  ...names: StoredNames,
];

type StoredNames = [
  id: Uuid | null,
  externalId: string | null,
  sku: string | null,
  metadata: Record<string, string>,
  creditedLineId: Uuid | null,
  taxRateId: Uuid | null,
  itemId: Uuid | null,
];

/** Of `DOCUMENTS_WITH_CONTENT`. */
export const CONTENT_COLUMNS = `c.seller, c.customer, d.language, d.purchase_order, c.details,
  d.payment_reference, c.notes, c.metadata, d.prices_include_tax, d.cash_rounding, c.discounts,
  c.charges, d.subtotal, d.discount_total, d.charge_total, d.net_total, d.tax_total, d.rounding,
  d.total, d.currency, c.lines, c.tax_groups`;

/** `documents d` with the words and lines of each. */
export const DOCUMENTS_WITH_CONTENT =
  'documents d JOIN document_contents c USING (account_id, document_id)';

/** Everything of `document_contents` that may change while a document is a draft. */
export function contentColumns(state: DocumentState, content: DocumentContent) {
  return {
    seller: content.seller,
    customer: content.customer,
    notes: content.notes,
    metadata: content.metadata,
    details: storedDetails(content.details),
    discounts: JSON.stringify(content.discounts.map(storedDocumentAdjustment)),
    charges: JSON.stringify(content.charges.map(storedDocumentAdjustment)),
    lines: JSON.stringify(content.lines.map(storedLine)),
    tax_groups: JSON.stringify(content.taxGroups.map(storedTaxGroup)),
    search: searchText(state, content),
  };
}

function storedLine(line: LineView): StoredLine {
  return [
    line.position,
    line.description,
    line.quantity,
    line.unit,
    line.unitAmountDecimal,
    line.taxRate,
    line.taxCategory,
    line.exemptionReason,
    storedDetails(line.details),
    line.discounts.map(storedAdjustment),
    line.charges.map(storedAdjustment),
    `${line.amount.minor}`,
    `${line.net.minor}`,
    line.id,
    line.externalId,
    line.sku,
    line.metadata,
    line.creditedLineId,
    line.taxRateId,
    line.itemId,
  ];
}

function storedTaxGroup(group: TaxGroupView): StoredTaxGroup {
  const { category, rate, base, tax, exemptionCode, exemptionReason } = group;
  return [category, rate, `${base.minor}`, `${tax.minor}`, exemptionCode, exemptionReason];
}

export function toContent(row: ContentColumns): DocumentContent {
  const { currency } = row;
  const money = (minor: string | bigint) => Money.of(BigInt(minor), currency);
  return {
    seller: sellerOf(row.seller),
    customer: buyerOf(row.customer),
    language: row.language,
    purchaseOrder: row.purchase_order,
    details: detailsOf(row.details),
    paymentReference: row.payment_reference,
    notes: row.notes,
    metadata: row.metadata,
    pricesIncludeTax: row.prices_include_tax,
    cashRounding: row.cash_rounding === null ? null : BigInt(row.cash_rounding),
    lines: row.lines.map((line) => toLine(line, currency)),
    discounts: row.discounts.map((stored) => toDocumentAdjustment(stored, currency)),
    charges: row.charges.map((stored) => toDocumentAdjustment(stored, currency)),
    taxGroups: row.tax_groups.map(
      ([category, rate, base, tax, exemptionCode, exemptionReason]) => ({
        category,
        rate,
        base: money(base),
        tax: money(tax),
        exemptionCode,
        exemptionReason,
      }),
    ),
    subtotal: money(row.subtotal),
    discountTotal: money(row.discount_total),
    chargeTotal: money(row.charge_total),
    netTotal: money(row.net_total),
    taxTotal: money(row.tax_total),
    rounding: money(row.rounding),
    total: money(row.total),
  };
}

function toLine(stored: StoredLine, currency: string): LineView {
  const [position, description, quantity, unit, unitAmountDecimal, taxRate, taxCategory] = stored;
  const [, , , , , , , exemptionReason, details, storedDiscounts, storedCharges, ...rest] = stored;
  const [amount, net, id, externalId, sku, metadata, creditedLineId, taxRateId, itemId] = rest;
  const discounts = storedDiscounts.map((one) => toAdjustment(one, currency));
  const charges = storedCharges.map((one) => toAdjustment(one, currency));
  const total = (parts: AdjustmentView[]) =>
    Money.sum(
      parts.map((part) => part.amount),
      currency,
    );
  const lineAmount = Money.of(BigInt(amount), currency);
  return {
    position,
    id,
    externalId,
    sku,
    metadata,
    itemId,
    taxRateId,
    creditedLineId,
    description,
    quantity,
    unit,
    unitAmountDecimal,
    taxRate,
    taxCategory,
    exemptionReason,
    details: lineDetailsOf(details),
    subtotal: lineAmount.plus(total(discounts)).minus(total(charges)),
    discounts,
    charges,
    amount: lineAmount,
    net: Money.of(BigInt(net), currency),
  };
}

function toAdjustment(stored: StoredAdjustment, currency: string): AdjustmentView {
  const { percent, amount, reason } = stored;
  return { percent, amount: Money.of(BigInt(amount), currency), reason };
}

function toDocumentAdjustment(
  stored: StoredDocumentAdjustment,
  currency: string,
): DocumentAdjustmentView {
  return {
    ...toAdjustment(stored, currency),
    ownTax: stored.own_tax,
    shares: stored.shares.map(({ category, rate, amount, net }) => ({
      category,
      rate,
      amount: Money.of(BigInt(amount), currency),
      net: Money.of(BigInt(net), currency),
    })),
  };
}
