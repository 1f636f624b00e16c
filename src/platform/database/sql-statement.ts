import type pg from 'pg';
import pgTypes from 'pg';
import { canBeLists, columnList } from './column-lists.js';
import { MIGRATED_SCHEMA } from './schema-listing.js';

/** SQL text with its values, ready to be sent. */
export interface SqlStatement {
  text: string;
  values: unknown[];
  /** It comes again, however long it is. */
  isCommon?: boolean;
  /** It changes rows by their keys, and no other of the same transaction changes them by theirs. */
  isByKey?: boolean;
}

/** The text and types of rows. Rows of the same shape, which is one object, can be one statement. */
export interface RowShape {
  /** The text up to the rows. */
  head: string;
  /** The text after them, if they stand in a FROM: `AS r (id, amount) ...`. Else they are inserted. */
  tail?: string;
  /** Of each column. */
  types: readonly string[];
  /** As of a statement. */
  isByKey?: boolean;
}

export interface RowsStatement {
  shape: RowShape;
  rows: readonly (readonly unknown[])[];
}

/** One row, by its key. */
export interface RowUpdate {
  table: string;
  key: Record<string, unknown>;
  changes: Record<string, unknown>;
}

/** The same for two updates of one row. */
export function rowOf({ table, key }: Pick<RowUpdate, 'table' | 'key'>): string {
  return `${table} ${Object.values(key).join(' ')}`;
}

export type Write = SqlStatement | RowsStatement | RowUpdate;

