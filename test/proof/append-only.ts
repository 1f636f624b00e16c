import { readFileSync } from 'node:fs';

const SCHEMA = readFileSync(new URL('../../docs/schema.sql', import.meta.url), 'utf8');

/** A table whose rows never change, and a column that belongs to what is guarded. */
export interface AppendOnly {
  table: string;
  column: string;
}

/** All that docs/schema.sql guards so: the first column of each is among those that are guarded. */
export const APPEND_ONLY: readonly AppendOnly[] = [
  ...SCHEMA.matchAll(/^CREATE TRIGGER (\w+)_append_only BEFORE /gm),
].map(([, table = '']) => {
  const [, column] =
    new RegExp(`^CREATE TABLE ${table} \\(\\n {2}"?(\\w+)`, 'm').exec(SCHEMA) ?? [];
  if (!column) throw new Error(`docs/schema.sql has a trigger of ${table}, and no such table`);
  return { table, column };
});
