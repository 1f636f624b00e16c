import type { SchemaListing } from '../../src/platform/database/schema-listing.js';

/** The driver's value for each type of PostgreSQL that we have. */
const VALUES: Readonly<Record<string, string>> = {
  bigint: 'bigint',
  boolean: 'boolean',
  bytea: 'Buffer',
  'character varying': 'string',
  date: 'IsoDate',
  inet: 'string',
  integer: 'number',
  'integer[]': 'number[]',
  json: 'object',
  jsonb: 'object',
  numeric: 'string',
  'public.ledger_account': 'string',
  'public.ledger_fact': 'string',
  smallint: 'number',
  'smallint[]': 'number[]',
  text: 'string',
  'text[]': 'string[]',
  timestamptz: 'Date',
  tsvector: 'string',
  uuid: 'Uuid',
};

/** The rows of all tables as TypeScript. */
export function rowTypes({ columns }: SchemaListing): string {
  const tables = Object.entries(columns).map(
    ([table, ofTable]) =>
      `  ${table}: {\n${Object.entries(ofTable)
        .map(([name, { type, notNull }]) => {
          const value = VALUES[type];
          if (value === undefined)
            throw new Error(`${table}.${name}: what is ${type} in TypeScript?`);
          return `    ${name}: ${value}${notNull ? '' : ' | null'};\n`;
        })
        .join('')}  };\n`,
  );
  return `// Written by \`npm run schema\`: the columns that the migrations make, as the driver gives them.
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';

/* oxlint-disable max-lines */
export interface Tables {
${tables.join('')}}
`;
}
