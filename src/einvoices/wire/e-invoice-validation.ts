import { z } from 'zod';
import { DocumentWarningBody, E_INVOICE_PROFILES, type Judgement } from '../../documents/index.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import type { EInvoiceFinding } from '../domain/rules/judge.js';

const EInvoiceFindingBody = answerShape('EInvoiceFindingBody', {
  rule: z.string().meta({ example: 'BR-DE-15', description: 'Its published id.' }),
  severity: z
    .enum(['fatal', 'warning'])
    .describe('What is fatal is sent back by those who receive it.'),
  message: z.string().describe('What to do.'),
  pointer: z
    .string()
    .meta({ example: '/buyer_reference', description: 'The field of the document to mend.' }),
});

const EInvoiceValidationBody = answerShape('EInvoiceValidationBody', {
  profile: z.string().meta({ example: 'xrechnung-ubl' }),
  release: z.string().meta({ example: '3.0.2', description: 'Of the rules.' }),
  valid: z.boolean().describe('Whether no fatal rule is broken.'),
  findings: z.array(EInvoiceFindingBody),
});
type EInvoiceValidationBody = z.output<typeof EInvoiceValidationBody>;

export function presentFindings(
  { id, release }: { id: string; release: string },
  findings: readonly EInvoiceFinding[],
): EInvoiceValidationBody {
  return {
    profile: id,
    release,
    valid: findings.every(({ severity }) => severity !== 'fatal'),
    findings: [...findings],
  };
}

export const ValidateDocumentQuery = queryShape({
  profile: oneOf(E_INVOICE_PROFILES, {
    optional: true,
    description: 'Judges it as an e-invoice in this profile, too.',
    example: 'xrechnung-ubl',
  }),
});
export type ValidateDocumentQuery = z.output<typeof ValidateDocumentQuery>;

/** The particulars that a document lacks, or has wrong. */
export const ValidationBody = answerShape('ValidationBody', {
  valid: z.boolean().describe('Whether the law misses nothing.'),
  strict: z.boolean().describe('The setting of the seller: whether warnings refuse to issue.'),
  warnings: z.array(DocumentWarningBody).describe('At most 120.'),
  e_invoice: EInvoiceValidationBody.optional().describe(
    'In the profile that was asked for; else in the one that goes out with it, if one does.',
  ),
});
export type ValidationBody = z.output<typeof ValidationBody>;

export function presentValidation(
  { findings, unprintable, strict }: Judgement,
  eInvoice: EInvoiceValidationBody | null,
): ValidationBody {
  return {
    valid: findings.length === 0,
    strict,
    warnings: [...findings, ...unprintable],
    ...(eInvoice && { e_invoice: eInvoice }),
  };
}
