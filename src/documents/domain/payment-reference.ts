import {
  creditorReference,
  creditorReferenceOfId,
  groupedByFour,
  parseCreditorReference,
} from '../../kernel/creditor-reference.js';
import type { DocumentDetails } from './document-details.js';
import type { DocumentState } from './document-state.js';

/** As much as a credit transfer of SEPA says in words. */
export const MOST_OF_REFERENCE = 140;

/**
 * By what a bank transfer names a document: what its caller said, else what an invoice gets as it is
 * issued (ISO 11649, decisions 29 and 255).
 */
export function paymentReferenceOf(
  { kind, number, id }: Pick<DocumentState, 'kind' | 'number' | 'id'>,
  { payment_reference: said }: Pick<DocumentDetails, 'payment_reference'>,
): string | null {
  if (said !== undefined) return said;
  if (kind !== 'invoice' || number === null) return null;
  return creditorReference(number) ?? creditorReferenceOfId(id);
}

/** One line, and structured ones as codes say them: without what stands between their groups. */
export function tidyPaymentReference(text: string): string {
  // Characters that no text may have are left for the rule of all texts.
  const line = text.replace(/[^\S\v\f]+/g, ' ').replace(/^ | $/g, '');
  const digits = line.replaceAll(' ', '');
  return parseCreditorReference(line) ?? (QR_REFERENCE.test(digits) ? digits : line);
}

/** Text that names something; with the right check digits, where it has the form of a structured one. */
export function isPaymentReference(text: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(text) || [...text].length > MOST_OF_REFERENCE) return false;
  if (/^RF\d\d/i.test(text)) return isCreditorReference(text);
  if (QR_REFERENCE.test(text)) return isQrReference(text);
  return !/^(\+{3}|\*{3})/.test(text) || isBelgian(text);
}

export function isCreditorReference(text: string): boolean {
  return parseCreditorReference(text) === text;
}

const QR_REFERENCE = /^\d{27}$/;
/** The next carry of modulo 10, recursive, as Swiss references have it. */
const CARRIES = [0, 9, 4, 6, 8, 2, 7, 1, 3, 5];

/** That of a Swiss QR-bill that goes to a QR-IBAN. */
export function isQrReference(text: string): boolean {
  if (!QR_REFERENCE.test(text)) return false;
  const digits = [...text].map((digit) => parseInt(digit, 10));
  const last = digits.pop();
  const carry = digits.reduce((sum, digit) => CARRIES[(sum + digit) % 10] ?? 0, 0);
  return (10 - carry) % 10 === last;
}

/** `+++090/9337/55493+++`: the last two digits are the rest by 97, and 97 in place of 0. */
function isBelgian(text: string): boolean {
  const [, , ...parts] = /^(\+{3}|\*{3})(\d{3})\/(\d{4})\/(\d{5})\1$/.exec(text) ?? [];
  const digits = parts.join('');
  if (digits === '') return false;
  return (parseInt(digits.slice(0, 10), 10) % 97 || 97) === parseInt(digits.slice(10), 10);
}

/** One that a bank checks, and that stands in a field of its own. Others are words. */
export function isStructuredReference(text: string): boolean {
  return isCreditorReference(text) || isQrReference(text) || isBelgian(text);
}

/** As paper has it: in groups where it is a structured one. */
export function writtenReference(reference: string): string {
  if (isCreditorReference(reference)) return groupedByFour(reference);
  if (!isQrReference(reference)) return reference;
  return [reference.slice(0, 2), ...(reference.slice(2).match(/.{5}/g) ?? [])].join(' ');
}
