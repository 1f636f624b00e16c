import { publicId } from '../../../kernel/ids.js';
import type { CashDiscountTerm } from '../cash-discount.js';
import type { DraftTerms } from '../document-state.js';
import type { AdjustmentView, DocumentAdjustmentView, DocumentContent } from '../document-view.js';

type Dated = DocumentContent &
  Pick<DraftTerms, 'currency' | 'issueDate' | 'dueDate'> & {
    cashDiscounts: readonly CashDiscountTerm[];
  };

/** The terms that a client would notice, by their public names: to tell versions apart. */
export function shownTerms(document: Dated): Record<string, unknown> & { lines: object[] } {
  return {
    currency: document.currency,
    issue_date: document.issueDate,
    due_date: document.dueDate,
    cash_discounts: document.cashDiscounts.map(({ percent, days }) => ({ percent, days })),
    customer: document.customer,
    purchase_order: document.purchaseOrder,
    ...document.details,
    attachments: document.details.attachments?.map(({ id: _id, ...one }) => one),
    notes: document.notes,
    language: document.language,
    prices_include_tax: document.pricesIncludeTax,
    lines: document.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unit: line.unit,
      unit_amount_decimal: line.unitAmountDecimal,
      tax_rate: line.taxRate,
      tax_category: line.taxCategory,
      ...line.details,
      discounts: line.discounts.map(shownAdjustment),
      charges: line.charges.map(shownAdjustment),
      net_amount: line.net.minor,
    })),
    discounts: document.discounts.map(shownDocumentAdjustment),
    charges: document.charges.map(shownDocumentAdjustment),
    net_total: document.netTotal.minor,
    tax_total: document.taxTotal.minor,
    rounding_amount: document.rounding.minor,
    total: document.total.minor,
  };
}

/** The same with what is the seller's own: everything that an edit may change. */
export function editableTerms(
  document: Dated &
    Pick<DraftTerms, 'series' | 'externalId' | 'paymentTermsDays' | 'collectionMethod'>,
): object {
  const shown = shownTerms(document);
  return {
    ...shown,
    lines: document.lines.map((line, index) => ({
      id: line.id && publicId('line', line.id),
      external_id: line.externalId,
      sku: line.sku,
      metadata: line.metadata,
      item_id: line.itemId && publicId('prod', line.itemId),
      tax_rate_id: line.taxRateId && publicId('txr', line.taxRateId),
      ...shown.lines[index],
    })),
    cash_rounding: document.cashRounding,
    payment_terms_days: document.paymentTermsDays,
    collection_method: document.collectionMethod,
    series_id: document.series,
    external_id: document.externalId,
    metadata: document.metadata,
  };
}

function shownAdjustment({ percent, amount, reason, reasonCode }: AdjustmentView): object {
  return { percent, amount: amount.minor, reason, ...(reasonCode && { reason_code: reasonCode }) };
}

function shownDocumentAdjustment(view: DocumentAdjustmentView): object {
  const { ownTax } = view;
  return { ...shownAdjustment(view), tax_category: ownTax?.category, tax_rate: ownTax?.rate };
}
