import { z } from 'zod';
import { answerShape, requestShape } from '../../platform/http/validation/shapes.js';
import {
  flag,
  type Field,
  type FieldOptions,
  nested,
  nestedList,
  oneOf,
} from '../../platform/http/validation/fields.js';
import { matching, ruledParagraph, shortText } from '../../platform/http/validation/text-fields.js';
import { listOf } from '../../platform/http/validation/list-fields.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { languageTag } from '../../platform/http/validation/standard-fields.js';
import {
  BLOCK_PLACES,
  HIDEABLE_COLUMNS,
  PLACEHOLDERS,
  type Template,
  TEXT_NAMES,
  unknownPlaceholders,
} from '../domain/printing/template.js';
import { PAPER_LAYOUTS } from '../domain/printing/paper-layouts.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

nameWords({
  BlockPlace: BLOCK_PLACES,
  HideableColumn: HIDEABLE_COLUMNS,
  PaperLayout: PAPER_LAYOUTS,
  TemplateTextName: TEXT_NAMES,
});

const KNOWN = PLACEHOLDERS.map((name) => `{${name}}`).join(', ');

/** Text in which names in braces stand for facts of the document. */
const filledText = <const Options extends FieldOptions & { max: number }>(options: Options) =>
  ruledParagraph(
    {
      refusal: DocumentRefusal.unknown_placeholder,
      test: (value) => unknownPlaceholders(value).length === 0,
      message: (value) =>
        `has {${unknownPlaceholders(String(value)).join('}, {')}}; known are ${KNOWN}`,
    },
    { ...options, description: `${options.description} May have ${KNOWN}.` },
  ) as Field<string, Options>;

const OF_LANGUAGE = 'For documents in this language; without it for those in any.';

const TemplateTextRequest = requestShape('TemplateTextRequest', {
  name: oneOf(TEXT_NAMES, { description: 'The words that are said in another way.' }),
  language: languageTag({ optional: true, description: OF_LANGUAGE }),
  text: shortText({ max: 60, example: 'Honorarnote' }),
});
type TemplateTextRequest = z.output<typeof TemplateTextRequest>;

const TemplateBlockRequest = requestShape('TemplateBlockRequest', {
  place: oneOf(BLOCK_PLACES),
  language: languageTag({ optional: true, description: OF_LANGUAGE }),
  heading: shortText({ max: 100, optional: true, example: 'Thank you' }),
  text: filledText({
    max: 2000,
    description: 'Plain text; line ends stay.',
    example: 'Dear {customer_name},',
  }),
});
type TemplateBlockRequest = z.output<typeof TemplateBlockRequest>;

/** The looks of documents; without a field they are those of a new account. */
export const TemplateRequest = requestShape('TemplateRequest', {
  accent_color: matching(
    {
      refusal: DocumentRefusal.invalid_color,
      test: (text) => /^#[\da-f]{6}$/i.test(text),
      message: 'must be a colour as #rrggbb, such as #1b5fc1',
    },
    {
      optional: true,
      tidy: (value) => value.toLowerCase(),
      example: '#8a1c7c',
      schema: { pattern: '^#[0-9A-Fa-f]{6}$' },
      description:
        'The colour of headings and buttons. A shade of it that can be read is shown, on paper, light and dark pages.',
    },
  ),
  hidden_columns: listOf(
    {
      refusal: FieldRefusal.not_in_list,
      test: (column): column is Template['hidden_columns'][number] =>
        (HIDEABLE_COLUMNS as readonly unknown[]).includes(column),
      message: `must be a list of ${HIDEABLE_COLUMNS.join(', ')}`,
      max: HIDEABLE_COLUMNS.length,
      item: {
        message: `must be one of ${HIDEABLE_COLUMNS.join(', ')}`,
        schema: { enum: [...HIDEABLE_COLUMNS] },
      },
    },
    { optional: true, description: 'Columns of lines that are left out.', example: ['position'] },
  ),
  carried_sums: flag({
    optional: true,
    description:
      'Whether each sheet of paper ends with the sum of the lines so far, and the next begins with it. A letter always does so.',
  }),
  layout: oneOf(PAPER_LAYOUTS, {
    optional: true,
    example: 'din5008',
    description:
      'How paper is divided: `standard`, or as a letter for an envelope with a window. Without it, the country of the seller decides.',
  }),
  texts: nestedList(() => TemplateTextRequest, {
    min: 0,
    max: 100,
    optional: true,
    description: 'Words of your own. Of two for one place in one language, the last one counts.',
  }),
  footer: filledText({
    max: 200,
    optional: true,
    description: 'At the foot of each sheet of paper and of the page.',
    example: '{seller_name} · {number}',
  }),
  blocks: nestedList(() => TemplateBlockRequest, {
    min: 0,
    max: 12,
    optional: true,
    description: 'Paragraphs of your own.',
  }),
});
export type TemplateRequest = z.output<typeof TemplateRequest>;

export const PreviewTemplateRequest = requestShape('PreviewTemplateRequest', {
  document_id: shortText({
    max: 100,
    example: 'doc_01h455vb4pex5vsknk084sn02q',
    description: 'The document that is printed with it.',
  }),
  template: nested(() => TemplateRequest),
});
export type PreviewTemplateRequest = z.output<typeof PreviewTemplateRequest>;

const TemplateTextBody = answerShape('TemplateTextBody', {
  name: z.string().meta({ enum: TEXT_NAMES }),
  language: z.string().nullable(),
  text: z.string(),
});
type TemplateTextBody = z.output<typeof TemplateTextBody>;

const TemplateBlockBody = answerShape('TemplateBlockBody', {
  place: z.string().meta({ enum: BLOCK_PLACES }),
  language: z.string().nullable(),
  heading: z.string().nullable(),
  text: z.string(),
});
type TemplateBlockBody = z.output<typeof TemplateBlockBody>;

export const TemplateBody = answerShape('TemplateBody', {
  version: z.number().meta({
    type: 'integer',
    description: 'That of the seller by which it was set: a later template has a greater one.',
  }),
  accent_color: z.string().nullable().meta({ example: '#8a1c7c' }),
  hidden_columns: z.array(z.string().meta({ enum: HIDEABLE_COLUMNS })),
  carried_sums: z.boolean(),
  layout: z.string().optional().meta({
    enum: PAPER_LAYOUTS,
    description: 'Absent where nobody has said it: the country of the seller decides.',
  }),
  texts: z.array(TemplateTextBody),
  footer: z.string().nullable(),
  blocks: z.array(TemplateBlockBody),
});
export type TemplateBody = z.output<typeof TemplateBody>;

/** The version is that of the seller, which is not yet known. */
export function toTemplate(request: TemplateRequest): Template {
  const {
    accent_color: color,
    hidden_columns: columns,
    carried_sums: carried,
    layout,
    texts,
    footer,
    blocks,
  } = request;
  return {
    version: 0,
    accent_color: color ?? null,
    hidden_columns: [...new Set(columns)],
    carried_sums: carried ?? false,
    ...(layout && { layout }),
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
