import { MIGRATED_SCHEMA } from './migrated-schema.js';

const SHORT: Readonly<Record<string, string>> = { 'timestamp with time zone': 'timestamptz' };
const known = new Map<string, string>();

/** PostgreSQL's type of each of these columns of ours, as the migrations make them. */
export function typesOf(table: string, columns: readonly string[]): string[] {
  return columns.map((column) => typeOf(`${table}.${column}`));
}

function typeOf(column: string): string {
  let type = known.get(column);
  if (type === undefined) {
    const definition = MIGRATED_SCHEMA[`column ${column}`] ?? '';
    type = definition.replace(/ (NOT NULL|DEFAULT|GENERATED|COLLATE)\b.*$/s, '');
    type = SHORT[type] ?? type;
    known.set(column, type);
  }
  return type;
}
