import { assert } from '../../kernel/assert.js';
import { Money } from '../../kernel/money.js';
import type { Row } from '../../platform/database/row.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentContent,
  LineView,
  TaxGroupView,
} from '../domain/document-view.js';
import { netAdjustments } from '../domain/calculation/net-adjustments.js';
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

/** @json */
interface StoredAdjustment {
  percent: string | null;
  amount: string;
  reason: string | null;
  reason_code?: string | undefined;
}

/** @json */
interface StoredDocumentAdjustment extends StoredAdjustment {
  own_tax: { category: string; rate: string } | null;
  shares: { category: string; rate: string; amount: string; net: string }[];
}

// Amounts are stored as text inside JSON: a sum of minor units is never a float on its way.
function storedAdjustment(view: AdjustmentView): StoredAdjustment {
  const { percent, amount, reason, reasonCode } = view;
  return { percent, amount: `${amount.minor}`, reason, reason_code: reasonCode };
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

export type WordColumns = Omit<
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

export type FigureColumns = Pick<
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

/** Amounts of a row as texts, and what may be null only where it is not. */
type Stored<Columns> = {
  [Name in keyof Columns as null extends Columns[Name] ? never : Name]: Columns[Name] extends bigint
    ? string
    : Columns[Name];
} & {
  [Name in keyof Columns as null extends Columns[Name] ? Name : never]?:
    | NonNullable<Columns[Name]>
    | undefined;
};

type OfDocument = 'account_id' | 'document_id';

/** A row of `document_lines`: its columns by their names. */
export type StoredLine = Stored<
  Omit<
    Row<
      'document_lines',
      {
        metadata: Record<string, string>;
        details: Partial<LineDetails>;
        discounts: StoredAdjustment[];
        charges: StoredAdjustment[];
      }
    >,
    OfDocument
  >
>;

/** A row of `document_tax_groups`. */
export type StoredTaxGroup = Stored<Omit<Row<'document_tax_groups'>, OfDocument>>;

/** The columns of `documents` that no state has. */
export const FIGURE_COLUMNS = `d.language, d.purchase_order, d.payment_reference, d.prices_include_tax,
  d.cash_rounding, d.subtotal, d.discount_total, d.charge_total, d.net_total, d.tax_total, d.rounding,
  d.total, d.currency`;

/** Of `DOCUMENTS_WITH_CONTENT`. */
export const CONTENT_COLUMNS = `${FIGURE_COLUMNS}, c.seller, c.customer, c.details, c.notes, c.metadata,
  c.discounts, c.charges, c.lines, c.tax_groups`;

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

export function storedLine(line: LineView): StoredLine {
  assert(line.id, 'only a line of a preview has no id');
  return {
    position: line.position,
    line_id: line.id,
    external_id: line.externalId ?? undefined,
    sku: line.sku ?? undefined,
    item_id: line.itemId ?? undefined,
    description: line.description,
    quantity: line.quantity,
    unit: line.unit,
    unit_amount: line.unitAmountDecimal,
    tax_category: line.taxCategory,
    tax_rate: line.taxRate,
    tax_rate_id: line.taxRateId ?? undefined,
    exemption_reason: line.exemptionReason ?? undefined,
    details: storedDetails(line.details) ?? undefined,
    discounts: line.discounts.map(storedAdjustment),
    charges: line.charges.map(storedAdjustment),
    amount: `${line.amount.minor}`,
    net: `${line.net.minor}`,
    metadata: line.metadata,
    credited_line_id: line.creditedLineId ?? undefined,
  };
}

export function storedTaxGroup(group: TaxGroupView): StoredTaxGroup {
  return {
    tax_category: group.category,
    tax_rate: group.rate,
    base: `${group.base.minor}`,
    tax: `${group.tax.minor}`,
    exemption_code: group.exemptionCode ?? undefined,
    exemption_reason: group.exemptionReason ?? undefined,
  };
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
    lines: row.lines.map((line) => toLine(line, currency, row.prices_include_tax)),
    discounts: row.discounts.map((stored) => toDocumentAdjustment(stored, currency)),
    charges: row.charges.map((stored) => toDocumentAdjustment(stored, currency)),
    taxGroups: row.tax_groups.map((group) => ({
      category: group.tax_category,
      rate: group.tax_rate,
      base: money(group.base),
      tax: money(group.tax),
      exemptionCode: group.exemption_code ?? null,
      exemptionReason: group.exemption_reason ?? null,
    })),
    subtotal: money(row.subtotal),
    discountTotal: money(row.discount_total),
    chargeTotal: money(row.charge_total),
    netTotal: money(row.net_total),
    taxTotal: money(row.tax_total),
    rounding: money(row.rounding),
    total: money(row.total),
  };
}

function toLine(stored: StoredLine, currency: string, pricesIncludeTax: boolean): LineView {
  const discounts = stored.discounts.map((one) => toAdjustment(one, currency));
  const charges = stored.charges.map((one) => toAdjustment(one, currency));
  const total = (parts: AdjustmentView[]) =>
    Money.sum(
      parts.map((part) => part.amount),
      currency,
    );
  const amount = Money.of(BigInt(stored.amount), currency);
  const { quantity, tax_rate: taxRate } = stored;
  const net = Money.of(BigInt(stored.net), currency);
  return {
    position: stored.position,
    id: stored.line_id,
    externalId: stored.external_id ?? null,
    sku: stored.sku ?? null,
    metadata: stored.metadata,
    itemId: stored.item_id ?? null,
    taxRateId: stored.tax_rate_id ?? null,
    creditedLineId: stored.credited_line_id ?? null,
    description: stored.description,
    quantity,
    unit: stored.unit,
    unitAmountDecimal: stored.unit_amount,
    taxRate,
    taxCategory: stored.tax_category,
    exemptionReason: stored.exemption_reason ?? null,
    details: lineDetailsOf(stored.details ?? null),
    subtotal: amount.plus(total(discounts)).minus(total(charges)),
    amount,
    net,
    ...netAdjustments({ quantity, taxRate, net, discounts, charges }, pricesIncludeTax),
  };
}

function toAdjustment(stored: StoredAdjustment, currency: string): AdjustmentView {
  const { percent, amount, reason, reason_code: reasonCode } = stored;
  const view = { percent, amount: Money.of(BigInt(amount), currency), reason };
  return reasonCode === undefined ? view : { ...view, reasonCode };
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