const INT8 = 20;
const DATE = 1082;
const types = {
  getTypeParser(oid: number, format?: string): unknown {
    if (oid === INT8) return BigInt;
    if (oid === DATE) return String;
    return pgTypes.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/**
 * Longer ones are of many rows, or of reports, and hardly come again. They are not kept here, nor
 * parsed and planned by each connection. An invoice of a schedule takes 4,200 characters, a credit
 * note 6,200, and each 0.35 MB of a connection.
 */
const LONGEST_KEPT = 8192;
const names = new Map<string, string>();

/** Named, so that each connection parses and plans a text once. */
export function toQuery({ text, values, isCommon }: SqlStatement): pg.QueryConfig {
  if (text.length > LONGEST_KEPT && !isCommon) return toUnnamedQuery({ text, values });
  let name = names.get(text);
  if (name === undefined) {
    name = `q${names.size}`;
    names.set(text, name);
  }
  return { name, text, values, types };
}

/** Planned each time, for its values. */
export function toUnnamedQuery({ text, values }: SqlStatement): pg.QueryConfig {
  return { text, values, types } as pg.QueryConfig;
}

/** Of jobs over whole tables. A path that goes silent meanwhile is noticed by TCP's keepalive. */
const LONG_WORK_MS = 7_200_000;

/** The same where it may take longer than a request: whoever sends it lifts `statement_timeout`. */
export function toLongQuery(statement: SqlStatement): pg.QueryConfig {
  return { ...toUnnamedQuery(statement), query_timeout: LONG_WORK_MS } as pg.QueryConfig;
}

/** Nothing is lost where it gets no answer: the connection goes, and the transaction with it. */
export const ROLLBACK = { text: 'ROLLBACK', query_timeout: 5000 } as pg.QueryConfig;

const shapes = new Map<string, RowShape>();

/** The one object for rows of these columns of a table. */
function shapeOf(
  table: string,
  columns: readonly string[],
  text: Omit<RowShape, 'types'>,
): RowShape {
  const key = text.tail === undefined ? text.head : `${text.head} ${text.tail}`;
  let shape = shapes.get(key);
  if (!shape) {
    shapes.set(key, (shape = { ...text, types: typesOf(table, columns) }));
  }
  return shape;
}

function typesOf(table: string, columns: readonly string[]): string[] {
  const listed = MIGRATED_SCHEMA.columns[table];
  return columns.map((column) => listed?.[column]?.type ?? '');
}

/** Plain rows, all of the same columns: lists as parameters cost PostgreSQL more than the rows. */
export function rowsInto(table: string, rows: readonly Record<string, unknown>[]): RowsStatement {
  const columns = Object.keys(rows[0] ?? {});
  const head = `INSERT INTO ${table} (${columns.join(', ')})`;
  const shape = shapeOf(table, columns, { head });
  return { shape, rows: rows.map((row) => Object.values(row)) };
}

export function insertInto(table: string, rows: readonly Record<string, unknown>[]): SqlStatement {
  return toStatement(rowsInto(table, rows));
}

export function toStatement(write: Write): SqlStatement {
  if ('text' in write) return write;
  if ('table' in write) return updateOf(write);
  const { shape, rows } = write;
  return { text: textOfRows(shape, rows.length), values: rows.flat(), ...byKey(shape) };
}

function byKey({ isByKey }: RowShape): Pick<SqlStatement, 'isByKey'> {
  return isByKey ? { isByKey } : {};
}

const rowTexts = new WeakMap<RowShape, Map<number, string>>();

/** A parameter for each value. */
function textOfRows(shape: RowShape, count: number): string {
  const known = rowTexts.get(shape) ?? new Map<number, string>();
  rowTexts.set(shape, known);
  const text = known.get(count) ?? newTextOfRows(shape, count);
  if (text.length <= LONGEST_KEPT) known.set(count, text);
  return text;
}

function newTextOfRows({ head, tail, types }: RowShape, count: number): string {
  const places = Array.from({ length: count }, (_, row) =>
    types.map((type, column) => {
      const place = `$${row * types.length + column + 1}`;
      return tail === undefined ? place : `${place}::${type}`;
    }),
  );
  const values = `VALUES (${places.map((row) => row.join(', ')).join('), (')})`;
  return tail === undefined ? `${head} ${values}` : `${head} (${values}) ${tail}`;
}

/** Null for a shape with a type that has no lists. */
const listTexts = new WeakMap<RowShape, string | null>();

/** Any number of rows with one text, a parameter for each column; null if that is not possible. */
export function asLists({ shape, rows }: RowsStatement): SqlStatement | null {
  let text = listTexts.get(shape);
  if (text === undefined) listTexts.set(shape, (text = textOfLists(shape)));
  if (text === null) return null;
  const values = shape.types.map((_, at) => columnList(rows.map((row) => row[at])));
  return { text, values, isCommon: true, ...byKey(shape) };
}

function textOfLists({ head, tail, types }: RowShape): string | null {
  if (!canBeLists(types)) return null;
  const lists = `unnest(${types.map((type, at) => `$${at + 1}::${type}[]`).join(', ')})`;
  return tail === undefined ? `${head} SELECT * FROM ${lists}` : `${head} ${lists} ${tail}`;
}

/**
 * Any number of rows, one or more, with one text: `same` in each of them, the others as lists. All
 * have the columns of the first.
 */
export function insertLists(
  table: string,
  same: Record<string, unknown>,
  rows: readonly object[],
): SqlStatement {
  const shared = Object.keys(same);
  const columns = Object.keys(rows[0] ?? {});
  const places = typesOf(table, columns).map((type, at) => `$${shared.length + at + 1}::${type}[]`);
  const lists = columns.map((column) =>
    columnList(rows.map((row) => (row as Record<string, unknown>)[column])),
  );
  return {
    text:
      `INSERT INTO ${table} (${[...shared, ...columns].join(', ')}) ` +
      `SELECT ${[...shared.map((_, at) => `$${at + 1}`), '*'].join(', ')} FROM unnest(${places.join(', ')})`,
    values: [...Object.values(same), ...lists],
  };
}

/** The keys and columns come from code, so that each set is one constant text. */
function updateOf({ table, key, changes }: RowUpdate): SqlStatement {
  const named = [...Object.keys(key), ...Object.keys(changes)].map(
    (column, index) => `${column} = $${index + 1}`,
  );
  const keys = named.splice(0, Object.keys(key).length);
  return {
    text: `UPDATE ${table} SET ${named.join(', ')} WHERE ${keys.join(' AND ')}`,
    values: [...Object.values(key), ...Object.values(changes)],
    isByKey: true,
  };
}

/** Several updates of one table and the same columns, each of another row. */
export function asRows(updates: readonly RowUpdate[]): RowsStatement {
  const [{ table, key, changes } = { table: '', key: {}, changes: {} }] = updates;
  const keys = Object.keys(key);
  const changed = Object.keys(changes);
  const columns = [...keys, ...changed];
  const head = `UPDATE ${table} AS t SET ${changed.map((one) => `${one} = v.${one}`).join(', ')} FROM`;
  const tail = `AS v (${columns.join(', ')})
      WHERE ${keys.map((one) => `t.${one} = v.${one}`).join(' AND ')}`;
  return {
    shape: shapeOf(table, columns, { head, tail, isByKey: true }),
    rows: updates.map((one) => [...Object.values(one.key), ...Object.values(one.changes)]),
  };
}

/** Statements of the same texts are cut and merged in the same way. */
const merged = new Map<string, readonly Merged[]>();

interface Merged {
  text: string;
  /** The number of writes in it. */
  count: number;
}

/**
 * Several writes as one statement, `WITH w0 AS (...), w1 AS (...) ...`: one plan and one execution
 * instead of one each (decision 12). Foreign keys and unique keys are judged at its end, all under one snapshot.
 * In one statement a row is changed once: PostgreSQL drops the second change without a word. So a
 * write that may be one stands in a statement behind it.
 */
export function asOneStatement(queued: readonly SqlStatement[]): readonly SqlStatement[] {
  if (queued.length < 2) return queued;
  const writes = changesLast(queued);
  const isCommon = writes.every((write) => write.isCommon);
  const key = writes.map(({ text }) => text).join(';');
  let parts = merged.get(key);
  if (parts === undefined) {
    parts = cut(writes).map((part) => ({ text: mergedText(part), count: part.length }));
    if (isCommon || key.length <= LONGEST_KEPT) merged.set(key, parts);
  }
  let from = 0;
  return parts.map(({ text, count }) => {
    const values = writes.slice(from, (from += count)).flatMap((write) => write.values);
    return { text, values, ...(isCommon && { isCommon }) };
  });
}

/** Changes that are not by keys, behind those that are: so they see them, if they are cut off. */
function changesLast(writes: readonly SqlStatement[]): readonly SqlStatement[] {
  const isLast = (write: SqlStatement) => !write.isByKey && changedBy(write) !== undefined;
  const last = writes.filter((write) => isLast(write));
  return last.length === 0 ? writes : [...writes.filter((write) => !isLast(write)), ...last];
}

/** Updates by keys are of different rows. Any other may be of the same, if it is of the same table. */
function cut(writes: readonly SqlStatement[]): SqlStatement[][] {
  let part: SqlStatement[] = [];
  const parts = [part];
  for (const write of writes) {
    const isAgain = part.some(
      (before) => changedBy(before) === changedBy(write) && !(before.isByKey && write.isByKey),
    );
    if (isAgain && changedBy(write) !== undefined) parts.push((part = []));
    part.push(write);
  }
  return parts;
}

/** The table whose rows it changes, also those that are there already; none for rows that it adds. */
function changedBy({ text }: SqlStatement): string | undefined {
  const isUpsert = text.includes(' DO UPDATE');
  const words = isUpsert ? /^\s*INSERT INTO\s+(\w+)/ : /^\s*(?:UPDATE|DELETE FROM)\s+(\w+)/;
  return words.exec(text)?.[1];
}

function mergedText(writes: readonly SqlStatement[]): string {
  let offset = 0;
  const parts = writes.map((write) => {
    const from = offset;
    offset += write.values.length;
    return write.text.replaceAll(/\$(\d+)/g, (_, n: string) => `$${from + Number(n)}`);
  });
  const last = parts.pop();
  if (parts.length === 0) return last ?? '';
  return `WITH ${parts.map((part, index) => `w${index} AS (${part})`).join(', ')} ${last}`;
}
