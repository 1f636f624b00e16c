import { describe, expect, it, vi } from 'vitest';
import fc from 'fast-check';
import { UuidV7Generator } from '../../../src/kernel/ids.js';
import {
  Cursors,
  type KeyForm,
  pageById,
  toPage,
  WHOLE,
  withTotalCount,
} from '../../../src/platform/http/paging.js';

const LIST = { list: 'things', sort: 'name', filter: { currency: 'EUR', q: undefined } };
const ID = new UuidV7Generator().next();

/** As a client gets it. */
const opaque = (text: string) => Buffer.from(text).toString('base64url');
const cursorOf = (cursors: Cursors, ...keys: string[]) => opaque(cursors.keyOf({ keys, id: ID }));
const refusal = expect.objectContaining({ status: 400, code: 'invalid_cursor' });

/** A cursor of the same list, that says something else. */
function forged(change: (parts: unknown[]) => unknown, forms: KeyForm[] = ['text']): string {
  const cursors = new Cursors(LIST, forms);
  const keys = forms.map(() => 'a');
  return opaque(JSON.stringify(change(JSON.parse(cursors.keyOf({ keys, id: ID })) as unknown[])));
}

describe('a cursor', () => {
  it('is null for the first page', () => {
    expect(new Cursors(LIST, ['text']).read(undefined)).toBeNull();
  });

  it('says where the page ended, whatever its keys are', () => {
    const forms: KeyForm[] = ['text', 'integer', 'date', 'instant'];
    const cursors = new Cursors(LIST, forms);
    const text = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((each) => !/\0/.test(each));
    const instant = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(text, fc.bigInt(-(10n ** 17n), 10n ** 17n), instant, (name, total, at) => {
        const keys = [name, String(total), at.toISOString().slice(0, 10), at.toISOString()];
        expect(cursors.read(cursorOf(cursors, ...keys))).toEqual({ keys, id: ID });
      }),
    );
  });

  it('fits into a query, even with the longest and strangest key', () => {
    const key = '漢'.repeat(200);
    const cursors = new Cursors(LIST, ['text']);
    const cursor = cursorOf(cursors, key);
    expect(cursor.length).toBeLessThanOrEqual(2000);
    expect(cursors.read(cursor)?.keys).toEqual([key]);
    expect(() => cursors.read(cursorOf(cursors, `${key}x`))).toThrow(refusal);
  });

  it('belongs to one list, sort and set of filters', () => {
    const cursor = cursorOf(new Cursors(LIST, ['text']), 'a');
    for (const other of [
      { ...LIST, list: 'others' },
      { ...LIST, sort: '-name' },
      { ...LIST, filter: { currency: 'USD' } },
      { ...LIST, filter: {} },
      { ...LIST, filter: { currency: 'EUR', q: 'x' } },
    ]) {
      expect(() => new Cursors(other, ['text']).read(cursor)).toThrow(refusal);
    }
    const unsaid = { ...LIST, filter: { currency: 'EUR' } };
    expect(new Cursors(unsaid, ['text']).read(cursor)).toEqual({ keys: ['a'], id: ID });
  });

  it.each<[KeyForm, string[]]>([
    ['text', ['a\0b', '\ud800', 'x'.repeat(201)]],
    ['integer', ['', '1.5', '1e3', '0x1', ' 1', '9'.repeat(19), 'NaN', '1;DROP']],
    [
      'date',
      ['', '2026-02-30', '0000-01-01', '2026-1-1', 'infinity', 'now', '2026-01-01T00:00:00Z'],
    ],
    [
      'instant',
      ['', '2026-01-01', '2026-01-01T25:00:00Z', '0000-01-01T00:00:00Z', 'now', 'infinity'],
    ],
  ])('is refused when its %s is none', (form, keys) => {
    for (const key of keys) {
      const made = () =>
        new Cursors(LIST, [form]).read(forged(([list]) => [list, key, ID], [form]));
      expect(made).toThrow(refusal);
    }
  });

  it.each<[string, (parts: unknown[]) => unknown]>([
    ['fewer keys', ([list, , id]) => [list, id]],
    ['more keys', ([list, key, id]) => [list, key, key, id]],
    ['no id', ([list, key]) => [list, key]],
    ['an id that is none', ([list, key]) => [list, key, "' OR 1=1"]],
    ['an id in capitals', ([list, key, id]) => [list, key, String(id).toUpperCase()]],
    ['a number for a key', ([list, , id]) => [list, 1, id]],
    ['null for a key', ([list, , id]) => [list, null, id]],
    ['a list for a key', ([list, , id]) => [list, ['a'], id]],
    ['nothing', () => []],
    ['an object', (parts) => ({ ...parts })],
    ['text', (parts) => String(parts)],
    ['null', () => null],
  ])('is refused with %s', (_, change) => {
    expect(() => new Cursors(LIST, ['text']).read(forged(change))).toThrow(refusal);
  });

  it('is refused in any other spelling', () => {
    const cursors = new Cursors(LIST, ['text']);
    const key = '>?>?>?';
    const cursor = cursorOf(cursors, key);
    expect(cursors.read(cursor)?.keys).toEqual([key]);
    const spaced = JSON.stringify(JSON.parse(cursors.keyOf({ keys: [key], id: ID })), null, 1);
    const plain = Buffer.from(cursor, 'base64url').toString('base64');
    for (const other of ['', ' ', '%', `${cursor}=`, `${cursor}\n`, cursor.slice(1), plain]) {
      expect(() => cursors.read(other)).toThrow(refusal);
    }
    expect(() => cursors.read(opaque(spaced))).toThrow(refusal);
  });

  it('never reads what was made at random', () => {
    const cursors = new Cursors(LIST, ['text']);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(() => cursors.read(text)).toThrow(refusal);
      }),
    );
  });
});

