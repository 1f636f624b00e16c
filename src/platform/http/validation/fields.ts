import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { isCalendarDate } from '../../../kernel/clock.js';
import { CURRENCIES, isCurrency } from '../../../kernel/currency.js';
import { Decimal } from '../../../kernel/decimal.js';
import { LARGEST_AMOUNT_MINOR } from '../../../kernel/money.js';
import { named } from '../openapi/schemas.js';
import type { ProblemCode } from '../problem-catalog.js';
import { Holds, MayMiss, Must, type Rule, Tidied } from './rules.js';
import { lengthOf } from './text-length.js';

export interface FieldOptions {
  description?: string;
  example?: unknown;
  optional?: boolean;
}

/**
 * One decorator for each field says its rule, its error code and its OpenAPI schema. The name of
 * the constraint is the public error code.
 */
export function field(rule: Rule, schema: ApiPropertyOptions, options: FieldOptions) {
  return applyDecorators(
    ...(options.optional ? [MayMiss()] : []),
    Must(rule),
    property(schema, options),
  );
}

function property(schema: ApiPropertyOptions, options: FieldOptions) {
  return ApiProperty({
    ...schema,
    required: !options.optional,
    ...(options.description !== undefined && { description: options.description }),
    ...(options.example !== undefined && { example: options.example }),
  } as ApiPropertyOptions);
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
export const Text = (options: TextOptions) =>
  lengthBound(options, 'a line of text', isStorableLine);

/** The same, and it may have line ends. */
export const Paragraph = (options: TextOptions) => lengthBound(options, 'text', isStorableText);

function lengthBound(
  options: TextOptions,
  kind: string,
  fits: (value: unknown) => value is string,
) {
  const { min = 1, max } = options;
  const rule = field(
    {
      code: 'invalid_text',
      test: (value) => {
        if (!fits(value)) return false;
        const length = lengthOf(value);
        return length >= min && length <= max;
      },
      message: `must be ${kind} of ${min} to ${max} characters, without control characters and broken ones`,
    },
    { type: 'string', minLength: min, maxLength: max },
    options,
  );
  return applyDecorators(rule, Tidied(trimmed));
}

/** Trims, and makes a browser's line end one character, because its fields count it as one. */
function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value;
}

/** A whole number of minor units, 1 (or 0) to 10^13; `signed`: as far below zero, too. */
export const AmountMinor = (options: FieldOptions & { zero?: boolean; signed?: boolean }) => {
  const { zero, signed, ...described } = options;
  const maximum = Number(LARGEST_AMOUNT_MINOR);
  const minimum = signed ? -maximum : zero ? 0 : 1;
  return applyDecorators(
    field(
      {
        code: 'amount_not_integer',
        test: (value) => typeof value === 'number' && Number.isInteger(value),
        message:
          'must be a whole number in the minor unit of the currency: 1250 is 12.50 EUR, 1250 is 1250 JPY',
      },
      { type: 'integer', format: 'int64', minimum, maximum },
      { example: 1250, ...described },
    ),
    Must({
      code: 'amount_out_of_range',
      test: (value) =>
        typeof value !== 'number' ||
        !Number.isInteger(value) ||
        (value >= minimum && value <= maximum && (value !== 0 || zero === true)),
      message: `must be from ${minimum} to ${maximum}${signed && !zero ? ', and not 0' : ''}`,
    }),
  );
};

const DECIMAL = /^-?\d{1,15}(?:\.(\d+))?$/;

/** An exact decimal in plain notation, as text or a JSON number. */
export const DecimalText = (
  options: FieldOptions & { min: string; max: string; places: number; textOnly?: boolean },
) => {
  const { min, max, places, textOnly } = options;
  const pattern = `^-?\\d{1,15}(\\.\\d{1,${places}})?$`;
  return field(
    {
      code: 'invalid_decimal',
      test: (value) => {
        if (typeof value !== 'string' && (textOnly || typeof value !== 'number')) return false;
        const text = String(value);
        const [whole, fraction = ''] = DECIMAL.exec(text) ?? [];
        if (whole === undefined || fraction.length > places) return false;
        const decimal = Decimal.parse(text);
        return decimal.compare(Decimal.parse(min)) >= 0 && decimal.compare(Decimal.parse(max)) <= 0;
      },
      message: `must be a decimal from ${min} to ${max} with at most ${places} decimal places`,
    },
    textOnly
      ? { type: 'string', pattern }
      : {
          oneOf: [
            { type: 'string', pattern },
            { type: 'number', format: 'double' },
          ],
        },
    options,
  );
};

export const OneOf = (values: readonly string[], options: FieldOptions = {}) =>
  field(
    {
      code: 'not_in_list',
      test: (value) => typeof value === 'string' && values.includes(value),
      message: `must be one of ${values.join(', ')}`,
    },
    { type: 'string', enum: [...values] },
    options,
  );

