import { expect, it } from 'vitest';
import { z } from 'zod';
import { DomainError } from '../../../src/kernel/domain-error.js';
import { amountMinor, nested, nestedList } from '../../../src/platform/http/validation/fields.js';
import { shortText } from '../../../src/platform/http/validation/text-fields.js';
import { metadata } from '../../../src/platform/http/validation/list-fields.js';
import {
  patchOf,
  refusalsOf,
  requestShape,
  some,
} from '../../../src/platform/http/validation/shapes.js';
import { validated } from '../../../src/platform/http/validation/validation.js';

const Part = requestShape('SpecPart', {
  name: shortText({ max: 3 }),
  amount: amountMinor({ optional: true }),
});
const Whole = requestShape('SpecWhole', {
  part: nested(() => Part),
  parts: nestedList(() => Part, { max: 200, optional: true }),
  metadata: metadata(),
  note: shortText({ max: 3, optional: true }),
});
const Patch = requestShape('SpecPatch', patchOf(some(Whole.shape, ['part', 'note'])));

/** Pointer and code of each error, as they are told. */
function errorsOf(shape: z.ZodType, sent: unknown): string[] {
  try {
    validated(shape, sent);
  } catch (error) {
    const { errors } = error as DomainError;
    return errors.map(({ pointer, code }) => `${pointer} ${code}`);
  }
  return [];
}

it('keeps null where a field may be absent, and a patch has it in its type', () => {
  expect(validated(Whole, { part: { name: 'a' }, note: null }).note).toBeNull();
  expect(validated(Patch, { note: null })).toEqual({ note: null });
  expect(validated(Patch, {})).toEqual({});
  expect(errorsOf(Patch, { part: null })).toEqual(['/part required']);
});

it('tells of an object what it may not have, then its own fields, then the inner ones', () => {
  const wrong = { note: 'long', metadata: { a: 1 }, part: { other: 1, amount: 0.5 }, more: 1 };
  expect(errorsOf(Whole, wrong)).toEqual([
    '/more unknown_field',
    '/metadata/a invalid_metadata',
    '/note invalid_text',
    '/part/other unknown_field',
    '/part/name required',
    '/part/amount amount_not_integer',
  ]);
});

it('tells one error of a field', () => {
  expect(errorsOf(Part, { name: '', amount: 'x' })).toEqual([
    '/name invalid_text',
    '/amount amount_not_integer',
  ]);
  expect(errorsOf(Part, { name: ' abc ', amount: 1e14 })).toEqual(['/amount amount_out_of_range']);
});

it('counts a list before it looks at items, and ends after enough errors', () => {
  const part = { name: 'a' };
  const many = (count: number, item: unknown) => ({ part, parts: Array(count).fill(item) });
  expect(errorsOf(Whole, many(201, {}))).toEqual(['/parts too_many_items']);
  expect(errorsOf(Whole, many(0, {}))).toEqual(['/parts too_few_items']);
  expect(errorsOf(Whole, many(1, null))).toEqual(['/parts/0 required']);
  expect(errorsOf(Whole, many(1, []))).toEqual(['/parts/0 invalid_object']);
  let judged = 0;
  const Counting = requestShape('SpecCounting', {
    items: nestedList(() => z.unknown().refine(() => ((judged += 1), false)), { max: 200 }),
  });
  expect(errorsOf(Counting, { items: Array(200).fill(1) })).toHaveLength(100);
  expect(judged).toBe(101);
});

it('knows every code by which it refuses', () => {
  expect([...refusalsOf(Whole)].map(({ code }) => code).sort()).toEqual([
    'amount_not_integer',
    'amount_out_of_range',
    'invalid_list',
    'invalid_metadata',
    'invalid_object',
    'invalid_text',
    'required',
    'too_few_items',
    'too_many_items',
    'unknown_field',
    'validation_failed',
  ]);
});
