import { ciiInvoice } from './cii/cii-invoice.js';
import type { Profile } from './profile.js';
import type { SemanticInvoice } from './semantic/semantic-invoice.js';
import { ublInvoice } from './ubl/ubl-invoice.js';

/** The XML of an invoice, piece by piece; the same invoice has the same bytes. */
export function writeInvoice(invoice: SemanticInvoice, profile: Profile): Generator<string> {
  return profile.syntax === 'ubl' ? ublInvoice(invoice, profile) : ciiInvoice(invoice, profile);
}

/** The same in one text. */
export function invoiceXml(invoice: SemanticInvoice, profile: Profile): string {
  return [...writeInvoice(invoice, profile)].join('');
}
