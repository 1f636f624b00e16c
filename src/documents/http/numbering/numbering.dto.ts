import { ApiProperty } from '@nestjs/swagger';
import { PageEnds } from '../../../platform/http/paging.js';
import { Flag, Matching, OneOf, WholeNumber } from '../../../platform/http/validation/fields.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { DOCUMENT_KINDS, type DocumentKind } from '../../domain/lifecycle.js';
import { LONGEST_PATTERN, NumberPattern } from '../../domain/numbering/number-pattern.js';
import {
  LARGEST_SEQUENCE,
  RESETS,
  type Reset,
  SERIES_NAME,
} from '../../domain/numbering/number-series.js';

nameWords({ NumberReset: RESETS });

const Pattern = (optional: boolean) =>
  Matching(
    {
      code: 'invalid_pattern',
      test: (text) => NumberPattern.faultOf(text) === undefined,
      message: (value) =>
        (typeof value === 'string' && NumberPattern.faultOf(value)) || 'must be text',
    },
    {
      optional,
      example: 'INV-{YYYY}-{SEQ:5}',
      description:
        'Text with {SEQ} exactly once, or {SEQ:n} for n digits with leading zeros. {YYYY}, ' +
        '{YY} and {MM} stand for the issue date.',
      schema: { minLength: 1, maxLength: LONGEST_PATTERN },
    },
  );

const ResetField = () =>
  OneOf(RESETS, {
    optional: true,
    description:
      'When the count starts again, by issue date. `year` needs {YYYY} or {YY} in the ' +
      'pattern, and `month` needs {MM} as well.',
  });

const Default = () =>
  Flag({ optional: true, description: 'Documents of its kind take it when they name no series.' });

const DATES_IN_ORDER =
  'No document is dated before the one that has the number before it: to issue it is refused with ' +
  '`date_before_last_issued`. Otherwise the answer only warns.';

const DatesInOrder = () => Flag({ optional: true, description: DATES_IN_ORDER });

export class CreateNumberSeriesRequest {
  @Matching(
    {
      code: 'invalid_series',
      test: (text) => SERIES_NAME.test(text),
      message: 'must be 1 to 40 of a-z, 0-9, - and _, and begin with a letter or digit',
    },
    { example: 'web-shop', schema: { pattern: SERIES_NAME.source } },
  )
  id!: string;

  @OneOf(DOCUMENT_KINDS)
  kind!: DocumentKind;

  @Pattern(false)
  pattern!: string;

  @ResetField()
  reset?: Reset;

  @WholeNumber({
    min: 1,
    max: LARGEST_SEQUENCE,
    optional: true,
    description: 'The first sequence of each period. Default: 1.',
  })
  start_at?: number;

  @Default()
  default?: boolean;

  @DatesInOrder()
  dates_in_order?: boolean;
}

export class ChangeNumberSeriesRequest {
  @Pattern(true)
  pattern?: string;

  @ResetField()
  reset?: Reset;

  @Default()
  default?: boolean;

  @DatesInOrder()
  dates_in_order?: boolean;

  @WholeNumber({
    min: 1,
    max: LARGEST_SEQUENCE,
    optional: true,
    description:
      'The sequence from which the present period goes on. It can only be set before the ' +
      'period’s first number is taken.',
  })
  next?: number;
}

class NumberSeriesFields {
  @ApiProperty({ enum: DOCUMENT_KINDS }) kind!: string;
  @ApiProperty({ example: 'INV-{YYYY}-{SEQ:5}' }) pattern!: string;
  @ApiProperty({ enum: RESETS }) reset!: string;
}

export class NumberSeriesBody extends NumberSeriesFields {
  @ApiProperty({ example: 'invoice' }) id!: string;
  @ApiProperty({ description: 'Documents of its kind take it when they name no series.' })
  default!: boolean;
  @ApiProperty({ description: DATES_IN_ORDER }) dates_in_order!: boolean;
  @ApiProperty({ description: 'The first sequence of each period.' }) start_at!: number;
  @ApiProperty({
    example: '2026',
    description:
      'The period of a document that is issued today: empty, a year, or a year and a month.',
  })
  period!: string;
  @ApiProperty({ description: 'The sequence that such a document would get.' }) next!: number;
  @ApiProperty({ example: 'INV-2026-00001' }) next_number!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    format: 'date-time',
    description: 'It is null for a built-in series that was never used.',
  })
  created_at!: string | null;
}

export class NumberSeriesList extends PageEnds {
  @ApiProperty({ type: [NumberSeriesBody] }) data!: NumberSeriesBody[];
}

class NumberGapBody {
  @ApiProperty() from!: number;
  @ApiProperty() to!: number;
}

class NumberPeriodBody {
  @ApiProperty({ example: '2026' }) period!: string;
  @ApiProperty({ type: Number, nullable: true, description: 'The first sequence that was given.' })
  first!: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'The last sequence that was given.' })
  last!: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'That of the lowest sequence.' })
  first_number!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'That of the highest sequence.' })
  last_number!: string | null;
  @ApiProperty({ description: 'How many documents were found.' }) count!: number;
  @ApiProperty({ description: 'How many of them are void; they keep their numbers.' })
  voided!: number;
  @ApiProperty({
    type: [NumberGapBody],
    description:
      'Sequences that were given but that no document has: the first 100 ranges, with both ends.',
  })
  gaps!: NumberGapBody[];
  @ApiProperty({ description: 'How many sequences are missing altogether.' }) gap_count!: number;
  @ApiProperty({ description: 'How many documents repeat the sequence of another.' })
  doubles!: number;
  @ApiProperty({
    description:
      'How many documents have a sequence that was never given, or that is not the one in ' +
      'their number.',
  })
  strays!: number;
}

export class NumberingAuditBody extends NumberSeriesFields {
  @ApiProperty({ example: 'invoice' }) series_id!: string;
  @ApiProperty({ type: [NumberPeriodBody] }) periods!: NumberPeriodBody[];
  @ApiProperty({
    description:
      'True if every sequence that was given is on exactly one document, and no document has ' +
      'another.',
  })
  complete!: boolean;
}
