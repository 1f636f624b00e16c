import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Matching, WholeNumber } from '../../platform/http/fields.js';

const DIGEST = { pattern: '^[0-9a-f]{64}$' };
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class IntegrityParameters {
  @Transform(({ value }) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value))
  @WholeNumber({
    min: 1,
    max: 999_999_999_999_999,
    optional: true,
    description: '`sealed.sequence` of an earlier answer, with its `digest`.',
  })
  sequence?: number;

  @Matching(
    {
      code: 'invalid_digest',
      test: (text) => /^[0-9a-f]{64}$/.test(text),
      message: 'must be 64 hexadecimal digits, as sealed.digest has them',
    },
    {
      optional: true,
      description: '`sealed.digest` of an earlier answer: is it still in the chain?',
      example: SHA256,
      schema: DIGEST,
    },
  )
  digest?: string;
}

class DifferenceBody {
  @ApiProperty({ example: 'document amount_paid is the sum of its payments and allocations' })
  check!: string;

  @ApiProperty({ description: 'What is concerned.', example: 'doc_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ description: 'What is stored, or told by the fact.', example: '2501' })
  stored!: string;

  @ApiProperty({ description: 'What was derived anew.', example: '2500' })
  derived!: string;
}

class SealedBody {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'Place of the newest seal.' })
  sequence!: number;

  @ApiProperty({
    ...DIGEST,
    description: 'Covers everything that is sealed. Keep it elsewhere, with its sequence.',
    example: SHA256,
  })
  digest!: string;

  @ApiProperty({ type: 'integer', description: 'Transactions before this one are sealed.' })
  through!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'Rows in all seals.' })
  rows!: number;

  @ApiProperty({ format: 'date-time' })
  sealed_at!: string;
}

export class IntegrityBody {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many checks were made.' })
  checks!: number;

  @ApiProperty({ type: [DifferenceBody], description: 'Empty in healthy books.' })
  differences!: DifferenceBody[];

  @ApiProperty({ type: SealedBody, nullable: true, description: 'Null before the first seal.' })
  sealed!: SealedBody | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Rows that the next seal will cover.' })
  unsealed_rows!: number;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether the chain has the seal that was asked for; null when none was.',
  })
  contains_seal!: boolean | null;
}
