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
