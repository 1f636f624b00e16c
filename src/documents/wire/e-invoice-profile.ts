import { nameWords } from '../../platform/http/openapi/words.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { E_INVOICE_CHOICES, E_INVOICE_PROFILES } from '../domain/codes/e-invoice-profiles.js';

nameWords({ EInvoiceProfile: E_INVOICE_PROFILES, EInvoiceChoice: E_INVOICE_CHOICES });

/** The format of an e-invoice that goes out with documents. */
export const eInvoiceChoice = (description: string) =>
  oneOf(E_INVOICE_CHOICES, { optional: true, description, example: 'peppol' });
