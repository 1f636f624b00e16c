import { ciiInvoice } from './cii/cii-invoice.js';
import { ANNEX, FRENCH_ATTACHMENTS } from './french-attachments.js';
import type { Profile } from './profile.js';
import type { SemanticInvoice } from './semantic/semantic-invoice.js';
import { ublInvoice } from './ubl/ubl-invoice.js';

/** The XML of an invoice, piece by piece; the same invoice has the same bytes. */
export function writeInvoice(invoice: SemanticInvoice, profile: Profile): Generator<string> {
  const referring = profile.hasOnePreceding ? withOnePreceding(invoice) : invoice;
  const noting = profile.isBelgian ? withNotedObject(referring) : referring;
  const fitting = profile.codesAttachments ? withCodedAttachments(noting) : noting;
  return profile.syntax === 'ubl' ? ublInvoice(fitting, profile) : ciiInvoice(fitting, profile);
}

/** The others are told in a note, so that nothing is lost. */
function withOnePreceding(invoice: SemanticInvoice): SemanticInvoice {
  const [first, ...others] = invoice.precedingInvoices;
  if (!first || others.length === 0) return invoice;
  const told = others.map(({ number, issueDate }) => [number, issueDate].filter(Boolean).join(' '));
  return {
    ...invoice,
    precedingInvoices: [first],
    notes: [...invoice.notes, { subjectCode: null, text: told.join(', ') }],
  };
}

/** UBL.BE wants an object described (ubl-BE-04), and refuses it where it is (UBL-CR-673). */
function withNotedObject(invoice: SemanticInvoice): SemanticInvoice {
  const { invoicedObject: object, notes } = invoice;
  if (object === null) return invoice;
  const text = [object.scheme, object.value].filter(Boolean).join(' ');
  return { ...invoice, invoicedObject: null, notes: [...notes, { subjectCode: null, text }] };
}

/** France takes codes in place of words (BR-FR-17): these say no more than that it is an annex. */
function withCodedAttachments(invoice: SemanticInvoice): SemanticInvoice {
  return {
    ...invoice,
    supportingDocuments: invoice.supportingDocuments.map((one) => ({
      ...one,
      description: FRENCH_ATTACHMENTS.has(one.description ?? '') ? one.description : ANNEX,
    })),
  };
}

/** The same in one text. */
export function invoiceXml(invoice: SemanticInvoice, profile: Profile): string {
  return [...writeInvoice(invoice, profile)].join('');
}
