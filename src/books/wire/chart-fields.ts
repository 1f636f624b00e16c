import type { FieldError } from '../../kernel/domain-error.js';
import { matching } from '../../platform/http/validation/text-fields.js';
import { BooksRefusal } from '../domain/refusals.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';

export const accountNumber = () =>
  matching(
    {
      refusal: BooksRefusal.invalid_account_number,
      test: (text) => /^[0-9A-Za-z]{1,12}$/.test(text),
      message: 'must be 1 to 12 letters and digits; DATEV takes digits only, at most 8',
    },
    { example: '1200', schema: { pattern: '^[0-9A-Za-z]{1,12}$' } },
  );

/** One for each line that says again what a line before it says. */
export function saidTwice<Line>(
  lines: readonly Line[],
  field: string,
  nameOf: (line: Line) => string,
): FieldError[] {
  const names = lines.map(nameOf);
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [FieldRefusal.said_twice.field(`/${field}/${index}`, 'Name each of them once.')],
  );
}
