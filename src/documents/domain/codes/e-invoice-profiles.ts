/** The formats of e-invoices. `src/einvoices` knows what each is, and writes it. */
export const E_INVOICE_PROFILES = [
  'en16931-ubl',
  'en16931-cii',
  'peppol',
  'xrechnung-ubl',
  'xrechnung-cii',
  'factur-x',
  'france-ubl',
  'france-cii',
  'ubl-be',
] as const;
export type EInvoiceProfile = (typeof E_INVOICE_PROFILES)[number];

/** The format that goes out with a document: `none` where another one is the default. */
export const E_INVOICE_CHOICES = [...E_INVOICE_PROFILES, 'none'] as const;
export type EInvoiceChoice = (typeof E_INVOICE_CHOICES)[number];

/** The format that goes out with a document; null without one, as of a quote. */
export function profileOf({
  kind,
  details: { e_invoice_profile: choice = 'none' },
}: {
  kind: string;
  details: { e_invoice_profile?: EInvoiceChoice };
}): EInvoiceProfile | null {
  return kind === 'quote' || choice === 'none' ? null : choice;
}
