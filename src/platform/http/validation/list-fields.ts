import { z } from 'zod';
import { field, type Field, type FieldOptions, passing } from './fields.js';
import { isStorableLine, isStorableText } from './storable-text.js';
import type { DomainRefusal } from '../../../kernel/domain-refusal.js';
import { type JsonSchema } from './shapes.js';
import { lengthOf } from './text-length.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';

// A list is counted before its entries are looked at; then each wrong entry has a pointer.

interface EntriesRule {
  refusal: DomainRefusal;
  test: (value: unknown) => boolean;
  message: string;
  entries: { test: (entry: unknown, name: string) => boolean; message: string };
}

/** A list or an object that passes a test, and each of its entries another one. */
export function entriesOf<Value>({
  refusal,
  test,
  message,
  entries,
}: EntriesRule): z.ZodType<Value> {
  return passing<Value>(refusal, test, message).check((context) => {
    const { value } = context;
    for (const [name, entry] of Object.entries(value as object)) {
      if (entries.test(entry, name)) continue;
      context.issues.push({
        code: 'custom',
        path: [Array.isArray(value) ? Number(name) : name],
        input: value,
        message: `${refusal.code}: ${entries.message}`,
        params: { isEntry: true },
        continue: true,
      });
    }
  });
}

/** At most 50 keys of the caller's own, with 1 to 40 characters, and values of at most 500. */
export function metadata<const Options extends FieldOptions>(
  options: Options = {} as Options,
): Field<Record<string, string>, Options & { optional: true }> {
  const rule = entriesOf<Record<string, string>>({
    refusal: FieldRefusal.invalid_metadata,
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
  });
  const schema = {
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 40 },
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 50,
  };
  return field(rule, [FieldRefusal.invalid_metadata], schema, { ...options, optional: true });
}

/** A list of at most `max` lines. */
export function textList<const Options extends FieldOptions & { max: number; maxLength: number }>(
  options: Options,
): Field<string[], Options> {
  const { max, maxLength } = options;
  const rule = entriesOf<string[]>({
    refusal: FieldRefusal.invalid_text_list,
    test: (value) => Array.isArray(value) && value.length <= max,
    message: `must be a list of at most ${max} texts of up to ${maxLength} characters`,
    entries: {
      test: (text) => isStorableLine(text) && lengthOf(text) <= maxLength,
      message: `must be a line of up to ${maxLength} characters, without control characters and broken ones`,
    },
  });
  const schema = { type: 'array', items: { type: 'string', maxLength }, maxItems: max };
  return field(rule, [FieldRefusal.invalid_text_list], schema, options);
}

/** A list of 1 to `max` texts that all pass the test. */
export function listOf<const Options extends FieldOptions, Item extends string = string>(
  rule: {
    refusal: DomainRefusal;
    test: ((item: unknown) => item is Item) | ((item: unknown) => boolean);
    message: string;
    max: number;
    item: { message: string; schema?: JsonSchema };
  },
  options: Options = {} as Options,
): Field<Item[], Options> {
  const { refusal, test, message, max, item } = rule;
  const list = entriesOf<Item[]>({
    refusal,
    test: (value) => Array.isArray(value) && value.length > 0 && value.length <= max,
    message,
    entries: { test: (entry) => test(entry), message: item.message },
  });
  const schema = {
    type: 'array',
    items: { type: 'string', ...item.schema },
    minItems: 1,
    maxItems: max,
  };
  return field(list, [refusal], schema, options);
}
