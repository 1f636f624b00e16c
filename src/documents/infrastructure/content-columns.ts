import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentContent,
  LineView,
} from '../domain/document-view.js';
import {
  type DocumentDetails,
  detailsOf,
  type LineDetails,
  lineDetailsOf,
} from '../domain/document-details.js';
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

export function storedDocumentAdjustment(view: DocumentAdjustmentView): StoredDocumentAdjustment {
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

/**
 * Columns of a document's content, as PostgreSQL returns them.
 * @table documents
 */
export interface ContentColumns {
  seller: Partial<Seller>;
  customer: Partial<Buyer>;
  language: string | null;
  purchase_order: string | null;
  details: Partial<DocumentDetails> | null;
  payment_reference: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  prices_include_tax: boolean;
  cash_rounding: number | null;
  discounts: StoredDocumentAdjustment[];
  charges: StoredDocumentAdjustment[];
  subtotal: bigint;
  discount_total: bigint;
  charge_total: bigint;
  net_total: bigint;
  tax_total: bigint;
  rounding: bigint;
  total: bigint;
  currency: string;
  /** @derived */
  lines: StoredLine[] | null;
  /** @derived */
  tax_groups: [string, string, string, string, string | null, string | null][] | null;
}

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
  id: Uuid,
  externalId: string | null,
  sku: string | null,
  metadata: Record<string, string>,
  creditedLineId: Uuid | null,
  taxRateId: Uuid | null,
  itemId: Uuid | null,
];

export const CONTENT_COLUMNS = `d.seller, d.customer, d.language, d.purchase_order, d.details,
  d.payment_reference, d.notes, d.metadata, d.prices_include_tax, d.cash_rounding, d.discounts, d.charges, d.subtotal,
  d.discount_total, d.charge_total, d.net_total, d.tax_total, d.rounding, d.total, d.currency,
  (SELECT json_agg(json_build_array(l.position, l.description, trim_scale(l.quantity)::text, l.unit,
      trim_scale(l.unit_amount)::text, trim_scale(l.tax_rate)::text, l.tax_category,
      l.exemption_reason, l.details, l.discounts, l.charges, l.amount::text, l.net::text,
      l.line_id, l.external_id, l.sku, l.metadata, l.credited_line_id,
      l.tax_rate_id, l.item_id)
      ORDER BY l.position)
    FROM document_lines l
    WHERE (l.account_id, l.document_id) = (d.account_id, d.document_id)) AS lines,
  (SELECT json_agg(json_build_array(g.tax_category, trim_scale(g.tax_rate)::text, g.base::text,
      g.tax::text, g.exemption_code, g.exemption_reason) ORDER BY g.tax_rate DESC, g.tax_category)
    FROM document_tax_groups g
    WHERE (g.account_id, g.document_id) = (d.account_id, d.document_id)) AS tax_groups`;

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
    lines: (row.lines ?? []).map((line) => toLine(line, currency)),
    discounts: row.discounts.map((stored) => toDocumentAdjustment(stored, currency)),
    charges: row.charges.map((stored) => toDocumentAdjustment(stored, currency)),
    taxGroups: (row.tax_groups ?? []).map(
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
