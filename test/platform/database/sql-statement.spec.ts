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

const things = (ids: number[]) =>
  insertLists('things', { account: 'a' }, { id: ['int', ids], at: ['date', ids.map(() => null)] });

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
    expect(things([7, 8])).toEqual({
      text: 'INSERT INTO things (account, id, at) SELECT $1, * FROM unnest($2::int[], $3::date[])',
      values: ['a', [7, 8], [null, null]],
    });
    expect(things([]).text).toBe(things([7, 8]).text);
  });

  it('of a row that changes names its key and its columns', () => {
    const key = { account: 'a', id: 7 };
    const changes = { note: 'new', seen_at: null };
    expect(toStatement({ table: 'things', key, changes })).toEqual({
      text: 'UPDATE things SET note = $3, seen_at = $4 WHERE account = $1 AND id = $2',
      values: ['a', 7, 'new', null],
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
        'w1 AS (UPDATE sums SET sum = sum + $5 WHERE id = $6) ' +
        'INSERT INTO events (type) VALUES ($7)',
      values: [0, 'row 0', 1, 'row 1', 5, 'a', 'counted'],
    };
    expect(asOneStatement(writes)).toEqual([expected]);
    // The text is remembered, the values are not.
    expect(asOneStatement([...writes])).toEqual([expected]);
  });
});
