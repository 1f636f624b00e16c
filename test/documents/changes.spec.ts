import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { type FieldChange, changesBetween } from '../../src/documents/domain/changes.js';
import { runsOf } from '../support/share.js';

const byField = (one: FieldChange, other: FieldChange) => (one.field < other.field ? -1 : 1);

describe('changes', () => {
  it.each<[string, object, object, FieldChange[]]>([
    ['are none where nothing changed', { a: { b: [1, 'x'] } }, { a: { b: [1, 'x'] } }, []],
    ['name a field', { a: 1 }, { a: 2 }, [{ field: '/a', from: '1', to: '2' }]],
    ['name what is new', {}, { a: 'x' }, [{ field: '/a', from: null, to: 'x' }]],
    ['name what is gone', { a: 'x' }, {}, [{ field: '/a', from: 'x', to: null }]],
    ['take null for what is missing', { a: null, b: 1 }, { b: 1, c: undefined }, []],
    ['keep empty text apart from none', { a: '' }, {}, [{ field: '/a', from: '', to: null }]],
    [
      'go as deep as the values do',
      { lines: [{ text: 'A', net: 1n }, { text: 'B' }] },
      { lines: [{ text: 'A', net: 2n }] },
      [
        { field: '/lines/0/net', from: '1', to: '2' },
        { field: '/lines/1/text', from: 'B', to: null },
      ],
    ],
    [
      'tell a value from a list of it',
      { a: 'x' },
      { a: ['x'] },
      [
        { field: '/a', from: 'x', to: null },
        { field: '/a/0', from: null, to: 'x' },
      ],
    ],
    [
      'escape names as JSON pointers do',
      { metadata: { 'a/b': '1', 'c~d': '2', '~1': '3', '': '4' } },
      {},
      [
        { field: '/metadata/a~1b', from: '1', to: null },
        { field: '/metadata/c~0d', from: '2', to: null },
        { field: '/metadata/~01', from: '3', to: null },
        { field: '/metadata/', from: '4', to: null },
      ],
    ],
    [
      'come in the order of the first, then of the second',
      { b: 1, a: true },
      { c: 0, a: false, b: 2 },
      [
        { field: '/b', from: '1', to: '2' },
        { field: '/a', from: 'true', to: 'false' },
        { field: '/c', from: null, to: '0' },
      ],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(changesBetween(before, after)).toEqual(changes);
  });

  const aValue = fc.object({
    maxDepth: 3,
    maxKeys: 4,
    key: fc.oneof(fc.constantFrom('a', 'b', '~', '/', '0'), fc.string({ maxLength: 3 })),
    values: [fc.constant(null), fc.boolean(), fc.nat(3), fc.string({ maxLength: 2 })],
  });

  it('of a thing and itself are none, and backwards they are the same', () => {
    fc.assert(
      fc.property(aValue, aValue, (before, after) => {
        expect(changesBetween(before, structuredClone(before))).toEqual([]);
        const backwards = changesBetween(after, before).map(({ field, from, to }) => ({
          field,
          from: to,
          to: from,
        }));
        expect(backwards.toSorted(byField)).toEqual(
          changesBetween(before, after).toSorted(byField),
        );
      }),
      runsOf(1000),
    );
  });

  it('lead from the first to the second, each field named once', () => {
    fc.assert(
      fc.property(aValue, aValue, (before, after) => {
        const fields = new Map(changesBetween({}, before).map(({ field, to }) => [field, to]));
        const changes = changesBetween(before, after);
        for (const { field, from, to } of changes) {
          expect(from).not.toBe(to);
          expect(fields.get(field) ?? null).toBe(from);
          if (to === null) fields.delete(field);
          else fields.set(field, to);
        }
        expect(new Set(changes.map(({ field }) => field)).size).toBe(changes.length);
        const expected = changesBetween({}, after).map(({ field, to }) => [field, to]);
        expect(Object.fromEntries(fields)).toEqual(Object.fromEntries(expected));
      }),
      runsOf(1000),
    );
  });
});
