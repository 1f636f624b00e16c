import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, ValidateBy } from 'class-validator';
import { isCalendarDate } from '../../kernel/clock.js';
import { CURRENCIES, isCurrency } from '../../kernel/currency.js';
import { Decimal } from '../../kernel/decimal.js';
import { LARGEST_AMOUNT_MINOR } from '../../kernel/money.js';
import { named } from './openapi/schemas.js';
import type { ProblemCode } from './problem-catalog.js';
import { lengthOf } from './text-length.js';

export interface FieldOptions {
  description?: string;
  example?: unknown;
  optional?: boolean;
}

/** The rule of a field. */
interface Rule {
  code: ProblemCode;
  test: (value: unknown) => boolean;
  message: string | ((value: unknown) => string);
  /** The rule of each value in a list or an object that passes `test`. */
  entries?: { test: (entry: unknown, name: string) => boolean; message: string };
}

/** Tells the names of entries that break a rule, so that each is refused by its own pointer. */
export interface EntryContext {
  wrongIn: (value: unknown) => string[];
  message: string;
}

/**
 * One decorator for each field says its rule, its error code and its OpenAPI schema. The name of
 * the constraint is the public error code.
 */
export function field(rule: Rule, schema: ApiPropertyOptions, options: FieldOptions) {
  const { code, test, message, entries } = rule;
  const wrongIn = (value: unknown) =>
    entries && test(value)
      ? Object.entries(value as object).flatMap(([name, entry]) =>
          entries.test(entry, name) ? [] : [name],
        )
      : [];
  return applyDecorators(
    ...(options.optional ? [IsOptional()] : []),
    ValidateBy(
      {
        name: code,
        validator: {
          validate: (value) => test(value) && wrongIn(value).length === 0,
          defaultMessage: (about) =>
            typeof message === 'string' ? message : message(about?.value),
        },
      },
      entries && { context: { wrongIn, message: entries.message } satisfies EntryContext },
    ),
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

/** PostgreSQL refuses NUL and cannot store half a surrogate pair. */
export function isStorableText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

/** Text of `min` to `max` characters after trimming, without NUL and lone surrogates. */
export const Text = (options: FieldOptions & { min?: number; max: number }) => {
  const { min = 1, max } = options;
  const rule = field(
    {
      code: 'invalid_text',
      test: (value) => {
        if (!isStorableText(value)) return false;
        const length = lengthOf(value);
        return length >= min && length <= max;
      },
      message: `must be text of ${min} to ${max} characters, without NUL or broken characters`,
    },
    { type: 'string', minLength: min, maxLength: max },
    options,
  );
  return applyDecorators(
    rule,
    Transform(({ value }: { value: unknown }) => tidied(value)),
  );
};

/** Trims, and makes a browser's line end one character, because its fields count it as one. */
function tidied(value: unknown): unknown {
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
    ValidateBy({
      name: 'amount_out_of_range',
      validator: {
        validate: (value) =>
          typeof value !== 'number' ||
          !Number.isInteger(value) ||
          (value >= minimum && value <= maximum && (value !== 0 || zero === true)),
        defaultMessage: () =>
          `must be from ${minimum} to ${maximum}${signed && !zero ? ', and not 0' : ''}`,
      },
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

/** The names of rules whose constraint is a class (validation.ts). */
export const NESTED_RULES: ReadonlySet<string> = new Set(['invalid_object', 'objects']);

/** An object of another class. */
export const Nested = (type: () => new () => object, options: FieldOptions = {}) =>
  applyDecorators(
    ...(options.optional ? [IsOptional()] : []),
    ValidateBy({
      name: 'invalid_object',
      constraints: [type],
      validator: {
        validate: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
        defaultMessage: () => 'must be an object',
      },
    }),
    property({ type: () => type() }, options),
  );

/** A list of `min` to `max` objects of another class. */
export const NestedList = (
  type: () => new () => object,
  options: FieldOptions & { min?: number; max: number },
) =>
  applyDecorators(
    ...(options.optional ? [IsOptional()] : []),
    IsArray({ message: 'must be a list' }),
    // It only says what the items are; validation.ts judges them one by one.
    ValidateBy({ name: 'objects', constraints: [type], validator: { validate: () => true } }),
    ArrayMinSize(options.min ?? 1, { message: `must have at least ${options.min ?? 1} item` }),
    ArrayMaxSize(options.max, { message: `must have at most ${options.max} items` }),
    property(
      { type: () => type(), isArray: true, minItems: options.min ?? 1, maxItems: options.max },
      options,
    ),
  );

/** The body of a call that takes no field; anything sent is refused as unknown. */
export class NoFields {}
