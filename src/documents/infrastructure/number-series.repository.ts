import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Succession, TIMELINE } from '../../platform/database/servers/succession.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Row } from '../../platform/database/row.js';
import type { NumberBefore } from '../domain/document-state.js';
import type { DocumentKind } from '../domain/lifecycle.js';
import { NumberPattern } from '../domain/numbering/number-pattern.js';
import { type NumberedAccount, WrittenNumbersRepository } from './written-numbers.repository.js';
import {
  assertDatesInOrder,
  assertYear,
  BUILT_IN_SERIES,
  type SeriesCounter,
  nextOf,
  type NumberSeries,
  type NumberingPeriod,
  periodOf,
  type Reset,
  RESETS,
} from '../domain/numbering/number-series.js';
import { DocumentRefusal } from '../domain/refusals.js';
import { CommonRefusal } from '../../kernel/common-refusals.js';

export type SeriesColumns = Omit<
  Row<'number_series', { kind: DocumentKind; reset: Reset }>,
  'account_id'
>;

export const SERIES_COLUMNS = `s.series, s.kind, s.pattern, s.reset, s.is_default, s.start_at,
  s.created_at, s.dates_in_order`;

export function toSeries(row: SeriesColumns): NumberSeries {
  return {
    series: row.series,
    kind: row.kind,
    pattern: row.pattern,
    reset: row.reset,
    isDefault: row.is_default,
    datesInOrder: row.dates_in_order,
    startAt: row.start_at,
    createdAt: row.created_at,
  };
}

/** The period of a date under each reset; SQL picks the one that the series has. */
export function periodsOf(date: IsoDate): Record<string, NumberingPeriod> {
  return Object.fromEntries(RESETS.map((reset) => [reset, periodOf(reset, date)]));
}

/** A number and its place, as a document keeps them. */
export interface TakenNumber {
  number: string;
  series: string;
  period: NumberingPeriod;
  sequence: bigint;
  before: NumberBefore | null;
}

/**
 * Number series for writing. Three locks of a series' row keep each other out. To take a number (NO
 * KEY UPDATE) waits for others that do. A change (UPDATE) waits for all. A check of a foreign
 * number (KEY SHARE) waits for changes only.
 */
@Injectable()
export class NumberSeriesRepository {
  constructor(
    private readonly written: WrittenNumbersRepository,
    private readonly succession: Succession,
  ) {}

  /**
   * Takes the next number of a series, or of the kind's default. Locks the series until the
   * transaction ends. A rollback gives the number back, so that there are no gaps. Call it last:
   * the lock is hot. One round trip, but for an account's first number.
   */
  async take(
    tx: Tx,
    account: NumberedAccount,
    wish: { kind: DocumentKind; series: string | null; issueDate: IsoDate },
  ): Promise<TakenNumber> {
    const { kind, series, issueDate } = wish;
    const { accountId } = account;
    const values = [accountId, kind, series, periodsOf(issueDate)];
    let [row, before] = await this.count(tx, values);
    if (!row) {
      // Built in and never used; or another series became the default while we waited.
      await this.insertBuiltIn(tx, accountId);
      [row, before] = await this.count(tx, values);
    }
    if (!row && series !== null) throw unknownSeries(kind, series);
    if (!row) throw busy();
    if (!this.succession.hasSettled(row.timeline)) throw held(this.succession.patience);
    const { sequence, period } = row;
    const pattern = NumberPattern.parse(row.pattern);
    assertYear({ series: row.series, pattern }, period, issueDate);
    if (row.dates_in_order) assertDatesInOrder(row.series, before, issueDate);
    const patterned = pattern.format(issueDate, sequence);
    const counted = { number: patterned, series: row.series, kind, period, sequence, issueDate };
    const number = this.written.textOf(account, counted);
    if (number !== patterned)
      await this.written.assertFree(tx, accountId, { ...counted, number }, () =>
        this.couldProduce(tx, accountId, kind, number),
      );
    return { number, series: row.series, period, sequence, before: before ?? null };
  }

  /** Sent together. The second sees what the first waited for: each statement looks by itself. */
  private async count(tx: Tx, values: unknown[]) {
    const [[row], [before]] = await Promise.all([
      tx.read<TakenColumns>(this.succession.timeline == null ? TAKE : TAKE_HERE, values),
      tx.read<NumberBefore>(BEFORE, values),
    ]);
    return [row, before] as const;
  }