describe('a page', () => {
  it('knows by one row more than it shows that there is another', () => {
    const cursors = new Cursors(LIST, ['text']);
    const keyOf = (name: string) => cursors.keyOf({ keys: [name], id: ID });
    const first = toPage(['a', 'b', 'c'], 2, keyOf, (name) => ({ name }));
    expect(first).toMatchObject({ data: [{ name: 'a' }, { name: 'b' }], has_more: true });
    expect(cursors.read(first.next_cursor ?? '')).toEqual({ keys: ['b'], id: ID });
    const last = toPage(['c'], 2, keyOf, (name) => ({ name }));
    expect(last).toEqual({ data: [{ name: 'c' }], has_more: false, next_cursor: null });
  });
});

describe('a list in the order of its ids', () => {
  const generator = new UuidV7Generator();
  const things = Array.from({ length: 5 }, () => ({ id: generator.next() }));
  const ids = things.map(({ id }) => id);
  const page = async (query: Parameters<typeof pageById>[1]) =>
    pageById(LIST, query, {
      rows: async (after, count) =>
        things.filter(({ id }) => after === null || id > after).slice(0, count),
      present: ({ id }) => id,
      total: async (most) => Math.min(things.length, most),
    });

  it('has each row once, page by page', async () => {
    const shown: string[] = [];
    const sizes: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, next_cursor: next } = await page({ limit: 2, ...(cursor && { cursor }) });
      shown.push(...data);
      sizes.push(data.length);
      cursor = next;
    }
    expect(shown).toEqual(ids);
    expect(sizes).toEqual([2, 2, 1]);
  });

  it('is counted for a caller who asks, and takes no cursor of another list', async () => {
    expect(await page({ include: ['total_count'] })).toEqual({
      data: ids,
      ...WHOLE,
      total_count: 5,
      total_count_exact: true,
    });
    const behind = (list: object) =>
      opaque(new Cursors(list, []).keyOf({ keys: [], id: ids[3] ?? '' }));
    expect((await page({ cursor: behind(LIST) })).data).toEqual(ids.slice(4));
    await expect(page({ cursor: behind({ list: 'others' }) })).rejects.toThrow(refusal);
  });
});

describe('a total count', () => {
  const page = { data: [], ...WHOLE };
  const counted = async (rows: number) =>
    withTotalCount(page, { include: ['total_count'] }, async (most) => Math.min(rows, most));

  it.each([
    [0, 0, true],
    [10_000, 10_000, true],
    [10_001, 10_000, false],
    [10_000_000, 10_000, false],
  ])('of %i rows is %i, and exact: %s', async (rows, total, exact) => {
    const ends = { total_count: total, total_count_exact: exact };
    expect(await counted(rows)).toEqual({ ...page, ...ends });
  });

  it('counts nothing for a caller who did not ask', async () => {
    const count = vi.fn<(most: number) => Promise<number>>();
    expect(await withTotalCount(page, {}, count)).toEqual(page);
    expect(count).not.toHaveBeenCalled();
  });
});
