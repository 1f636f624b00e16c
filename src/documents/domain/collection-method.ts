import { type FieldError } from '../../kernel/domain-error.js';
import type { Money } from '../../kernel/money.js';
import type { DocumentKind, DocumentStatus } from './lifecycle.js';
import { DocumentRefusal } from './refusals.js';

/** How what is due gets here on the due date: debited by a mandate, or paid by the client. */
export const COLLECTION_METHODS = ['charge_automatically', 'send_invoice'] as const;
export type CollectionMethod = (typeof COLLECTION_METHODS)[number];

/** A quote hands its method on to its invoice; a credit note has nothing to collect. */
export function methodErrors(kind: DocumentKind, method: CollectionMethod | null): FieldError[] {
  if (kind !== 'credit_note' || method === null) return [];
  return [
    DocumentRefusal.collection_method_of_credit_note.field(
      '/collection_method',
      'A credit note is not collected; leave collection_method out.',
    ),
  ];
}

/** @throws DomainError `document_not_payable` where an issued document asks for nothing any more */
export function assertCollectible(document: { amountDue: Money; status: DocumentStatus }): void {
  const { amountDue, status } = document;
  if (amountDue.isPositive()) return;
  throw DocumentRefusal.document_not_payable.of(
    `Nothing is left to collect of this document, as it is ${status}; leave collection_method out.`,
    { document_status: status },
  );
}
