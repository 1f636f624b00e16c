import type { DocumentView } from '../domain/document-view.js';
import type { DocumentBody } from './document.dto.js';

/** The JSON of a document. Amounts fit a JSON number: none is above 10^13. */
export function presentDocument(view: DocumentView): DocumentBody {
  return {
    id: view.id,
    kind: view.kind,
    status: view.status,
    number: view.number,
    version: view.version,
    currency: view.currency,
    customer_id: view.customerId,
    customer: view.customer,
    seller: view.seller,
    issue_date: view.issueDate,
    due_date: view.dueDate,
    is_overdue: view.isOverdue,
    purchase_order: view.purchaseOrder,
    notes: view.notes,
    lines: view.lines.map((line) => ({
      position: line.position,
      description: line.description,
      quantity: line.quantity,
      unit_amount_decimal: line.unitAmountDecimal,
      tax_rate: line.taxRate,
      tax_category: line.taxCategory,
      net_amount: line.net.toMinorNumber(),
    })),
    tax_groups: view.taxGroups.map((group) => ({
      tax_category: group.category,
      tax_rate: group.rate,
      taxable_amount: group.base.toMinorNumber(),
      tax_amount: group.tax.toMinorNumber(),
    })),
    net_total: view.netTotal.toMinorNumber(),
    tax_total: view.taxTotal.toMinorNumber(),
    total: view.total.toMinorNumber(),
    amount_paid: view.amountPaid.toMinorNumber(),
    amount_due: view.amountDue.toMinorNumber(),
    accepted_at: view.acceptedAt?.toISOString() ?? null,
    rejection: view.rejection && {
      reason: view.rejection.reason,
      rejected_at: view.rejection.at.toISOString(),
      version: view.rejection.version,
    },
    metadata: view.metadata,
    created_at: view.createdAt.toISOString(),
    issued_at: view.issuedAt?.toISOString() ?? null,
    voided_at: view.voidedAt?.toISOString() ?? null,
  };
}
