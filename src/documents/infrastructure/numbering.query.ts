import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import {
  BUILT_IN_SERIES,
  type SeriesCounter,
  type NumberSeries,
  type NumberingPeriod,
} from '../domain/numbering/number-series.js';
import {
  periodsOf,
  SERIES_COLUMNS,
  type SeriesColumns,
  toSeries,
} from './number-series.repository.js';
import { skippedNumbers } from './skipped-numbers-sql.js';

/** One period of a series: what its counter gave, against the documents that are there. */
export interface AuditedPeriod {
  period: NumberingPeriod;
  /** The sequences given; null where none was. */
  first: bigint | null;
  last: bigint | null;
  /** Of the documents found with the lowest and the highest sequence. */
  firstNumber: string | null;
  lastNumber: string | null;
  /** Documents found, and those of them that are void. */
  count: bigint;
  voided: bigint;
  /** Sequences given that no document has: how many, and up to 100 ranges of them. */
  gapCount: bigint;
  gaps: { from: number; to: number }[];
  /** Sequences whose documents were lost with a server, and that nobody gets again. */
  skippedCount: bigint;
  skipped: { from: number; to: number }[];
  /** Documents that repeat the sequence of another. */
  doubles: bigint;
  /** Documents with a sequence that was never given, or that their number does not show. */
  strays: bigint;
}

type Ends = [number, number][] | null;

interface AuditedColumns extends Omit<AuditedPeriod, 'gaps' | 'skipped'> {
  gaps: Ends;
  skipped: Ends;
}

/** Number series for reading: one statement each, no locks. */
@Injectable()
export class NumberingQuery {
  constructor(private readonly database: Database) {}

  /** All series of an account, each with its counter for the period of `date`. */
  async list(
    accountId: Uuid,
    date: IsoDate,
  ): Promise<{ series: NumberSeries; counter: SeriesCounter | undefined }[]> {
    const rows = await this.database.query<SeriesColumns & { first: bigint; last: bigint | null }>(
      `SELECT ${SERIES_COLUMNS}, c.first_sequence AS first, c.last_sequence AS last
       FROM number_series s LEFT JOIN number_counters c ON c.account_id = s.account_id
         AND c.series = s.series AND c.period = $2::jsonb ->> s.reset
       WHERE s.account_id = $1 ORDER BY s.series`,
      [accountId, periodsOf(date)],
    );
    if (rows.length === 0) {
      return BUILT_IN_SERIES.map((series) => ({ series, counter: undefined }));
    }
    return rows.map((row) => ({
      series: toSeries(row),
      counter: row.last === null ? undefined : { first: row.first, last: row.last },
    }));
  }

  /** Reads one snapshot, so that numbers taken meanwhile are no gap. */
  async audit(accountId: Uuid, series: string): Promise<AuditedPeriod[]> {
    const rows = await this.database.query<AuditedColumns>(AUDIT, [accountId, series]);
    return rows.map(({ gaps, skipped, ...period }) => ({
      ...period,
      gaps: rangesOf(gaps),
      skipped: rangesOf(skipped),
    }));
  }
}

function rangesOf(ends: Ends): { from: number; to: number }[] {
  return (ends ?? []).map(([from, to]) => ({ from, to }));
}

// One walk through the documents and the skipped ranges in their order. Each leaves a gap before it, from `start` to
// `stop`; the last gap is behind the highest.
const AUDIT = `
  WITH given AS (
    SELECT period, first_sequence AS first, last_sequence AS last
    FROM number_counters WHERE account_id = $1 AND series = $2
  ), skipped AS (
    ${skippedNumbers('s.account_id = $1 AND s.subject = $2')}
  ), walked AS (
    SELECT *, lag(until) OVER (PARTITION BY period ORDER BY sequence) AS before
    FROM (
      SELECT d.number_period AS period, d.number_sequence AS sequence, d.number_sequence AS until,
        d.number, d.lifecycle
      FROM documents d
      WHERE d.account_id = $1 AND d.number_series = $2 AND d.number_sequence IS NOT NULL
      UNION ALL SELECT period, first, last, NULL, NULL FROM skipped
    ) known LEFT JOIN given USING (period)
  ), spaced AS (
    SELECT *, sequence BETWEEN first AND last AS was_given, greatest(before, first - 1) + 1 AS start,
      CASE WHEN last IS NOT NULL THEN least(sequence - 1, last) END AS stop
    FROM walked
  ), found AS (
    SELECT period, min(sequence) FILTER (WHERE number IS NOT NULL) AS lowest,
      max(sequence) FILTER (WHERE number IS NOT NULL) AS highest, max(until) AS reached,
      count(number) AS count,
      coalesce(sum(until - sequence + 1) FILTER (WHERE number IS NULL), 0)::bigint AS skipped,
      array_agg(ARRAY[sequence, until] ORDER BY sequence) FILTER (WHERE number IS NULL) AS ranges,
      count(*) FILTER (WHERE lifecycle = 'void') AS voided,
      count(*) FILTER (WHERE sequence <= before) AS doubles,
      count(*) FILTER (WHERE number IS NOT NULL
        AND (was_given AND strpos(number, sequence::text) > 0) IS NOT TRUE) AS strays,
      coalesce(sum(until - sequence + 1) FILTER (WHERE was_given AND (sequence > before) IS NOT FALSE), 0)
        ::bigint AS kept,
      array_agg(ARRAY[start, stop] ORDER BY sequence) FILTER (WHERE start <= stop) AS gaps
    FROM spaced GROUP BY period
  )
  SELECT period, CASE WHEN last >= first THEN first END AS first,
    CASE WHEN last >= first THEN last END AS last,
    (${numberAt('f.lowest')}) AS "firstNumber", (${numberAt('f.highest')}) AS "lastNumber",
    coalesce(count, 0) AS count, coalesce(voided, 0) AS voided, coalesce(doubles, 0) AS doubles,
    coalesce(strays, 0) AS strays, coalesce(last - first + 1 - coalesce(kept, 0), 0) AS "gapCount",
    to_jsonb((gaps || CASE WHEN last > greatest(reached, first - 1)
      THEN ARRAY[ARRAY[greatest(reached, first - 1) + 1, last]] END)[1:100]) AS gaps,
    coalesce(f.skipped, 0) AS "skippedCount", to_jsonb(ranges[1:100]) AS skipped
  FROM given FULL JOIN found f USING (period)
  ORDER BY period`;

function numberAt(sequence: string): string {
  return `SELECT min(d.number) FROM documents d WHERE d.account_id = $1 AND d.number_series = $2
    AND d.number_period = f.period AND d.number_sequence = ${sequence}`;
}
