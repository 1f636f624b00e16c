import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import {
  BUILT_IN_SERIES,
  type Counter,
  type NumberSeries,
  type Period,
} from '../domain/number-series.js';
import {
  periodsOf,
  SERIES_COLUMNS,
  type SeriesColumns,
  toSeries,
} from './number-series.repository.js';

/** One period of a series: what its counter gave, against the documents that are there. */
export interface AuditedPeriod {
  period: Period;
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
  /** Documents that repeat the sequence of another. */
  doubles: bigint;
  /** Documents with a sequence that was never given, or that their number does not show. */
  strays: bigint;
}

/** Number series for reading: one statement each, no locks. */
@Injectable()
export class NumberingQuery {
  constructor(private readonly database: Database) {}

  /** All series of an account, each with its counter for the period of `date`. */
  async list(
    accountId: Uuid,
    date: IsoDate,
  ): Promise<{ series: NumberSeries; counter: Counter | undefined }[]> {
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
    return this.database.query<AuditedPeriod>(AUDIT, [accountId, series]);
  }
}

const AUDIT = `
  WITH found AS (
    SELECT number_period AS period, number_sequence AS sequence, number, lifecycle
    FROM documents
    WHERE account_id = $1 AND number_series = $2 AND number_sequence IS NOT NULL
  ), given AS (
    SELECT period, first_sequence AS first, last_sequence AS last
    FROM number_counters WHERE account_id = $1 AND series = $2
  ), totals AS (
    SELECT period, count(*) AS count, count(*) FILTER (WHERE lifecycle = 'void') AS voided,
      count(*) - count(DISTINCT sequence) AS doubles,
      count(*) FILTER (WHERE NOT coalesce(
        sequence BETWEEN first AND last AND strpos(number, sequence::text) > 0, false)) AS strays,
      min(sequence) AS lowest, max(sequence) AS highest
    FROM found LEFT JOIN given USING (period) GROUP BY period
  ), marks AS (
    SELECT period, sequence FROM found JOIN given USING (period)
      WHERE sequence BETWEEN first AND last
    UNION ALL SELECT period, first - 1 FROM given
    UNION ALL SELECT period, last + 1 FROM given
  ), steps AS (
    SELECT period, sequence, lead(sequence) OVER (PARTITION BY period ORDER BY sequence) AS next
    FROM marks
  ), ranges AS (
    SELECT period, sequence + 1 AS "from", next - 1 AS "to",
      row_number() OVER (PARTITION BY period ORDER BY sequence) AS place
    FROM steps WHERE next - sequence > 1
  ), gaps AS (
    SELECT period, sum("to" - "from" + 1)::bigint AS missing,
      json_agg(json_build_object('from', "from", 'to', "to") ORDER BY place)
        FILTER (WHERE place <= 100) AS gaps
    FROM ranges GROUP BY period
  )
  SELECT period, CASE WHEN last >= first THEN first END AS first,
    CASE WHEN last >= first THEN last END AS last,
    (SELECT min(f.number) FROM found f WHERE (f.period, f.sequence) = (t.period, lowest))
      AS "firstNumber",
    (SELECT max(f.number) FROM found f WHERE (f.period, f.sequence) = (t.period, highest))
      AS "lastNumber",
    coalesce(count, 0) AS count, coalesce(voided, 0) AS voided,
    coalesce(doubles, 0) AS doubles, coalesce(strays, 0) AS strays,
    coalesce(missing, 0) AS "gapCount", coalesce(gaps, '[]') AS gaps
  FROM given FULL JOIN totals t USING (period) LEFT JOIN gaps USING (period)
  ORDER BY period`;
