import { z } from 'zod';
import { isCalendarDate } from '../../../kernel/clock.js';
import { CURRENCIES, isCurrency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { LARGEST_AMOUNT_MINOR } from '../../../kernel/money.js';
import { named } from '../openapi/schemas.js';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import { boundedList, type JsonSchema, mayMiss, OF_LIST, OF_OBJECT, refusedAs } from './shapes.js';
import { lengthOf } from './text-length.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

export interface FieldOptions {
  description?: string;
  example?: unknown;
  optional?: boolean;
}

/** The schema of a field that may be absent, if its options say so. */
export type Field<Value, Options extends FieldOptions> = Options extends { optional: true }
  ? z.ZodOptional<z.ZodType<Value>>
  : z.ZodType<Value>;

/** A field says its rule, its refusals and its place in the OpenAPI document at once. */
export function field<Value, Options extends FieldOptions>(
  rule: z.ZodType<Value>,
  refusals: readonly DomainRefusal[],
  schema: JsonSchema,
  options: Options,
): Field<Value, Options> {
  const { optional, description, example } = options;
  const said = rule.meta({
    ...schema,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
    refusals: optional ? refusals : [FieldRefusal.required, ...refusals],
  });
  return (optional ? mayMiss(said) : said) as Field<Value, Options>;
}

/** Any value that passes a test. */
export function passing<Value>(
  refusal: DomainRefusal,
  test: (value: unknown) => boolean,
  says: string | ((value: unknown) => string),
): z.ZodType<Value> {
  return z.custom<Value>(test, { error: refusedAs(refusal, says), abort: true });
}

/**
 * All but these can be in XML 1.0, as e-invoices are, and in PostgreSQL. The last two override the
 * direction of what follows: paper would say another number than the data.
 */
// oxlint-disable-next-line no-control-regex
const UNSTORABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\u202D\u202E]/;
const LINE_END = /[\n\r\u0085\u2028\u2029]/;

/** It can be kept and written into any format: no half of a surrogate pair either. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !UNSTORABLE.test(value) && value.isWellFormed();
}

/** And it is one line. */
export function isStorableLine(value: unknown): value is string {
  return isStorableText(value) && !LINE_END.test(value);
}

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

/** A whole number of minor units, 1 (or 0) to 10^13; `signed`: as far below zero, too. */
export function amountMinor<
  const Options extends FieldOptions & { zero?: boolean; signed?: boolean },
>(options: Options): Field<number, Options> {
  const { zero, signed } = options;
  const maximum = Number(LARGEST_AMOUNT_MINOR);
  const minimum = signed ? -maximum : zero ? 0 : 1;
  const rule = passing<number>(
    FieldRefusal.amount_not_integer,
    (value) => Number.isInteger(value),
    'must be a whole number in the minor unit of the currency: 1250 is 12.50 EUR, 1250 is 1250 JPY',
  ).refine((value) => value >= minimum && value <= maximum && (value !== 0 || zero === true), {
    error: refusedAs(
      FieldRefusal.amount_out_of_range,
      `must be from ${minimum} to ${maximum}${signed && !zero ? ', and not 0' : ''}`,
    ),
  });
  const schema = { type: 'integer', format: 'int64', minimum, maximum };
  const said = { example: 1250, ...options };
  const { amount_not_integer: notWhole, amount_out_of_range: outOfRange } = FieldRefusal;
  return field(rule, [notWhole, outOfRange], schema, said);
}

const DECIMAL = /^-?\d{1,15}(?:\.(\d+))?$/;

/** An exact decimal in plain notation, as text or a JSON number. */
export function decimalText<
  const Options extends FieldOptions & {
    min: string;
    max: string;
    places: number;
    textOnly?: boolean;
  },
>(options: Options) {
  const { min, max, places, textOnly } = options;
  const pattern = `^-?\\d{1,15}(\\.\\d{1,${places}})?$`;
  const rule = passing<Options extends { textOnly: true } ? string : string | number>(
    FieldRefusal.invalid_decimal,
    (value) => {
      if (typeof value !== 'string' && (textOnly || typeof value !== 'number')) return false;
      const plain = String(value);
      const [whole, fraction = ''] = DECIMAL.exec(plain) ?? [];
      if (whole === undefined || fraction.length > places) return false;
      const decimal = Decimal.parse(plain);
      return decimal.compare(Decimal.parse(min)) >= 0 && decimal.compare(Decimal.parse(max)) <= 0;
    },
    `must be a decimal from ${min} to ${max} with at most ${places} decimal places`,
  );
  const schema = textOnly
    ? { type: 'string', pattern }
    : {
        oneOf: [
          { type: 'string', pattern },
          { type: 'number', format: 'double' },
        ],
      };
  return field(rule, [FieldRefusal.invalid_decimal], schema, options);
}