  /** Before a draft names a series that it could never be issued with. @throws `unknown_series` */
  async assertExists(tx: Tx, accountId: Uuid, kind: DocumentKind, series: string): Promise<void> {
    const rows = await tx.read<Pick<SeriesColumns, 'series' | 'kind'>>(
      'SELECT series, kind FROM number_series WHERE account_id = $1',
      [accountId],
    );
    const all = rows.length > 0 ? rows : BUILT_IN_SERIES;
    if (all.some((one) => one.kind === kind && one.series === series)) return;
    throw unknownSeries(kind, series);
  }

  /**
   * Whether a series of this kind may give this number from now on. No series changes so that it
   * would until the transaction ends; taking numbers goes on, which only ever makes fewer of them
   * possible.
   */
  async couldProduce(
    tx: Tx,
    accountId: Uuid,
    kind: DocumentKind,
    number: string,
  ): Promise<boolean> {
    const rows = await tx.read<SeriesColumns>(
      `SELECT ${SERIES_COLUMNS} FROM number_series s WHERE s.account_id = $1 FOR KEY SHARE`,
      [accountId],
    );
    const all = rows.length > 0 ? rows.map(toSeries) : BUILT_IN_SERIES;
    for (const series of all.filter((one) => one.kind === kind)) {
      const read = NumberPattern.parse(series.pattern).read(number);
      if (!read) continue;
      const counters = await this.counters(tx, accountId, series.series);
      const counter = counters.get(periodOf(series.reset, read.month));
      if (read.sequence >= nextOf(series, counter)) return true;
    }
    return false;
  }

  /**
   * All series of an account. Locks them until the transaction ends: nobody takes a number, and
   * nobody else changes a series.
   */
  async getAllForUpdate(tx: Tx, accountId: Uuid): Promise<NumberSeries[]> {
    await this.insertBuiltIn(tx, accountId);
    await tx.read('SELECT FROM number_series WHERE account_id = $1 ORDER BY series FOR UPDATE', [
      accountId,
    ]);
    // A statement of its own: only it sees what another change added while we waited.
    const rows = await tx.read<SeriesColumns>(
      `SELECT ${SERIES_COLUMNS} FROM number_series s WHERE s.account_id = $1 ORDER BY s.series`,
      [accountId],
    );
    return rows.map(toSeries);
  }

  async counters(
    tx: Tx,
    accountId: Uuid,
    series: string,
  ): Promise<Map<NumberingPeriod, SeriesCounter>> {
    const rows = await tx.read<{ period: NumberingPeriod } & SeriesCounter>(
      `SELECT period, first_sequence AS first, last_sequence AS last FROM number_counters
       WHERE account_id = $1 AND series = $2`,
      [accountId, series],
    );
    return new Map(rows.map(({ period, first, last }) => [period, { first, last }]));
  }

  /**
   * Numbers of documents that look as if they came from a pattern: of those that differ in their
   * sequence only, the highest.
   */
  async highestLike(
    tx: Tx,
    accountId: Uuid,
    kind: DocumentKind,
    pattern: NumberPattern,
  ): Promise<string[]> {
    const rows = await tx.read<{
      /** @notNull It is like the pattern. */
      number: string;
    }>(
      `SELECT DISTINCT ON (part[1], part[3]) number
       FROM documents d, regexp_match(d.number, $3) AS part
       WHERE d.account_id = $1 AND d.kind = $2 AND part IS NOT NULL
       ORDER BY part[1], part[3], part[2]::bigint DESC`,
      [accountId, kind, pattern.expression],
    );
    return rows.map(({ number }) => number);
  }

  /** The kind has no default afterwards, in later reads and writes of the transaction. */
  async clearDefault(tx: Tx, accountId: Uuid, kind: DocumentKind): Promise<void> {
    await tx.read(
      `UPDATE number_series SET is_default = false
       WHERE account_id = $1 AND kind = $2 AND is_default`,
      [accountId, kind],
    );
  }

  insert(tx: Tx, accountId: Uuid, series: NumberSeries, now: Date): void {
    tx.insert('number_series', {
      account_id: accountId,
      series: series.series,
      kind: series.kind,
      pattern: series.pattern,
      reset: series.reset,
      is_default: series.isDefault,
      dates_in_order: series.datesInOrder,
      start_at: series.startAt,
      created_at: now,
    });
  }

