import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import {
  Flag,
  type FieldOptions,
  Matching,
  Nested,
  NestedList,
  OneOf,
  Paragraph,
  Text,
} from '../../../platform/http/validation/fields.js';
import { ListOf } from '../../../platform/http/validation/list-fields.js';
import { nameWords } from '../../../platform/http/openapi/words.js';
import { Must, Tidied } from '../../../platform/http/validation/rules.js';
import { LanguageTag } from '../../../platform/http/validation/standard-fields.js';
import {
  BLOCK_PLACES,
  HIDEABLE_COLUMNS,
  PLACEHOLDERS,
  type Template,
  TEXT_NAMES,
  unknownPlaceholders,
} from '../../domain/printing/template.js';

nameWords({
  BlockPlace: BLOCK_PLACES,
  HideableColumn: HIDEABLE_COLUMNS,
  TemplateTextName: TEXT_NAMES,
});

const KNOWN = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');

/** Text in which names in braces stand for facts of the document. */
const FilledText = (options: FieldOptions & { max: number }) =>
  applyDecorators(
    Paragraph({ ...options, description: `${options.description} May have ${KNOWN}.` }),
    Must({
      code: 'unknown_placeholder',
      test: (value) => typeof value !== 'string' || unknownPlaceholders(value).length === 0,
      message: (value) =>
        `has {${unknownPlaceholders(String(value)).join('}, {')}}; known are ${KNOWN}`,
    }),
  );

const OF_LANGUAGE = 'For documents in this language; without it for those in any.';

class TemplateTextRequest {
  @OneOf(TEXT_NAMES, { description: 'The words that are said in another way.' })
  name!: Template['texts'][number]['name'];

  @LanguageTag({ optional: true, description: OF_LANGUAGE })
  language?: string;

  @Text({ max: 60, example: 'Honorarnote' })
  text!: string;
}

class TemplateBlockRequest {
  @OneOf(BLOCK_PLACES)
  place!: Template['blocks'][number]['place'];

  @LanguageTag({ optional: true, description: OF_LANGUAGE })
  language?: string;

  @Text({ max: 100, optional: true, example: 'Thank you' })
  heading?: string;

  @FilledText({
    max: 2000,
    description: 'Plain text; line ends stay.',
    example: 'Dear {customer_name},',
  })
  text!: string;
}

/** The looks of documents; without a field they are those of a new account. */
export class TemplateRequest {
  @Matching(
    {
      code: 'invalid_color',
      test: (text) => /^#[\da-f]{6}$/i.test(text),
      message: 'must be a colour as #rrggbb, such as #1b5fc1',
    },
    {
      optional: true,
      example: '#8a1c7c',
      schema: { pattern: '^#[0-9A-Fa-f]{6}$' },
      description:
        'The colour of headings and buttons. A shade of it that can be read is shown, on paper, light and dark pages.',
    },
  )
  @Tidied((value) => (typeof value === 'string' ? value.toLowerCase() : value))
  accent_color?: string;

  @ListOf(
    {
      code: 'not_in_list',
      test: (column) => (HIDEABLE_COLUMNS as readonly unknown[]).includes(column),
      message: `must be a list of ${HIDEABLE_COLUMNS.join(', ')}`,
      max: HIDEABLE_COLUMNS.length,
      item: {
        message: `must be one of ${HIDEABLE_COLUMNS.join(', ')}`,
        schema: { enum: [...HIDEABLE_COLUMNS] },
      },
    },
    { optional: true, description: 'Columns of lines that are left out.', example: ['position'] },
  )
  hidden_columns?: Template['hidden_columns'];

  @Flag({
    optional: true,
    description:
      'Whether each sheet of paper ends with the sum of the lines so far, and the next begins with it.',
  })
  carried_sums?: boolean;

  @NestedList(() => TemplateTextRequest, {
    min: 0,
    max: 100,
    optional: true,
    description: 'Words of your own. Of two for one place in one language, the last one counts.',
  })
  texts?: TemplateTextRequest[];

  @FilledText({
    max: 200,
    optional: true,
    description: 'At the foot of each sheet of paper and of the page.',
    example: '{seller_name} · {number}',
  })
  footer?: string;

  @NestedList(() => TemplateBlockRequest, {
    min: 0,
    max: 12,
    optional: true,
    description: 'Paragraphs of your own.',
  })
  blocks?: TemplateBlockRequest[];
}

export class PreviewTemplateRequest {
  @Text({
    max: 100,
    example: 'doc_01h455vb4pex5vsknk084sn02q',
    description: 'The document that is printed with it.',
  })
  document_id!: string;

  @Nested(() => TemplateRequest)
  template!: TemplateRequest;
}

class TemplateTextBody {
  @ApiProperty({ enum: TEXT_NAMES }) name!: string;
  @ApiProperty({ type: String, nullable: true }) language!: string | null;
  @ApiProperty() text!: string;
}

class TemplateBlockBody {
  @ApiProperty({ enum: BLOCK_PLACES }) place!: string;
  @ApiProperty({ type: String, nullable: true }) language!: string | null;
  @ApiProperty({ type: String, nullable: true }) heading!: string | null;
  @ApiProperty() text!: string;
}

export class TemplateBody {
  @ApiProperty({
    type: 'integer',
    description: 'That of the seller by which it was set: a later template has a greater one.',
  })
  version!: number;
  @ApiProperty({ type: String, nullable: true, example: '#8a1c7c' }) accent_color!: string | null;
  @ApiProperty({ enum: HIDEABLE_COLUMNS, isArray: true }) hidden_columns!: string[];
  @ApiProperty() carried_sums!: boolean;
  @ApiProperty({ type: [TemplateTextBody] }) texts!: TemplateTextBody[];
  @ApiProperty({ type: String, nullable: true }) footer!: string | null;
  @ApiProperty({ type: [TemplateBlockBody] }) blocks!: TemplateBlockBody[];
}

/** The version is that of the seller, which is not yet known. */
export function toTemplate(request: TemplateRequest): Template {
  const {
    accent_color: color,
    hidden_columns: columns,
    carried_sums: carried,
    texts,
    footer,
    blocks,
  } = request;
  return {
    version: 0,
    accent_color: color ?? null,
    hidden_columns: [...new Set(columns)],
    carried_sums: carried ?? false,
    texts: (texts ?? []).map(({ name, language, text }) => ({
      name,
      language: language ?? null,
      text,
    })),
    footer: footer ?? null,
    blocks: (blocks ?? []).map(({ place, language, heading, text }) => ({
      place,
      language: language ?? null,
      heading: heading ?? null,
      text,
    })),
  };
}
