import { Money } from '../../kernel/money.js';
import type { Row } from '../../platform/database/row.js';
import type { TaxShare } from '../domain/calculation/tax-part.js';
import { Document } from '../domain/document.js';
import type { CollectionMethod } from '../domain/collection-method.js';
import type { DocumentState, OriginRelation } from '../domain/document-state.js';
import type { DocumentContent } from '../domain/document-view.js';
import type { DocumentKind, Lifecycle } from '../domain/lifecycle.js';

/** @json */
interface StoredCashDiscount {
  percent: string;
  days: number;
  lapses_at: string | null;
}

/** @json */
interface StoredTaxShare {
  category: string;
  rate: string;
  base: string;
  tax: string;
}

export type StateColumns = Omit<
  Row<
    'documents',
    {
      kind: DocumentKind;
      lifecycle: Lifecycle;
      collection_method: CollectionMethod;
      cash_discounts: StoredCashDiscount[];
      tax_relief: StoredTaxShare[];
      origin: OriginRelation;
    }
  >,
  | 'cash_rounding'
  | 'charge_total'
  | 'discount_total'
  | 'issued_xact'
  | 'language'
  | 'payment_reference'
  | 'prices_include_tax'
  | 'purchase_order'
  | 'subtotal'
>;

export const STATE_COLUMNS = `d.account_id, d.document_id, d.kind, d.proforma, d.lifecycle,
  d.number_series, d.number, d.number_period, d.number_sequence, d.external_id, d.currency,
  d.customer_id, d.issue_date, d.due_date, d.payment_terms_days,
  d.collection_method, d.cash_discounts, d.lapses_at,
  d.net_total, d.tax_total, d.rounding, d.total, d.amount_paid, d.amount_prepaid, d.amount_refunded, d.amount_undecided, d.amount_waived,
  d.amount_disputed, d.amount_processing, d.amount_credited, d.credit_notes_total, d.amount_applied, d.amount_moved, d.tax_relief, d.origin, d.origin_document_id, d.revision, d.accepted_at, d.accepted_by, d.rejection_reason, d.rejected_at,
  d.rejected_version, d.converted_at, d.written_off_at, d.settled_at, d.version,
  d.event_sequence, d.created_at, d.updated_at, d.issued_at, d.voided_at`;

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
    numberBefore: null,
    externalId: row.external_id,
    currency: row.currency,
    customerId: row.customer_id,
    issueDate: row.issue_date,
    dueDate: row.due_date,
    paymentTermsDays: row.payment_terms_days,
    collectionMethod: row.collection_method,
    cashDiscounts: (row.cash_discounts ?? []).map(({ percent, days, lapses_at: at }) => ({
      percent,
      days,
      lapsesAt: at === null ? null : new Date(at),
    })),
    lapsesAt: row.lapses_at,
    netTotal: money(row.net_total),
    taxTotal: money(row.tax_total),
    rounding: money(row.rounding),
    total: money(row.total),
    amountPaid: money(row.amount_paid),
    amountPrepaid: money(row.amount_prepaid),
    amountRefunded: money(row.amount_refunded),
    amountUndecided: money(row.amount_undecided),
    amountWaived: money(row.amount_waived),
    amountDisputed: money(row.amount_disputed),
    amountProcessing: money(row.amount_processing),
    amountCredited: money(row.amount_credited),
    creditNotesTotal: money(row.credit_notes_total),
    amountApplied: money(row.amount_applied + row.amount_moved),
    amountMoved: money(row.amount_moved),
    taxRelief:
      row.tax_relief?.map(({ category, rate, base, tax }) => ({
        category,
        rate,
        base: money(BigInt(base)),
        tax: money(BigInt(tax)),
      })) ?? null,
    origin:
      row.origin && row.origin_document_id
        ? { relation: row.origin, documentId: row.origin_document_id }
        : null,
    revision: row.revision,
    acceptedAt: row.accepted_at,
    acceptedBy: row.accepted_by,
    rejection,
    convertedAt: row.converted_at,
    writtenOffAt: row.written_off_at,
    settledAt: row.settled_at,
    version: row.version,
    eventSequence: row.event_sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    issuedAt: row.issued_at,
    voidedAt: row.voided_at,
  };
  return new Document(state, now);
}

/** Amounts are text inside JSON, as those of adjustments are. */
function storedTaxes(taxes: readonly TaxShare[]): string {
  const stored: StoredTaxShare[] = taxes.map(({ category, rate, base, tax }) => ({
    category,
    rate,
    base: `${base.minor}`,
    tax: `${tax.minor}`,
  }));
  return JSON.stringify(stored);
}

/** Null where there are none. */
function storedDiscounts({ cashDiscounts }: DocumentState): string | null {
  const stored: StoredCashDiscount[] = cashDiscounts.map(({ percent, days, lapsesAt }) => ({
    percent,
    days,
    lapses_at: lapsesAt && lapsesAt.toISOString(),
  }));
  return stored.length === 0 ? null : JSON.stringify(stored);
}

/** The columns that a payment or a credit note changes. */
export function sumColumns(state: DocumentState) {
  return {
    amount_paid: state.amountPaid.minor,
    amount_refunded: state.amountRefunded.minor,
    amount_waived: state.amountWaived.minor,
    amount_disputed: state.amountDisputed.minor,
    amount_processing: state.amountProcessing.minor,
    amount_credited: state.amountCredited.minor,
    credit_notes_total: state.creditNotesTotal.minor,
    tax_relief: state.taxRelief && storedTaxes(state.taxRelief),
    settled_at: state.settledAt,
    version: state.version,
    event_sequence: state.eventSequence,
    updated_at: state.updatedAt,
  };
}

/** The columns that change where credit of a note moves. */
export function movedColumns(state: DocumentState) {
  return { ...sumColumns(state), amount_moved: state.amountMoved.minor };
}

/** The columns that an answer, a void, a conversion or a write-off changes. */
export function lifecycleColumns(state: DocumentState) {
  return {
    ...sumColumns(state),
    lifecycle: state.lifecycle,
    accepted_at: state.acceptedAt,
    accepted_by: state.acceptedBy,
    rejection_reason: state.rejection?.reason ?? null,
    rejected_at: state.rejection?.at ?? null,
    rejected_version: state.rejection?.version ?? null,
    converted_at: state.convertedAt,
    written_off_at: state.writtenOffAt,
    voided_at: state.voidedAt,
  };
}

/** Everything of `documents` that may change while one is a draft, and is frozen when it is issued. */
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
    language: content.language,
    issue_date: state.issueDate,
    due_date: state.dueDate,
    payment_terms_days: state.paymentTermsDays,
    collection_method: state.collectionMethod,
    cash_discounts: storedDiscounts(state),
    lapses_at: state.lapsesAt,
    purchase_order: content.purchaseOrder,
    payment_reference: content.paymentReference,
    prices_include_tax: content.pricesIncludeTax,
    cash_rounding: content.cashRounding,
    subtotal: content.subtotal.minor,
    discount_total: content.discountTotal.minor,
    charge_total: content.chargeTotal.minor,
    net_total: content.netTotal.minor,
    tax_total: content.taxTotal.minor,
    rounding: content.rounding.minor,
    total: state.total.minor,
    amount_applied: state.amountApplied.minor,
    amount_prepaid: state.amountPrepaid.minor,
    issued_at: state.issuedAt,
  };
}
