import type { IsoDate } from '../../../kernel/clock.js';
import type { DocumentKind } from '../lifecycle.js';
import { NumberPattern } from './number-pattern.js';
import { DocumentRefusal } from '../refusals.js';

/** When the count starts again. */
export const RESETS = ['never', 'year', 'month'] as const;
export type Reset = (typeof RESETS)[number];

/** The period of one count: `2026`, `2026-11`, or nothing if the count never starts again. */
export type NumberingPeriod = string;

export const SERIES_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/;
export const LARGEST_SEQUENCE = 999_999_999_999;
export const LARGEST_SERIES_COUNT = 100;

/** Numbers of one kind that count together. */
export interface NumberSeries {
  /** Its name in the account. */
  series: string;
  kind: DocumentKind;
  pattern: string;
  reset: Reset;
  /** Of its kind: used where a document names no series. */
  isDefault: boolean;
  /** No document is dated before the one that has the number before it. */
  datesInOrder: boolean;
  /** The first sequence of each period. */
  startAt: bigint;
  /** Null for a built-in series that nobody has used or changed. */
  createdAt: Date | null;
}

/** A period has given every sequence from `first` to `last`; none yet when last < first. */
export interface SeriesCounter {
  first: bigint;
  last: bigint;
}

const builtIn = (series: string, kind: DocumentKind, pattern: string, isDefault = true) =>
  ({
    series,
    kind,
    pattern,
    reset: 'never',
    isDefault,
    datesInOrder: false,
    startAt: 1n,
    createdAt: null,
  }) as const;

/** The series of every account from the start. */
export const BUILT_IN_SERIES: readonly NumberSeries[] = [
  builtIn('credit_note', 'credit_note', 'CRN-{SEQ:5}'),
  builtIn('invoice', 'invoice', 'INV-{SEQ:5}'),
  builtIn('proforma', 'quote', 'PRO-{SEQ:5}', false),
  builtIn('quote', 'quote', 'QUO-{SEQ:5}'),
];

/** The period that a document of this date counts in. */
export function periodOf(reset: Reset, issueDate: IsoDate): NumberingPeriod {
  if (reset === 'never') return '';
  return issueDate.slice(0, reset === 'year' ? 4 : 7);
}

/** The sequence that a period gives next. */
export function nextOf(series: NumberSeries, counter: SeriesCounter | undefined): bigint {
  return counter ? counter.last + 1n : series.startAt;
}

/** A number that repeats in the next period names two documents. @throws `invalid_pattern` */
export function assertPattern(text: string, reset: Reset): void {
  const fault = NumberPattern.faultOf(text) ?? missingFrom(NumberPattern.parse(text), reset);
  if (fault) throw DocumentRefusal.invalid_pattern.at('/pattern', `pattern ${fault}.`);
}

function missingFrom(pattern: NumberPattern, reset: Reset): string | undefined {
  if (reset !== 'never' && !pattern.namesYear) {
    return `must have {YYYY} or {YY} where the count starts again each ${reset}`;
  }
  if (reset === 'month' && !pattern.namesMonth) {
    return 'must have {MM} where the count starts again each month';
  }
  return undefined;
}

/**
 * The counter of a period that goes on at `next`, as when a business brings its numbers along.
 * @throws DomainError `counter_not_raisable` after the period's first number: there would be a gap
 */
export function raised(
  series: NumberSeries,
  period: NumberingPeriod,
  counter: SeriesCounter | undefined,
  next: bigint,
): SeriesCounter {
  const due = nextOf(series, counter);
  // The counter stands there already: to repeat the request after the first number is no mistake.
  if (counter && next === due) return counter;
  const inPeriod = period && ` of ${period}`;
  if (counter && counter.last >= counter.first) {
    throw DocumentRefusal.counter_not_raisable.of(
      `The first number${inPeriod} is taken, and a count goes on without a gap; next is ${due}.`,
      { period },
    );
  }
  if (next < series.startAt) {
    throw DocumentRefusal.counter_not_raisable.of(
      `The numbers${inPeriod} start at ${series.startAt}; send next of at least that.`,
      { period },
    );
  }
  return { first: next, last: next - 1n };
}

/** A counter that goes on behind a sequence which was given, and the first that it skips; null: it does. */
export function skippedTo(
  series: NumberSeries,
  counter: SeriesCounter | undefined,
  sequence: bigint,
): { from: bigint; counter: SeriesCounter } | null {
  const from = nextOf(series, counter);
  if (sequence < from) return null;
  return { from, counter: { first: counter?.first ?? from, last: sequence } };
}

/** Two digits of a year are this century's: 1926 and 2126 would take the numbers of 2026. */
export function assertYear(
  { series, pattern }: { series: string; pattern: NumberPattern },
  period: NumberingPeriod,
  issueDate: IsoDate,
): void {
  if (period === '' || pattern.namesCentury || issueDate.startsWith('20')) return;
  throw DocumentRefusal.date_outside_series.at(
    '/issue_date',
    `The series ${series} writes two digits of the year, which stand for 2000 to 2099, and ` +
      `${issueDate} is not in there; give its pattern {YYYY}.`,
  );
}

export function assertDatesInOrder(
  series: string,
  before: { number: string; issueDate: IsoDate } | undefined,
  issueDate: IsoDate,
): void {
  if (!before || issueDate >= before.issueDate) return;
  throw DocumentRefusal.date_before_last_issued.of(
    `The series ${series} keeps its dates in the order of its numbers, and ${before.number} is of ` +
      `${before.issueDate}; send an issue_date from then on.`,
    { number: before.number, issue_date: before.issueDate },
  );
}
