import { z } from 'zod';
import { answerShape } from '../../platform/http/validation/shapes.js';
import type { Preview } from '../application/drafts.service.js';
import { DocumentWarningBody } from './document-body.js';

/** The particulars that a document lacks, or has wrong. */
export const ValidationBody = answerShape('ValidationBody', {
  valid: z.boolean().describe('Whether nothing is missing or wrong.'),
  strict: z.boolean().describe('The setting of the seller: whether warnings refuse to issue.'),
  warnings: z.array(DocumentWarningBody).describe('At most 120.'),
});
export type ValidationBody = z.output<typeof ValidationBody>;

export function presentValidation(judged: Omit<Preview, 'calculation'>): ValidationBody {
  const { findings, unprintable, strict } = judged;
  return { valid: findings.length === 0, strict, warnings: [...findings, ...unprintable] };
}