  /** The series must be locked. */
  update(tx: Tx, accountId: Uuid, { series, pattern, reset, ...is }: NumberSeries): void {
    tx.update(
      'number_series',
      { account_id: accountId, series },
      { pattern, reset, is_default: is.isDefault, dates_in_order: is.datesInOrder },
    );
  }

  /** Before the period's first number, or over those that the audit log tells; the series must be locked. */
  setCounter(
    tx: Tx,
    accountId: Uuid,
    series: string,
    period: NumberingPeriod,
    counter: SeriesCounter,
  ): void {
    tx.write(
      `INSERT INTO number_counters (account_id, series, period, first_sequence, last_sequence)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, series, period)
         DO UPDATE SET first_sequence = $4, last_sequence = $5`,
      [accountId, series, period, counter.first, counter.last],
    );
  }

  /** All of them or none: who finds one series of an account finds all. */
  private async insertBuiltIn(tx: Tx, accountId: Uuid): Promise<void> {
    await tx.read(
      `INSERT INTO number_series
         (account_id, series, kind, pattern, reset, is_default, start_at, created_at)
       SELECT $1, b.series, b.kind, b.pattern, b.reset, b.is_default, b.start_at, now()
       FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::boolean[], $7::bigint[])
         AS b (series, kind, pattern, reset, is_default, start_at)
       ON CONFLICT DO NOTHING`,
      [
        accountId,
        BUILT_IN_SERIES.map(({ series }) => series),
        BUILT_IN_SERIES.map(({ kind }) => kind),
        BUILT_IN_SERIES.map(({ pattern }) => pattern),
        BUILT_IN_SERIES.map(({ reset }) => reset),
        BUILT_IN_SERIES.map(({ isDefault }) => isDefault),
        BUILT_IN_SERIES.map(({ startAt }) => startAt),
      ],
    );
  }
}

interface TakenColumns extends Pick<
  Row<'number_counters', { period: NumberingPeriod }>,
  'series' | 'period'
> {
  /** @derived */
  pattern: string;
  /** @derived */
  dates_in_order: boolean;
  /** @derived */
  sequence: bigint;
  /** @derived Of the server that counted; null where it tells none. */
  timeline: number | null;
}

// The series is locked first: what it says then, a change cannot have altered when we commit.
const takeOf = (timeline: string) => `
  WITH locked AS MATERIALIZED (
    SELECT s.series, s.pattern, s.dates_in_order, s.start_at, $4::jsonb ->> s.reset AS period FROM number_series s
    WHERE s.account_id = $1 AND s.kind = $2
      AND (s.series = $3 OR $3::text IS NULL AND s.is_default)
    FOR NO KEY UPDATE
  ), counted AS (
    INSERT INTO number_counters AS c (account_id, series, period, first_sequence, last_sequence)
    SELECT $1, series, period, start_at, start_at FROM locked
    ON CONFLICT (account_id, series, period) DO UPDATE SET last_sequence = c.last_sequence + 1
    RETURNING series, last_sequence AS sequence
  )
  SELECT series, pattern, dates_in_order, period, sequence, ${timeline} AS timeline
  FROM locked JOIN counted USING (series)`;

const TAKE = takeOf('NULL::int');
const TAKE_HERE = takeOf(TIMELINE);

const BEFORE = `
  SELECT d.document_id AS "documentId", d.number, d.issue_date AS "issueDate"
  FROM number_series s
  JOIN number_counters c ON c.account_id = s.account_id AND c.series = s.series
    AND c.period = $4::jsonb ->> s.reset
  JOIN documents d ON d.account_id = c.account_id AND d.number_series = c.series
    AND d.number_period = c.period AND d.number_sequence = c.last_sequence - 1
  WHERE s.account_id = $1 AND s.kind = $2 AND (s.series = $3 OR $3::text IS NULL AND s.is_default)`;

function unknownSeries(kind: DocumentKind, series: string): DomainError {
  return DocumentRefusal.unknown_series.at(
    '/series_id',
    `There is no series ${series} of the kind ${kind}; GET /v1/finance/numbering lists them.`,
  );
}

function held(seconds: number): DomainError {
  return DocumentRefusal.numbers_held.later(
    seconds,
    `Another database server took over, and no number is given until all that it lacks is known; send it again in ${seconds} seconds.`,
  );
}

function busy(): DomainError {
  return CommonRefusal.document_busy.of(
    'The number series is being changed; send the same request again in a second.',
    { retry_after: 1 },
  );
}
