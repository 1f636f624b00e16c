import type { ApiPropertyOptions } from '@nestjs/swagger';
import { field, type FieldOptions, isStorableLine, isStorableText } from './fields.js';
import type { ProblemCode } from '../problem-catalog.js';
import { lengthOf } from './text-length.js';

// A list is counted before its entries are looked at; then each wrong entry has a pointer.

/** At most 50 keys of the caller's own, with 1 to 40 characters, and values of at most 500. */
export const Metadata = (options: FieldOptions = {}) =>
  field(
    {
      code: 'invalid_metadata',
      test: (value) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= 50,
      message:
        'must be an object of at most 50 text values (key 1 to 40 characters, value up to 500)',
      entries: {
        test: (text, key) =>
          isStorableText(key) &&
          key.length >= 1 &&
          lengthOf(key) <= 40 &&
          isStorableText(text) &&
          lengthOf(text) <= 500,
        message: 'must be a key of 1 to 40 characters with text of up to 500',
      },
    },
    {
      type: 'object',
      propertyNames: { minLength: 1, maxLength: 40 },
      additionalProperties: { type: 'string', maxLength: 500 },
      maxProperties: 50,
    } as ApiPropertyOptions,
    { optional: true, ...options },
  );

/** A list of at most `max` lines. */
export const TextList = (options: FieldOptions & { max: number; maxLength: number }) =>
  field(
    {
      code: 'invalid_text_list',
      test: (value) => Array.isArray(value) && value.length <= options.max,
      message: `must be a list of at most ${options.max} texts of up to ${options.maxLength} characters`,
      entries: {
        test: (text) => isStorableLine(text) && lengthOf(text) <= options.maxLength,
        message: `must be a line of up to ${options.maxLength} characters, without control characters and broken ones`,
      },
    },
    {
      type: 'array',
      items: { type: 'string', maxLength: options.maxLength },
      maxItems: options.max,
    } as ApiPropertyOptions,
    options,
  );

/** A list of 1 to `max` texts that all pass the test. */
export const ListOf = (
  rule: {
    code: ProblemCode;
    test: (item: unknown) => boolean;
    message: string;
    max: number;
    item: { message: string; schema?: object };
  },
  options: FieldOptions = {},
) =>
  field(
    {
      code: rule.code,
      test: (value) => Array.isArray(value) && value.length > 0 && value.length <= rule.max,
      message: rule.message,
      entries: { test: (item) => rule.test(item), message: rule.item.message },
    },
    {
      type: 'array',
      items: { type: 'string', ...rule.item.schema },
      minItems: 1,
      maxItems: rule.max,
    } as ApiPropertyOptions,
    options,
  );
