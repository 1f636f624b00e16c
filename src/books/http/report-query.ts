import { type IdPrefix, type Uuid, uuidOf } from '../../kernel/ids.js';
import type { PageQuery } from '../../platform/http/paging.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { RevenueInterval } from '../domain/revenue.js';

/** The UUID in a filter; undefined if it is absent. @throws HttpProblem `invalid_query` */
export function idIn(prefix: IdPrefix, name: string, text: string | undefined): Uuid | undefined {
  if (text === undefined) return undefined;
  const uuid = uuidOf(prefix, text);
  if (!uuid) throw invalidQuery(`${name} must be an id that begins with ${prefix}_.`);
  return uuid;
}

/** @throws HttpProblem `invalid_query` */
export function assertInOrder<Point extends string | Date>(
  name: string,
  from: Point | undefined,
  to: Point | undefined,
): void {
  if (from !== undefined && to !== undefined && from > to) {
    throw invalidQuery(`${name} must not end before it begins: exchange its from and to.`);
  }
}

/** @throws HttpProblem `invalid_query` */
export function assertNoPage({ limit, cursor }: PageQuery): void {
  if ((limit ?? cursor) !== undefined) {
    throw invalidQuery('A file has no pages: leave limit and cursor out.');
  }
}

const MOST_PERIODS = 1000;
const SHORTEST_DAYS: Record<RevenueInterval, number> = {
  day: 1,
  month: 28,
  quarter: 90,
  year: 365,
};

/** @throws HttpProblem `invalid_query` */
export function assertPeriods(interval: RevenueInterval, from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days / SHORTEST_DAYS[interval] > MOST_PERIODS) {
    throw invalidQuery(`A report has at most ${MOST_PERIODS} periods; ask for a longer interval.`);
  }
}

export function invalidQuery(detail: string): HttpProblem {
  return new HttpProblem(400, 'invalid_query', detail);
}
