/** Whether columns of these types can be sent as lists: of lists, PostgreSQL makes others than theirs. */
export function canBeLists(types: readonly string[]): boolean {
  return types.every((type) => LISTED.has(type));
}

const LISTED = new Set([
  'uuid',
  'text',
  'jsonb',
  'bytea',
  'bigint',
  'integer',
  'smallint',
  'boolean',
  'timestamptz',
  'date',
]);

/**
 * The values of a column in many rows as one parameter, so that one text fits any number of rows:
 * `unnest` makes rows of several.
 * @param values each as it would be sent alone
 * @source PostgreSQL, "Array Input and Output Syntax"
 */
export function columnList(values: readonly unknown[]): string {
  return `{${values.map(elementOf).join(',')}}`;
}

function elementOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  const text = textOf(value);
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  // JSON escapes these two alike, and much faster; of others, such as a new line, it makes letters.
  return CONTROL.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : JSON.stringify(text);
}

const CONTROL = /\p{Cc}/u;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  return JSON.stringify(value);
}
