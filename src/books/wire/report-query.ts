import { z } from 'zod';
import { queryShape } from '../../platform/http/validation/shapes.js';
import { daysBetween } from '../../kernel/clock.js';
import type { CountedQuery } from '../../platform/http/paging.js';
import { invalidParameter } from '../../platform/http/request-refusals.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import { dateText } from '../../platform/http/validation/date-fields.js';
import { oneOf } from '../../platform/http/validation/fields.js';
import type { RevenueInterval } from '../domain/revenue.js';

export const REPORT_FORMATS = ['json', 'csv', 'html'] as const;
/** How a report comes that is more than JSON. */
export type FileFormat = 'csv' | 'html';

nameWords({ ReportFormat: REPORT_FORMATS });

/** Days of a report, as JSON, as a file or as a page. */
export const DaysQuery = queryShape({
  from: dateText({ description: 'The first day, such as that of a month.' }),
  to: dateText({ description: 'The last day.' }),
  format: oneOf(REPORT_FORMATS, {
    optional: true,
    description: 'Default: `json`; `html` is a page to print.',
  }),
});
export type DaysQuery = z.output<typeof DaysQuery>;

export function assertInOrder<Point extends string | Date>(
  first: string,
  from: Point | null | undefined,
  last: string,
  to: Point | null | undefined,
): void {
  if (from == null || to == null || from <= to) return;
  throw invalidParameter(first, `${first} must not be after ${last}: exchange them.`);
}

const MOST_DAYS = 366;

export function assertOneYear(from: string, to: string): void {
  if (daysBetween(from, to) < MOST_DAYS) return;
  throw invalidParameter('to', 'A return is for a year at most; ask for fewer days.');
}

export function assertNoPage({ limit, cursor, include }: CountedQuery): void {
  const sent = Object.entries({ limit, cursor, include });
  const [name] = sent.find(([, value]) => value !== undefined) ?? [];
  if (name === undefined) return;
  throw invalidParameter(name, 'A file has no pages: leave limit, cursor and include out.');
}

const MOST_PERIODS = 1000;
const SHORTEST_DAYS: Record<RevenueInterval, number> = {
  day: 1,
  month: 28,
  quarter: 90,
  year: 365,
};

export function assertPeriods(interval: RevenueInterval, from: string, to: string): void {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
  if (days / SHORTEST_DAYS[interval] > MOST_PERIODS) {
    throw invalidParameter(
      'interval',
      `A report has at most ${MOST_PERIODS} periods; ask for a longer interval.`,
    );
  }
}

/** A column of a page; amounts are in minor units of the row's currency. */
export interface PrintedColumn<Name extends string = string> {
  name: Name;
  heading: string;
  /** A `word` is one of the API. `summed` amounts have a total for each currency at the end. */
  is: 'text' | 'word' | 'count' | 'amount' | 'summed';
}
