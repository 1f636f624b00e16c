import { describe, expect, it } from 'vitest';
import {
  asOneStatement,
  insertInto,
  insertLists,
  toQuery,
  toStatement,
} from '../../../src/platform/database/sql-statement.js';

const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ id, note: `row ${id}` }));

const lines = (positions: number[]) =>
  insertLists(
    'document_lines',
    { account_id: 'a' },
    positions.map((position) => ({
      position,
      sku: undefined,
      discounts: [position],
      details: null,
    })),
  );

describe('a statement', () => {
  it('has one name for one text, whatever its values', () => {
    const [one, two] = [1, 2].map((value) => toQuery({ text: 'SELECT $1', values: [value] }));
    expect(one?.name).toBeDefined();
    expect(two?.name).toBe(one?.name);
    expect(toQuery({ text: 'SELECT $1 + 1', values: [1] }).name).not.toBe(one?.name);
  });

  it('of many rows has none: connections would keep a plan for each number of rows', () => {
    expect(toQuery(insertInto('things', rows(3))).name).toBeDefined();
    expect(toQuery(insertInto('things', rows(1000))).name).toBeUndefined();
  });

  it('of many rows has the same text for any number of them', () => {
    expect(lines([7, 8])).toEqual({
      text:
        'INSERT INTO document_lines (account_id, position, sku, discounts, details) ' +
        'SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::jsonb[], $5::jsonb[])',
      values: ['a', '{7,8}', '{NULL,NULL}', '{"[7]","[8]"}', '{NULL,NULL}'],
    });
    expect(lines([7]).text).toBe(lines([7, 8]).text);
  });

  it('of a row that changes names its key and its columns', () => {
    const key = { account: 'a', id: 7 };
    const changes = { note: 'new', seen_at: null };
    expect(toStatement({ table: 'things', key, changes })).toEqual({
      text: 'UPDATE things SET note = $3, seen_at = $4 WHERE account = $1 AND id = $2',
      values: ['a', 7, 'new', null],
      isByKey: true,
    });
  });

  it('of several writes is one, with the places of each moved behind those before', () => {
    const writes = [
      insertInto('things', rows(2)),
      { text: 'UPDATE sums SET sum = sum + $1 WHERE id = $2', values: [5, 'a'] },
      insertInto('events', [{ type: 'counted' }]),
    ];
    const expected = {
      text:
        'WITH w0 AS (INSERT INTO things (id, note) VALUES ($1, $2), ($3, $4)), ' +
        'w1 AS (INSERT INTO events (type) VALUES ($5)) ' +
        'UPDATE sums SET sum = sum + $6 WHERE id = $7',
      values: [0, 'row 0', 1, 'row 1', 'counted', 5, 'a'],
    };
    expect(asOneStatement(writes)).toEqual([expected]);
    // The text is remembered, the values are not.
    expect(asOneStatement([...writes])).toEqual([expected]);
  });

  it('changes no row twice: what may do so stands in a statement behind it', () => {
    const more = { text: 'UPDATE sums SET sum = sum + $1 WHERE id = $2', values: [5, 'a'] };
    const table = 'sums';
    const mine = toStatement({ table, key: { id: 'b' }, changes: { sum: 1, seen: 2 } });
    const yours = toStatement({ table, key: { id: 'c' }, changes: { sum: 3 } });
    const event = insertInto('events', [{ type: 'counted' }]);
    const all = asOneStatement([more, mine, event, more, yours]);
    expect(all.map(({ text }) => text)).toEqual([
      'WITH w0 AS (UPDATE sums SET sum = $2, seen = $3 WHERE id = $1), ' +
        'w1 AS (INSERT INTO events (type) VALUES ($4)) UPDATE sums SET sum = $6 WHERE id = $5',
      more.text,
      more.text,
    ]);
    expect(all.map(({ values }) => values)).toEqual([
      ['b', 1, 2, 'counted', 'c', 3],
      [5, 'a'],
      [5, 'a'],
    ]);
  });
});
