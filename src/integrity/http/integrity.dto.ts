import { ApiProperty } from '@nestjs/swagger';
import { Matching, WholeNumber } from '../../platform/http/validation/fields.js';
import { Tidied } from '../../platform/http/validation/rules.js';

const DIGEST = { pattern: '^[0-9a-f]{64}$' };
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export class IntegrityParameters {
  @Tidied((value) => (/^\d{1,15}$/.test(String(value)) ? Number(value) : value))
  @WholeNumber({
    min: 1,
    max: 999_999_999_999_999,
    optional: true,
    description: 'The `sealed.sequence` of an earlier answer; send its `digest` as well.',
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
      description:
        'The `sealed.digest` of an earlier answer. `contains_seal` says whether it is still in ' +
        'the chain.',
      example: SHA256,
      schema: DIGEST,
    },
  )
  digest?: string;
}

class DifferenceBody {
  @ApiProperty({ example: 'document amount_paid is the sum of its payments and allocations' })
  check!: string;

  @ApiProperty({ description: 'What it is about.', example: 'doc_01h455vb4pex5vsknk084sn02q' })
  id!: string;

  @ApiProperty({ description: 'What is stored, or was recorded.', example: '2501' })
  stored!: string;

  @ApiProperty({ description: 'The value that was derived again.', example: '2500' })
  derived!: string;
}

class SealedBody {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    description: 'The newest seal’s place in the chain.',
  })
  sequence!: number;

  @ApiProperty({
    ...DIGEST,
    description:
      'It covers everything that is sealed. Keep it in another place, with its sequence.',
    example: SHA256,
  })
  digest!: string;

  @ApiProperty({ type: 'integer', description: 'Transactions before this one are sealed.' })
  through!: number;

  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many rows are sealed.' })
  rows!: number;

  @ApiProperty({ format: 'date-time' })
  sealed_at!: string;
}

export class IntegrityBody {
  @ApiProperty({ type: 'integer', minimum: 1, description: 'How many checks were made.' })
  checks!: number;

  @ApiProperty({ type: [DifferenceBody], description: 'Empty if the books are in order.' })
  differences!: DifferenceBody[];

  @ApiProperty({ type: SealedBody, nullable: true, description: 'null before the first seal.' })
  sealed!: SealedBody | null;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Rows that the next seal will cover.' })
  unsealed_rows!: number;

  @ApiProperty({
    type: 'boolean',
    nullable: true,
    description: 'Whether the chain has the seal that was asked for; null if none was.',
  })
  contains_seal!: boolean | null;
}
