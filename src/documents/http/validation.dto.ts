import { ApiProperty } from '@nestjs/swagger';
import type { Judgement } from '../application/documents.service.js';
import { DocumentWarningBody } from './document-body.dto.js';

/** The particulars that a document lacks, or has wrong. */
export class ValidationBody {
  @ApiProperty({ description: 'Whether nothing is missing or wrong.' }) valid!: boolean;
  @ApiProperty({ description: 'The setting of the seller: whether warnings refuse to issue.' })
  strict!: boolean;
  @ApiProperty({ type: [DocumentWarningBody], description: 'At most 120.' })
  warnings!: DocumentWarningBody[];
}

export function presentValidation(judged: Judgement): ValidationBody {
  const { findings, unprintable, strict } = judged;
  return { valid: findings.length === 0, strict, warnings: [...findings, ...unprintable] };
}
