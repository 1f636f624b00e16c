import { z } from 'zod';
import { createHash } from 'node:crypto';
import { answerShape, queryShape } from './validation/shapes.js';
import { isCalendarDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { isStorableText } from './validation/storable-text.js';
import { shortText } from './validation/text-fields.js';
import { wholeNumber } from './validation/fields.js';
import { HttpProblem } from './problem.js';
import { parameter, someOf } from './validation/standard-fields.js';
import { RequestRefusal } from './request-refusals.js';
import { fieldsParameter, type SelectedFields, selecting } from './selected-fields.js';

/** Every answer with a list has these beside `data`, so that one loop reads all of them. */
export const PageEnds = answerShape('PageEnds', {
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('The `cursor` of that page.'),
});
export type PageEnds = z.output<typeof PageEnds>;

/** The ends of a list that has no pages. */
export const WHOLE: PageEnds = { has_more: false, next_cursor: null };

/** One page of a list in keyset order. */
export interface Page<Item> extends PageEnds {
  data: Item[];
}

export const DEFAULT_PAGE_SIZE = 25;
export const LARGEST_PAGE_SIZE = 100;

/** The parameters of every list. A list adds its filters. */
export const PageQuery = queryShape({
  limit: parameter(
    (value) => (/^\d{1,3}$/.test(value) ? Number(value) : value),
    wholeNumber({
      min: 1,
      max: LARGEST_PAGE_SIZE,
      optional: true,
      description: `Default: ${DEFAULT_PAGE_SIZE}.`,
    }),
  ),
  cursor: shortText({
    max: 2000,
    optional: true,
    description: 'The `next_cursor` of the page before. Sort and filters have to be the same.',
  }),
});
export type PageQuery = z.output<typeof PageQuery>;

const MOST_COUNTED = 10_000;

/** The parameters of a list that can be counted. */
export const CountedQuery = queryShape({
  ...PageQuery.shape,
  include: someOf(['total_count'], {
    description: 'Parts that only a caller who wants them pays for.',
  }),
});
export type CountedQuery = z.output<typeof CountedQuery>;

/** The parameters of a list that can be counted, and of whose entries a caller may want a part. */
export const listQuery = (entry: () => z.ZodType) =>
  queryShape({ ...CountedQuery.shape, fields: fieldsParameter(entry) });

/** A query of such a list, with its filters or without. */
type ListQuery = CountedQuery & { fields?: SelectedFields | undefined };

/** The ends of a list that can be counted. */
export const CountedEnds = answerShape('CountedEnds', {
  ...PageEnds.shape,
  total_count: z
    .number()
    .optional()
    .meta({
      type: 'integer',
      description:
        'How many there are on all pages; only with `include=total_count`. The count ends at ' +
        `${MOST_COUNTED}: then \`total_count_exact\` is false.`,
    }),
  total_count_exact: z.boolean().optional(),
});
export type CountedEnds = z.output<typeof CountedEnds>;

/** A page of a list that can be counted. */
export const countedPage = <Item extends z.ZodType>(name: string, item: Item) =>
  answerShape(name, { ...CountedEnds.shape, data: z.array(item) });

/** A list that has no pages. */
export const wholeList = <Item extends z.ZodType>(name: string, item: Item) =>
  answerShape(name, { ...PageEnds.shape, data: z.array(item) });

/**
 * Counts the list of a page if its caller asks for that.
 * @param count counts no more than so many, which bounds what it costs
 */
export async function withTotalCount<Item>(
  page: Page<Item>,
  { include = [] }: CountedQuery,
  count: (most: number) => Promise<number>,
): Promise<Page<Item> & CountedEnds> {
  if (!include.includes('total_count')) return page;
  const total = await count(MOST_COUNTED + 1);
  const exact = total <= MOST_COUNTED;
  return { ...page, total_count: exact ? total : MOST_COUNTED, total_count_exact: exact };
}

/** The query asked for one row more than `limit`, which tells whether there is another page. */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string,
  present: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const more = rows.length > limit && last !== undefined;
  return {
    data: shown.map(present),
    has_more: more,
    next_cursor: more ? Buffer.from(keyOf(last)).toString('base64url') : null,
  };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z$/;
/** `PageQuery` still takes a cursor with such a key if each character is escaped. */
const LONGEST_KEY = 200;

/** PostgreSQL has no year 0. */
const isDate = (text: string) => text >= '0001' && isCalendarDate(text);

/** The forms of sort keys in a cursor. PostgreSQL can read every text that passes. */
const KEY_FORMS = {
  id: (key: string) => UUID.test(key),
  text: (key: string) => key.length <= LONGEST_KEY && isStorableText(key),
  integer: (key: string) => /^-?\d{1,18}$/.test(key),
  date: isDate,
  instant: (key: string) => {
    const [instant = '', date = ''] = INSTANT.exec(key) ?? [];
    return isDate(date) && !Number.isNaN(Date.parse(instant));
  },
};

export type KeyForm = keyof typeof KEY_FORMS;

/**
 * The place of a row in a sorted list: its sort keys as text, then its id, which settles ties. A
 * key is never null, because no row compares as behind null: sort by coalesce(...) instead.
 */
export interface Position {
  keys: readonly string[];
  id: Uuid;
}

/**
 * The cursors of one list in one order with one set of filters; no other list takes them. They are
 * not signed, only checked by form: who makes one up sees another part of a list that is theirs.
 */
export class Cursors {
  private readonly list: string;

  /**
   * @param list name, sort and filters, with defaults: they must not change from page to page
   * @param forms of the sort keys that stand before the id
   */
  constructor(
    list: object,
    private readonly forms: readonly KeyForm[],
  ) {
    const digest = createHash('sha256').update(JSON.stringify(list));
    this.list = digest.digest('base64url').slice(0, 12);
  }

  /** The text of a cursor, which `toPage` makes opaque. */
  keyOf({ keys, id }: Position): string {
    return JSON.stringify([this.list, ...keys, id]);
  }

  /** The start of the next page; null for the first. */
  read(cursor: string | undefined): Position | null {
    if (cursor === undefined) return null;
    const [list, ...keys] = textsIn(cursor);
    const id = keys.pop();
    if (list === undefined || id === undefined) throw notOurs();
    if (list !== this.list) {
      throw invalidCursor(
        'cursor belongs to another sort or other filters; repeat those, or begin without cursor.',
      );
    }
    const fits = keys.length === this.forms.length && UUID.test(id);
    if (!fits || !this.forms.every((form, index) => KEY_FORMS[form](keys[index] ?? ''))) {
      throw notOurs();
    }
    return { keys, id };
  }
}

/** A list in the order of its ids. */
interface ListById<Row, Item> {
  /** At most `count` rows behind a place, or from the beginning. */
  rows: (after: Uuid | null, count: number) => Promise<Row[]>;
  present: (row: Row) => Item;
}

interface CountedById<Row, Item> extends ListById<Row, Item> {
  /** How many there are, up to `most`, which bounds what it costs. */
  total: (most: number) => Promise<number>;
}

/**
 * A page of a list in the order of its ids.
 * @param list as for `Cursors`
 */
export async function idPage<Row extends { id: Uuid }, Item>(
  list: object,
  { limit = DEFAULT_PAGE_SIZE, cursor }: PageQuery,
  { rows, present }: ListById<Row, Item>,
): Promise<Page<Item>> {
  const cursors = new Cursors(list, []);
  const found = await rows(cursors.read(cursor)?.id ?? null, limit + 1);
  return toPage(found, limit, ({ id }) => cursors.keyOf({ keys: [], id }), present);
}

/** The same with how many there are, if its caller asks for that. */
export async function pageById<Row extends { id: Uuid }, Item>(
  list: object,
  query: ListQuery,
  { total, rows, present }: CountedById<Row, Item>,
): Promise<Page<Item> & CountedEnds> {
  const page = await idPage(list, query, { rows, present: selecting(query, present) });
  return withTotalCount(page, query, total);
}

/** The texts that a cursor is made of. There are none if we never wrote such a cursor. */
function textsIn(cursor: string): string[] {
  const text = Buffer.from(cursor, 'base64url').toString();
  try {
    const parts = JSON.parse(text) as unknown;
    const isOurs =
      Array.isArray(parts) &&
      parts.every((part) => typeof part === 'string') &&
      Buffer.from(JSON.stringify(parts)).toString('base64url') === cursor;
    return isOurs ? parts : [];
  } catch {
    return [];
  }
}

function notOurs(): HttpProblem {
  return invalidCursor(
    'cursor is not one of ours; send next_cursor of the previous page unchanged.',
  );
}

function invalidCursor(detail: string): HttpProblem {
  const error = RequestRefusal.invalid_cursor.field('/cursor', detail);
  return RequestRefusal.invalid_cursor.of(detail, {}, { errors: [error] });
}
