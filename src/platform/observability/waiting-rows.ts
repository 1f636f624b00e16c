import type { Database } from '../database/database.js';
import { MOST_COUNTED, type WaitingThings } from './figures.js';

/**
 * How many rows wait, and since when the oldest of them does. Counted up to a bound, beyond which the
 * oldest may be another one.
 * @param since a column of it, or a piece of SQL
 * @param from `FROM ... WHERE ...`, which an index answers
 */
export async function waitingRows(
  database: Database,
  since: string,
  from: string,
  values: unknown[] = [],
): Promise<WaitingThings> {
  const text = `SELECT count(*)::int AS count, min(since) AS oldest
    FROM (SELECT ${since} AS since ${from} LIMIT ${MOST_COUNTED}) waiting`;
  const [row] = await database.query<WaitingThings>(text, values);
  return row ?? { count: 0, oldest: null };
}
