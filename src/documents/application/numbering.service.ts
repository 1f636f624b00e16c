import { Injectable } from '@nestjs/common';
import { Accounts, AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { type IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { NumberPattern } from '../domain/numbering/number-pattern.js';
import {
  assertPattern,
  type SeriesCounter,
  LARGEST_SERIES_COUNT,
  nextOf,
  type NumberSeries,
  type NumberingPeriod,
  periodOf,
  raised,
  type Reset,
} from '../domain/numbering/number-series.js';
import { type AuditedPeriod, NumberingQuery } from '../infrastructure/numbering.query.js';
import { NumberSeriesRepository } from '../infrastructure/number-series.repository.js';
import {
  type NumberedAccount,
  WrittenNumbersRepository,
} from '../infrastructure/written-numbers.repository.js';
import { DocumentRefusal } from '../domain/refusals.js';

export type NewSeries = Omit<NumberSeries, 'createdAt'>;

export interface SeriesChange {
  pattern?: string;
  reset?: Reset;
  isDefault?: boolean;
  datesInOrder?: boolean;
  /** The next sequence of the present period. */
  next?: bigint;
}

/** A series, and what it would give to a document of today. */
export interface SeriesView extends NumberSeries {
  period: NumberingPeriod;
  next: bigint;
  nextNumber: string;
}

export interface SeriesAudit extends NumberSeries {
  periods: AuditedPeriod[];
  /** Every sequence that was given is on exactly one document or skipped, and there is no other. */
  complete: boolean;
}

type Guard = CommitGuard<SeriesView>;

/** An account's number series: what they look like and how far they are. */
@Injectable()
export class Numbering {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: NumberSeriesRepository,
    private readonly written: WrittenNumbersRepository,
    private readonly query: NumberingQuery,
    private readonly accounts: Accounts,
  ) {}

  async list(accountId: Uuid): Promise<SeriesView[]> {
    const { account, today } = await this.accountOf(accountId);
    const found = await this.query.list(accountId, today);
    return found.map(({ series, counter }) => this.viewOf(account, series, counter, today));
  }

  async find(accountId: Uuid, name: string): Promise<SeriesView> {
    const found = (await this.list(accountId)).find(({ series }) => series === name);
    if (!found) throw DocumentRefusal.series_not_found.of();
    return found;
  }

  async audit(accountId: Uuid, name: string): Promise<SeriesAudit> {
    const series = await this.find(accountId, name);
    const periods = await this.query.audit(accountId, name);
    const complete = periods.every(
      ({ gapCount, doubles, strays }) => gapCount + doubles + strays === 0n,
    );
    return { ...series, periods, complete };
  }

  async create(by: By, request: NewSeries, guard?: Guard): Promise<SeriesView> {
    assertPattern(request.pattern, request.reset);
    const { accountId } = by;
    const { account, today } = await this.accountOf(accountId);
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const createdAt = tx.now();
      const series: NumberSeries = { ...request, createdAt };
      const all = await this.repository.getAllForUpdate(tx, accountId);
      if (all.some((one) => one.series === series.series)) throw seriesExists(series.series);
      if (all.length >= LARGEST_SERIES_COUNT) throw tooManySeries();
      await this.assertFree(tx, accountId, series, all, new Map());
      if (series.isDefault) await this.repository.clearDefault(tx, accountId, series.kind);
      this.repository.insert(tx, accountId, series, createdAt);
      const after = fieldsOf(series, undefined);
      const subject = series.series;
      record({ action: 'numbering.created', subject, before: null, after });
      return this.viewOf(account, series, undefined, today);
    });
  }

  async change(
    by: By,
    name: string,
    { next, ...changes }: SeriesChange,
    guard?: Guard,
  ): Promise<SeriesView> {
    const { accountId } = by;
    const { account, today } = await this.accountOf(accountId);
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const all = await this.repository.getAllForUpdate(tx, accountId);
      const stored = all.find(({ series }) => series === name);
      if (!stored) throw DocumentRefusal.series_not_found.of();
      const series = { ...stored, ...changes };
      assertPattern(series.pattern, series.reset);
      if (stored.isDefault && !series.isDefault) throw defaultRequired(series);
      const counters = await this.repository.counters(tx, accountId, name);
      const period = periodOf(series.reset, today);
      const before = fieldsOf(stored, counters.get(period));
      if (next !== undefined) {
        const counter = raised(series, period, counters.get(period), next);
        counters.set(period, counter);
        this.repository.setCounter(tx, accountId, name, period, counter);
      }
      const isNew = series.pattern !== stored.pattern || series.reset !== stored.reset;
      if (isNew || next !== undefined) {
        await this.assertFree(tx, accountId, series, all, counters);
      }
      if (series.isDefault && !stored.isDefault) {
        await this.repository.clearDefault(tx, accountId, series.kind);
      }
      this.repository.update(tx, accountId, series);
      const after = fieldsOf(series, counters.get(period));
      record({ action: 'numbering.updated', subject: name, before, after });
      return this.viewOf(account, series, counters.get(period), today);
    });
  }

  private async accountOf(accountId: Uuid) {
    const account = await this.accounts.find(accountId);
    return { account, today: this.accounts.todayOf(account) };
  }

  private viewOf(
    account: NumberedAccount,
    series: NumberSeries,
    counter: SeriesCounter | undefined,
    today: IsoDate,
  ): SeriesView {
    const next = nextOf(series, counter);
    const { series: name, kind, pattern, reset } = series;
    const period = periodOf(reset, today);
    const number = NumberPattern.parse(pattern).format(today, next);
    const counted = { number, series: name, kind, period, sequence: next, issueDate: today };
    return { ...series, period, next, nextNumber: this.written.textOf(account, counted) };
  }

  /** Two series must not give the same number, nor one a number that a document has already. */
  private async assertFree(
    tx: Tx,
    accountId: Uuid,
    series: NumberSeries,
    all: NumberSeries[],
    counters: Map<NumberingPeriod, SeriesCounter>,
  ): Promise<void> {
    const pattern = NumberPattern.parse(series.pattern);
    const others = all.filter(
      (other) => other.kind === series.kind && other.series !== series.series,
    );
    for (const other of others) {
      if (pattern.canCollideWith(NumberPattern.parse(other.pattern))) {
        throw DocumentRefusal.pattern_taken.of(
          `The series ${other.series} can give the same numbers; choose another pattern.`,
          { series_id: other.series },
        );
      }
    }
    const numbers = await this.repository.highestLike(tx, accountId, series.kind, pattern);
    for (const number of numbers) {
      const read = pattern.read(number);
      if (!read) continue;
      const counter = counters.get(periodOf(series.reset, read.month));
      if (read.sequence < nextOf(series, counter)) continue;
      throw DocumentRefusal.pattern_taken.of(
        `A document has the number ${number}; choose another pattern, or next above its sequence.`,
        { number },
      );
    }
  }
}

/** The settings that decide on the numbers to come, as the API names them. */
function fieldsOf(series: NumberSeries, counter: SeriesCounter | undefined) {
  return {
    kind: series.kind,
    pattern: series.pattern,
    reset: series.reset,
    default: series.isDefault,
    dates_in_order: series.datesInOrder,
    start_at: String(series.startAt),
    next: String(nextOf(series, counter)),
  };
}

function seriesExists(series: string): DomainError {
  return DocumentRefusal.series_exists.of(
    `There is a series ${series} already; PATCH /v1/finance/numbering/${series} changes it.`,
  );
}

function tooManySeries(): DomainError {
  return DocumentRefusal.too_many_series.of(
    `An account has at most ${LARGEST_SERIES_COUNT} number series; change one of them.`,
  );
}

function defaultRequired({ kind, series }: NumberSeries): DomainError {
  return DocumentRefusal.default_required.of(
    `${series} is the default of the kind ${kind}; make another series the default instead.`,
  );
}