export function oneOf<const Word extends string, const Options extends FieldOptions>(
  words: readonly Word[],
  options: Options = {} as Options,
): Field<Word, Options> {
  const error = refusedAs(FieldRefusal.not_in_list, `must be one of ${words.join(', ')}`);
  return field(z.enum(words, { error }), [FieldRefusal.not_in_list], {}, options);
}

type MatchingOptions = FieldOptions & { schema?: JsonSchema; tidy?: (text: string) => string };

/** Text that a function accepts. DomainRefusal and message are the caller's; it may say what is wrong. */
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

/** The years in which payment terms can be added without a fifth digit. */
const isOurTime = (date: string) => date >= '1900' && date < '2900';

/** A calendar date that exists, `YYYY-MM-DD`. */
export function dateText<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<string, Options> {
  const rule = passing<string>(
    FieldRefusal.invalid_date,
    (value) => typeof value === 'string' && isCalendarDate(value) && isOurTime(value),
    'must be a date that exists, from 1900 to 2899, as YYYY-MM-DD',
  );
  return field(rule, [FieldRefusal.invalid_date], { type: 'string', format: 'date' }, options);
}

const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/;

/** The instant of an optional `instantText`. */
export function instantIn(value: string | null | undefined): Date | undefined {
  return value == null ? undefined : new Date(value);
}

/** An instant with its offset (RFC 3339). */
export function instantText<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<string, Options> {
  const rule = passing<string>(
    FieldRefusal.invalid_instant,
    (value) => {
      const match = typeof value === 'string' ? INSTANT.exec(value) : null;
      const [instant = '', date = ''] = match ?? [];
      return isCalendarDate(date) && isOurTime(date) && !Number.isNaN(Date.parse(instant));
    },
    'must be an instant with its offset, such as 2026-11-20T10:15:00Z',
  );
  const schema = { type: 'string', format: 'date-time' };
  return field(rule, [FieldRefusal.invalid_instant], schema, options);
}

export function wholeNumber<const Options extends FieldOptions & { min: number; max: number }>(
  options: Options,
): Field<number, Options> {
  const { min, max } = options;
  const rule = passing<number>(
    FieldRefusal.invalid_integer,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
    `must be a whole number from ${min} to ${max}`,
  );
  const schema = { type: 'integer', minimum: min, maximum: max };
  return field(rule, [FieldRefusal.invalid_integer], schema, options);
}

const NO_FLAG = refusedAs(FieldRefusal.invalid_boolean, 'must be true or false');

export function flag<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<boolean, Options> {
  return field(z.boolean({ error: NO_FLAG }), [FieldRefusal.invalid_boolean], {}, options);
}

/** True or false as JSON has it; a box that was ticked in a form is `true` as text. */
export function tick<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<boolean | 'true', Options> {
  const rule = passing<boolean | 'true'>(
    FieldRefusal.invalid_boolean,
    (value) => typeof value === 'boolean' || value === 'true',
    'must be true or false',
  );
  const schema = { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['true'] }] };
  return field(rule, [FieldRefusal.invalid_boolean], schema, options);
}

/** An object of another shape. */
export function nested<Shape extends z.ZodType, const Options extends FieldOptions>(
  shape: () => Shape,
  options: Options = {} as Options,
): Field<z.output<Shape>, Options> {
  return field(z.lazy(shape) as z.ZodType<z.output<Shape>>, OF_OBJECT, {}, options);
}

/** A list of `min` to `max` objects of another shape. */
export function nestedList<
  Item extends z.ZodType,
  const Options extends FieldOptions & { min?: number; max: number },
>(item: () => Item, options: Options): Field<z.output<Item>[], Options> {
  const { min = 1, max } = options;
  const list = boundedList(item, options) as z.ZodType<z.output<Item>[]>;
  return field(
    z.lazy(() => list),
    OF_LIST,
    { minItems: min, maxItems: max },
    options,
  );
}

/** A list of which only the number of items is judged; each item is judged by itself later. */
export function unjudgedList(itemName: string, max: number): z.ZodType<unknown[]> {
  const list = boundedList(() => z.unknown(), { max });
  const items = { $ref: `#/components/schemas/${itemName}` };
  return field(
    z.lazy(() => list),
    [FieldRefusal.invalid_list, FieldRefusal.too_few_items, FieldRefusal.too_many_items],
    { minItems: 1, maxItems: max, items },
    {},
  );
}
