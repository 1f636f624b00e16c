import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { DocumentContent } from '../domain/document-view.js';
import { storedLine, storedTaxGroup } from './content-columns.js';

/** Lines of a document with the taxes on them, as its content has them. */
export function insertLines(
  tx: Tx,
  document: { account_id: Uuid; document_id: Uuid },
  { lines, taxGroups }: Pick<DocumentContent, 'lines' | 'taxGroups'>,
): void {
  tx.insertLists('document_lines', document, lines.map(storedLine));
  tx.insertLists('document_tax_groups', document, taxGroups.map(storedTaxGroup));
}
