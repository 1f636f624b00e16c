import type { DocumentState } from '../domain/document-state.js';
import type { DocumentContent } from '../domain/document-view.js';

const LONGEST_SEARCH_TEXT = 50_000;

/** The words by which a document is found. Bounded: an index entry is, too. */
export function searchText(
  { number, externalId }: DocumentState,
  content: DocumentContent,
): string {
  const { customer } = content;
  const words = [
    ...[number, externalId, content.purchaseOrder].flatMap(asTyped),
    customer.name,
    customer.legal_name,
    customer.email,
    customer.reference,
    content.notes,
    ...content.lines.map((line) => line.description),
  ];
  return words
    .filter((word) => word !== null)
    .join(' ')
    .slice(0, LONGEST_SEARCH_TEXT)
    .toWellFormed();
}

/** A number as people type it: `INV-00012`, but also `INV00012` and `INV 12`. */
function asTyped(number: string | null): string[] {
  if (number === null) return [];
  const joined = number.replaceAll(/[^\p{L}\p{N}]/gu, '');
  const withoutZeros = number.replaceAll(/(?<!\d)0+(?=\d)/g, '');
  return [number, joined, withoutZeros];
}
