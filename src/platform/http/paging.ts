import { HttpProblem } from './problem.js';

/** One page of a list in keyset order. */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

export const DEFAULT_PAGE_SIZE = 25;
export const LARGEST_PAGE_SIZE = 100;

/** The query was made for one row more than `limit`, which tells whether there is another page. */
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

/** The UUID inside an opaque cursor. @throws HttpProblem 400 `invalid_cursor` */
export function afterCursor(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const key = Buffer.from(cursor, 'base64url').toString();
  if (UUID.test(key)) return key;
  throw new HttpProblem(
    400,
    'invalid_cursor',
    'cursor is not one of ours; send next_cursor of the previous page unchanged.',
  );
}
