import { z } from 'zod';
import { oneOf } from '../../platform/http/validation/fields.js';
import { queryShape } from '../../platform/http/validation/shapes.js';
import { flagParameter } from '../../platform/http/validation/standard-fields.js';
import { E_INVOICE_PROFILES } from '../../documents/index.js';

/** Profiles whose XML a PDF carries. */
const HYBRID_PROFILES = ['factur-x'] as const;

const hybridProfile = () =>
  oneOf(HYBRID_PROFILES, {
    optional: true,
    description: 'With the e-invoice of this profile in it: a hybrid invoice.',
  });

export const PdfQuery = queryShape({
  as_issued: flagParameter({
    optional: true,
    description: 'The PDF of its issue, without a mark of what became of it since.',
  }),
  profile: hybridProfile(),
});
export type PdfQuery = z.output<typeof PdfQuery>;

export const PortalPdfQuery = queryShape({ profile: hybridProfile() });
export type PortalPdfQuery = z.output<typeof PortalPdfQuery>;

export const XmlQuery = queryShape({
  profile: oneOf(E_INVOICE_PROFILES, {
    optional: true,
    description:
      'The format that the buyer takes: docs/e-invoices.md compares them. Without it, the one that goes ' +
      'out with the document.',
    example: 'peppol',
  }),
});
export type XmlQuery = z.output<typeof XmlQuery>;
