import type { DraftTerms } from './document-state.js';
import type { AdjustmentView, DocumentContent } from './document-view.js';

/** What a reader would notice about a document, by its public names: to tell versions apart. */
export function shownTerms(
  document: DocumentContent & Pick<DraftTerms, 'currency' | 'issueDate' | 'dueDate'>,
): object {
  return {
    currency: document.currency,
    issue_date: document.issueDate,
    due_date: document.dueDate,
    customer: document.customer,
    purchase_order: document.purchaseOrder,
    notes: document.notes,
    prices_include_tax: document.pricesIncludeTax,
    lines: document.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      unit: line.unit,
      unit_amount_decimal: line.unitAmountDecimal,
      tax_rate: line.taxRate,
      tax_category: line.taxCategory,
      discounts: line.discounts.map(shownAdjustment),
      charges: line.charges.map(shownAdjustment),
      net_amount: line.net.minor,
    })),
    discounts: document.discounts.map(shownAdjustment),
    charges: document.charges.map(shownAdjustment),
    net_total: document.netTotal.minor,
    tax_total: document.taxTotal.minor,
    rounding_amount: document.rounding.minor,
    total: document.total.minor,
    metadata: document.metadata,
  };
}

function shownAdjustment({ percent, amount, reason }: AdjustmentView): object {
  return { percent, amount: amount.minor, reason };
}
