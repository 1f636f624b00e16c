import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { storedDetails } from '../domain/document-details.js';
import type { AdjustmentView, DocumentContent, LineView } from '../domain/document-view.js';
import { storedAdjustment } from './content-columns.js';

/** Lines of a document with the taxes on them, a list for each column. */
export function insertLines(
  tx: Tx,
  document: { account_id: Uuid; document_id: Uuid },
  { lines, taxGroups }: Pick<DocumentContent, 'lines' | 'taxGroups'>,
): void {
  tx.insertLists('document_lines', document, {
    position: ['int', lines.map((line) => line.position)],
    description: ['text', lines.map((line) => line.description)],
    quantity: ['numeric', lines.map((line) => line.quantity)],
    unit: ['text', lines.map((line) => line.unit)],
    unit_amount: ['numeric', lines.map((line) => line.unitAmountDecimal)],
    tax_category: ['text', lines.map((line) => line.taxCategory)],
    tax_rate: ['numeric', lines.map((line) => line.taxRate)],
    exemption_reason: ['text', lines.map((line) => line.exemptionReason)],
    details: ['jsonb', lines.map((line) => storedLineDetails(line))],
    discounts: ['jsonb', lines.map((line) => stored(line.discounts))],
    charges: ['jsonb', lines.map((line) => stored(line.charges))],
    amount: ['bigint', lines.map((line) => line.amount.minor)],
    net: ['bigint', lines.map((line) => line.net.minor)],
    line_id: ['uuid', lines.map((line) => line.id)],
    external_id: ['text', lines.map((line) => line.externalId)],
    sku: ['text', lines.map((line) => line.sku)],
    metadata: ['jsonb', lines.map((line) => JSON.stringify(line.metadata))],
    item_id: ['uuid', lines.map((line) => line.itemId)],
    tax_rate_id: ['uuid', lines.map((line) => line.taxRateId)],
    credited_line_id: ['uuid', lines.map((line) => line.creditedLineId)],
  });
  tx.insertLists('document_tax_groups', document, {
    tax_category: ['text', taxGroups.map((group) => group.category)],
    tax_rate: ['numeric', taxGroups.map((group) => group.rate)],
    base: ['bigint', taxGroups.map((group) => group.base.minor)],
    tax: ['bigint', taxGroups.map((group) => group.tax.minor)],
    exemption_code: ['text', taxGroups.map((group) => group.exemptionCode)],
    exemption_reason: ['text', taxGroups.map((group) => group.exemptionReason)],
  });
}

function storedLineDetails({ details }: LineView): string | null {
  const said = storedDetails(details);
  return said && JSON.stringify(said);
}

function stored(adjustments: readonly AdjustmentView[]): string {
  return JSON.stringify(adjustments.map(storedAdjustment));
}
