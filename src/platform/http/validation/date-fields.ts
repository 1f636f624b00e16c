import { isCalendarDate } from '../../../kernel/clock.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import { type Field, field, type FieldOptions, passing } from './fields.js';

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