/** Text that a function accepts. Code and message are the caller's; it may say what is wrong. */
export const Matching = (
  rule: {
    code: ProblemCode;
    test: (text: string) => boolean;
    message: string | ((value: unknown) => string);
  },
  options: FieldOptions & { schema?: ApiPropertyOptions } = {},
) =>
  field(
    { ...rule, test: (value) => isStorableText(value) && rule.test(value) },
    { type: 'string', ...options.schema } as ApiPropertyOptions,
    options,
  );

const CURRENCY = named('Currency', {
  type: 'string',
  description: 'An active code of ISO 4217.',
  enum: [...CURRENCIES],
}) as ApiPropertyOptions;

export const CurrencyCode = (options: FieldOptions = {}) =>
  Matching(
    {
      code: 'unknown_currency',
      test: isCurrency,
      message: 'must be an active ISO 4217 code in capitals, such as EUR',
    },
    { example: 'EUR', schema: CURRENCY, ...options },
  );

/** The years in which payment terms can be added without a fifth digit. */
const isOurTime = (date: string) => date >= '1900' && date < '2900';

/** A calendar date that exists, `YYYY-MM-DD`. */
export const DateText = (options: FieldOptions = {}) =>
  field(
    {
      code: 'invalid_date',
      test: (value) => typeof value === 'string' && isCalendarDate(value) && isOurTime(value),
      message: 'must be a date that exists, from 1900 to 2899, as YYYY-MM-DD',
    },
    { type: 'string', format: 'date' },
    options,
  );

const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,6})?(Z|[+-]\d{2}:\d{2})$/;

/** The instant of an optional `InstantText`. */
export function instantIn(text: string | null | undefined): Date | undefined {
  return text == null ? undefined : new Date(text);
}

/** An instant with its offset (RFC 3339). */
export const InstantText = (options: FieldOptions = {}) =>
  field(
    {
      code: 'invalid_instant',
      test: (value) => {
        const match = typeof value === 'string' ? INSTANT.exec(value) : null;
        const [instant = '', date = ''] = match ?? [];
        return isCalendarDate(date) && isOurTime(date) && !Number.isNaN(Date.parse(instant));
      },
      message: 'must be an instant with its offset, such as 2026-11-20T10:15:00Z',
    },
    { type: 'string', format: 'date-time' },
    options,
  );

export const WholeNumber = (options: FieldOptions & { min: number; max: number }) =>
  field(
    {
      code: 'invalid_integer',
      test: (value) =>
        typeof value === 'number' &&
        Number.isInteger(value) &&
        value >= options.min &&
        value <= options.max,
      message: `must be a whole number from ${options.min} to ${options.max}`,
    },
    { type: 'integer', minimum: options.min, maximum: options.max },
    options,
  );

export const Flag = (options: FieldOptions = {}) =>
  field(
    {
      code: 'invalid_boolean',
      test: (value) => typeof value === 'boolean',
      message: 'must be true or false',
    },
    { type: 'boolean' },
    options,
  );

/** True or false as JSON has it; a box that was ticked in a form is `true` as text. */
export const Tick = (options: FieldOptions = {}) =>
  field(
    {
      code: 'invalid_boolean',
      test: (value) => typeof value === 'boolean' || value === 'true',
      message: 'must be true or false',
    },
    {
      oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['true'] }],
    } as ApiPropertyOptions,
    options,
  );

/** An object of another class. */
export const Nested = (type: () => new () => object, options: FieldOptions = {}) =>
  applyDecorators(
    ...(options.optional ? [MayMiss()] : []),
    Must({
      code: 'invalid_object',
      test: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      message: 'must be an object',
    }),
    Holds(type),
    property({ type: () => type() }, options),
  );

/** A list of `min` to `max` items. */
export const ItemCount = ({ min = 1, max }: { min?: number; max: number }) =>
  applyDecorators(
    Must({ code: 'invalid_list', test: Array.isArray, message: 'must be a list' }),
    Must({
      code: 'too_few_items',
      test: (value) => !Array.isArray(value) || value.length >= min,
      message: `must have at least ${min} item`,
    }),
    Must({
      code: 'too_many_items',
      test: (value) => !Array.isArray(value) || value.length <= max,
      message: `must have at most ${max} items`,
    }),
  );

/** A list of `min` to `max` objects of another class. */
export const NestedList = (
  type: () => new () => object,
  options: FieldOptions & { min?: number; max: number },
) =>
  applyDecorators(
    ...(options.optional ? [MayMiss()] : []),
    ItemCount(options),
    Holds(type),
    property(
      { type: () => type(), isArray: true, minItems: options.min ?? 1, maxItems: options.max },
      options,
    ),
  );

/** The body of a call that takes no field; anything sent is refused as unknown. */
export class NoFields {}
