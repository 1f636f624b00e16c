import { z } from 'zod';
import { ValidationBody } from '../../documents/index.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { PROFILE_IDS } from '../domain/profile.js';
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
  profile: oneOf(PROFILE_IDS, {
    optional: true,
    description: 'Judges it as an e-invoice in this profile, too.',
    example: 'xrechnung-ubl',
  }),
});
export type ValidateDocumentQuery = z.output<typeof ValidateDocumentQuery>;

export const DocumentValidationBody = answerShape('DocumentValidationBody', {
  ...ValidationBody.shape,
  e_invoice: EInvoiceValidationBody.optional().describe('Only with a profile.'),
});
export type DocumentValidationBody = z.output<typeof DocumentValidationBody>;
