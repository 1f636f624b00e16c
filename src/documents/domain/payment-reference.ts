import { creditorReference, creditorReferenceOfId } from '../../kernel/creditor-reference.js';
import type { DocumentState } from './document-state.js';

/**
 * By what a bank transfer names an invoice (ISO 11649), fixed as it is issued; null before that
 * (decision 29).
 */
export function paymentReferenceOf({
  kind,
  number,
  id,
}: Pick<DocumentState, 'kind' | 'number' | 'id'>): string | null {
  if (kind !== 'invoice' || number === null) return null;
  return creditorReference(number) ?? creditorReferenceOfId(id);
}
