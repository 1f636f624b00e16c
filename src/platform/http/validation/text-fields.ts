import { z } from 'zod';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { type Field, field, type FieldOptions } from './fields.js';
import { type JsonSchema, refusedAs } from './shapes.js';
import { CURRENCIES, isCurrency } from '../../../kernel/currency.js';
import { named } from '../openapi/schemas.js';
import { isStorableLine, isStorableText } from './storable-text.js';
import { lengthOf } from './text-length.js';

type TextOptions = FieldOptions & { min?: number; max: number };

/** A line of `min` to `max` characters after trimming. */
export function shortText<const Options extends TextOptions>(options: Options) {
  return field(
    boundedText(options, 'a line of text', isStorableLine),
    [FieldRefusal.invalid_text],
    textSchema(options),
    options,
  );
}

/** The same, and it may have line ends. */
export function paragraph<const Options extends TextOptions>(options: Options) {
  return field(
    boundedText(options, 'text', isStorableText),
    [FieldRefusal.invalid_text],
    textSchema(options),
    options,
  );
}

/** Text with line ends that a further rule judges before its length. */
export function ruledParagraph<const Options extends TextOptions>(
  rule: TextRule,
  options: Options,
): Field<string, Options> {
  return field(
    boundedText(options, 'text', isStorableText, rule),
    [FieldRefusal.invalid_text, rule.refusal],
    textSchema(options),
    options,
  );
}

interface TextRule {
  refusal: DomainRefusal;
  test: (text: string) => boolean;
  /** The end of a sentence that begins with the field. */
  message: string | ((value: unknown) => string);
}

const textSchema = ({ min = 1, max }: TextOptions) => ({ minLength: min, maxLength: max });

function boundedText(
  { min = 1, max }: TextOptions,
  kind: string,
  fits: (value: unknown) => boolean,
  rule?: TextRule,
): z.ZodType<string> {
  const error = refusedAs(
    FieldRefusal.invalid_text,
    `must be ${kind} of ${min} to ${max} characters, without control characters and broken ones`,
  );
  const tidy = z.string({ error }).overwrite(trimmed);
  const ruled = rule
    ? tidy.refine(rule.test, { error: refusedAs(rule.refusal, rule.message) })
    : tidy;
  return ruled.refine(
    (value) => {
      if (!fits(value)) return false;
      const length = lengthOf(value);
      return length >= min && length <= max;
    },
    { error },
  );
}

/** Trims, and makes a browser's line end one character, because its fields count it as one. */
function trimmed(value: string): string {
  return value.replaceAll('\r\n', '\n').trim();
}

type MatchingOptions = FieldOptions & { schema?: JsonSchema; tidy?: (text: string) => string };

/** Text that a function accepts. Refusal and message are the caller's; it may say what is wrong. */
export function matching<const Options extends MatchingOptions>(
  { refusal, test, message }: TextRule,
  options: Options = {} as Options,
): Field<string, Options> {
  const error = refusedAs(refusal, message);
  const plain = z.string({ error });
  const tidied = options.tidy ? plain.overwrite(options.tidy) : plain;
  const rule = tidied.refine((value) => isStorableText(value) && test(value), { error });
  return field(rule, [refusal], options.schema ?? {}, options);
}

const CURRENCY = named('Currency', {
  type: 'string',
  description: 'An active code of ISO 4217.',
  enum: [...CURRENCIES],
});

export function currencyCode<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<string, Options> {
  return matching(
    {
      refusal: FieldRefusal.unknown_currency,
      test: isCurrency,
      message: 'must be an active ISO 4217 code in capitals, such as EUR',
    },
    { example: 'EUR', schema: CURRENCY, ...options },
  );
}
