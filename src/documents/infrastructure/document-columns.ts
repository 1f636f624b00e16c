import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { Document, type DocumentState, type OriginRelation } from '../domain/document.js';
import type {
  AdjustmentView,
  DocumentAdjustmentView,
  DocumentContent,
  LineView,
} from '../domain/document-view.js';
import type { DocumentKind, Lifecycle } from '../domain/lifecycle.js';
import { type Buyer, buyerOf, type Seller, sellerOf } from '../domain/party.js';
import { searchText } from './search-text.js';

/** Columns of a document's state, as PostgreSQL returns them. */
export interface StateColumns {
  account_id: Uuid;
  document_id: Uuid;
  kind: DocumentKind;
  proforma: boolean;
  lifecycle: Lifecycle;
  number_series: string | null;
  number: string | null;
  number_period: string | null;
  number_sequence: bigint | null;
  external_id: string | null;
  currency: string;
  customer_id: Uuid;
  issue_date: IsoDate | null;
  due_date: IsoDate | null;
  payment_terms_days: number | null;
  lapses_at: Date | null;
  total: bigint;
  amount_paid: bigint;
  amount_credited: bigint;
  credit_notes_total: bigint;
  amount_applied: bigint;
  origin: OriginRelation | null;
  origin_document_id: Uuid | null;
  revision: number;
  accepted_at: Date | null;
  rejection_reason: string | null;
  rejected_at: Date | null;
  rejected_version: number | null;
  converted_at: Date | null;
  written_off_at: Date | null;
  settled_at: Date | null;
  version: number;
  event_sequence: number;
  created_at: Date;
  issued_at: Date | null;
  voided_at: Date | null;
}

export const STATE_COLUMNS = `d.account_id, d.document_id, d.kind, d.proforma, d.lifecycle,
  d.number_series, d.number, d.number_period, d.number_sequence, d.external_id, d.currency,
  d.customer_id, d.issue_date, d.due_date, d.payment_terms_days, d.lapses_at, d.total,
  d.amount_paid, d.amount_credited, d.credit_notes_total, d.amount_applied, d.origin,
  d.origin_document_id, d.revision, d.accepted_at, d.rejection_reason, d.rejected_at,
  d.rejected_version, d.converted_at, d.written_off_at, d.settled_at, d.version,
  d.event_sequence, d.created_at, d.issued_at, d.voided_at`;

export function toDocument(row: StateColumns, now: Date): Document {
  const money = (minor: bigint) => Money.of(minor, row.currency);
  const rejection =
    row.rejected_at && row.rejection_reason !== null && row.rejected_version !== null
      ? { reason: row.rejection_reason, at: row.rejected_at, version: row.rejected_version }
      : null;
  const state: DocumentState = {
    accountId: row.account_id,
    id: row.document_id,
    kind: row.kind,
    proforma: row.proforma,
    lifecycle: row.lifecycle,
    series: row.number_series,
    number: row.number,
    numbered:
      row.number_period !== null && row.number_sequence !== null
        ? { period: row.number_period, sequence: row.number_sequence }
        : null,
    externalId: row.external_id,
    currency: row.currency,
    customerId: row.customer_id,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    paymentTermsDays: row.payment_terms_days,
    lapsesAt: row.lapses_at,
    total: money(row.total),
    amountPaid: money(row.amount_paid),
    amountCredited: money(row.amount_credited),
    creditNotesTotal: money(row.credit_notes_total),
    amountApplied: money(row.amount_applied),
    origin:
      row.origin && row.origin_document_id
        ? { relation: row.origin, documentId: row.origin_document_id }
        : null,
    revision: row.revision,
    acceptedAt: row.accepted_at,
    rejection,
    convertedAt: row.converted_at,
    writtenOffAt: row.written_off_at,
    settledAt: row.settled_at,
    version: row.version,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    issuedAt: row.issued_at,
    voidedAt: row.voided_at,
  };
  return new Document(state, now);
}

/** What a payment or a credit note changes. */
export function sumColumns(state: DocumentState) {
  return {
    amount_paid: state.amountPaid.minor,
    amount_credited: state.amountCredited.minor,
    credit_notes_total: state.creditNotesTotal.minor,
    settled_at: state.settledAt,
    version: state.version,
    event_sequence: state.eventSequence,
  };
}

/** What an answer, a void, a conversion or a write-off changes. */
export function lifecycleColumns(state: DocumentState) {
  return {
    ...sumColumns(state),
    lifecycle: state.lifecycle,
    accepted_at: state.acceptedAt,
    rejection_reason: state.rejection?.reason ?? null,
    rejected_at: state.rejection?.at ?? null,
    rejected_version: state.rejection?.version ?? null,
    converted_at: state.convertedAt,
    written_off_at: state.writtenOffAt,
    voided_at: state.voidedAt,
  };
}

/** Everything that may change while a document is a draft, and is frozen when it is issued. */
export function draftColumns(state: DocumentState, content: DocumentContent) {
  return {
    ...lifecycleColumns(state),
    proforma: state.proforma,
    number_series: state.series,
    number: state.number,
    number_period: state.numbered?.period ?? null,
    number_sequence: state.numbered?.sequence ?? null,
    external_id: state.externalId,
    currency: state.currency,
    customer_id: state.customerId,
    seller: content.seller,
    customer: content.customer,
    language: content.language,
    issue_date: state.issueDate,
    due_date: state.dueDate,
    payment_terms_days: state.paymentTermsDays,
    lapses_at: state.lapsesAt,
    purchase_order: content.purchaseOrder,
    notes: content.notes,
    metadata: content.metadata,
    prices_include_tax: content.pricesIncludeTax,
    cash_rounding: content.cashRounding,
    discounts: JSON.stringify(content.discounts.map(storedDocumentAdjustment)),
    charges: JSON.stringify(content.charges.map(storedDocumentAdjustment)),
    subtotal: content.subtotal.minor,
    discount_total: content.discountTotal.minor,
    charge_total: content.chargeTotal.minor,
    net_total: content.netTotal.minor,
    tax_total: content.taxTotal.minor,
    rounding: content.rounding.minor,
    total: state.total.minor,
    amount_applied: state.amountApplied.minor,
    issued_at: state.issuedAt,
    search: searchText(state, content),
  };
}

interface StoredAdjustment {
  percent: string | null;
  amount: string;
  reason: string | null;
}

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

/** Columns of a document's content, as PostgreSQL returns them. */
export interface ContentColumns {
  seller: Partial<Seller>;
  customer: Partial<Buyer>;
  language: string | null;
  purchase_order: string | null;
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
  lines: StoredLine[] | null;
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
  discounts: StoredAdjustment[],
  charges: StoredAdjustment[],
  amount: string,
  net: string,
];

export const CONTENT_COLUMNS = `d.seller, d.customer, d.language, d.purchase_order, d.notes,
  d.metadata, d.prices_include_tax, d.cash_rounding, d.discounts, d.charges, d.subtotal,
  d.discount_total, d.charge_total, d.net_total, d.tax_total, d.rounding, d.total, d.currency,
  (SELECT json_agg(json_build_array(l.position, l.description, trim_scale(l.quantity)::text, l.unit,
      trim_scale(l.unit_amount)::text, trim_scale(l.tax_rate)::text, l.tax_category,
      l.exemption_reason, l.discounts, l.charges, l.amount::text, l.net::text)
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
  const [, , , , , , , exemptionReason, storedDiscounts, storedCharges, amount, net] = stored;
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
    description,
    quantity,
    unit,
    unitAmountDecimal,
    taxRate,
    taxCategory,
    exemptionReason,
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
