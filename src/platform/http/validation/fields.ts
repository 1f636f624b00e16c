import { z } from 'zod';
import { Decimal } from '../../../kernel/decimal.js';
import { LARGEST_AMOUNT_MINOR } from '../../../kernel/money.js';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import { boundedList, type JsonSchema, mayMiss, OF_LIST, OF_OBJECT, refusedAs } from './shapes.js';
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

const DECIMAL = /^-?\d{1,15}(?:\.(\d{1,30}))?$/;

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
  // Zeros behind them say nothing.
  const pattern = `^-?\\d{1,15}(\\.\\d{1,${places}}0{0,${30 - places}})?$`;
  const rule = passing<Options extends { textOnly: true } ? string : string | number>(
    FieldRefusal.invalid_decimal,
    (value) => {
      if (typeof value !== 'string' && (textOnly || typeof value !== 'number')) return false;
      const plain = String(value);
      const [whole, fraction = ''] = DECIMAL.exec(plain) ?? [];
      if (whole === undefined || /[1-9]/.test(fraction.slice(places))) return false;
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
