import type { Tables } from './tables.js';

/** Columns by what their texts, numbers and JSON are. */
type Meanings<Table extends keyof Tables> = {
  [Column in keyof Tables[Table]]?: NonNullable<Tables[Table][Column]>;
};

/**
 * A row of a table, as PostgreSQL returns it. Whether a column may be null follows from the table.
 * A meaning has to be of the type that the column has.
 */
export type Row<Table extends keyof Tables, Meaning extends Meanings<Table> = object> = {
  [Column in keyof Tables[Table]]: Column extends keyof Meaning
    ? Meaning[Column] | Extract<Tables[Table][Column], null>
    : Tables[Table][Column];
};
