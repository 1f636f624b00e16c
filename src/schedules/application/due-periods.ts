import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { byTime, OPERATOR } from '../../kernel/actor.js';
import { dateIn } from '../../kernel/clock.js';
import { DomainError, isPassing } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { PeriodProblem } from '../domain/schedule.js';
import type { ReviewedPeriod } from '../infrastructure/due-schedules.query.js';
import { PeriodMaking } from './period-making.js';
import { type PeriodOutcome, SchedulePeriods } from './schedule-periods.js';
import { ReviewedDrafts } from './reviewed-drafts.js';

const WITHOUT_DOCUMENT = {
  trial: 'trial',
  skip: 'skipped',
  pass: 'skipped',
  wait: 'waiting',
} as const;

/**
 * Makes the documents of periods whose day has come. That a period had its day is written with its
 * document, under the lock of the schedule: it has one, whoever does it, and how often (decision 272).
 */
@Injectable()
export class DuePeriods {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly accounts: Accounts,
    private readonly periods: SchedulePeriods,
    private readonly making: PeriodMaking,
    private readonly reviewed: ReviewedDrafts,
  ) {}

  /** The next period of the schedule has its day; null: that is not now. */
  async next(accountId: Uuid, id: Uuid): Promise<HadItsDay | null> {
    const seen: Seen = { version: null };
    return this.orFailed(
      (tx) => this.begin(tx, accountId, id, seen, undefined),
      (tx, problem) => this.begin(tx, accountId, id, seen, problem),
    );
  }

  /** Issues the draft of a period whose review is over. */
  async issue(of: ReviewedPeriod): Promise<boolean> {
    return this.orFailed(
      (tx) => this.reviewed.issue(tx, of, undefined),
      (tx, problem) => this.reviewed.issue(tx, of, problem),
    );
  }

  /** A refusal waits for a person, and the others go on; whatever passes by itself is tried again. */
  private async orFailed<Result>(
    work: (tx: Tx) => Promise<Result>,
    fail: (tx: Tx, problem: PeriodProblem) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.uow.run(work);
    } catch (error) {
      const problem = problemOf(error);
      if (!problem) throw error;
      return this.uow.run((tx) => fail(tx, problem));
    }
  }

  private async begin(
    tx: Tx,
    accountId: Uuid,
    id: Uuid,
    seen: Seen,
    problem: PeriodProblem | undefined,
  ): Promise<HadItsDay | null> {
    const schedule = await this.periods.takeFree(tx, accountId, id);
    // Of another version, somebody may just have mended it.
    if (!schedule || (problem && schedule.version !== seen.version)) return null;
    seen.version = schedule.version;
    const account = await this.accounts.findWithin(tx, accountId);
    const today = dateIn(account.timeZone, tx.now());
    const due = this.periods.dueOf(schedule, today);
    if (!due) return null;
    const { period, decision } = due;
    const passed = (outcome: PeriodOutcome): HadItsDay => {
      const behind = this.periods.pass(tx, schedule, period, outcome, OPERATOR);
      return { isMore: this.periods.dueOf(behind, today) !== null };
    };
    if (decision !== 'make') return passed({ status: WITHOUT_DOCUMENT[decision] });
    if (problem) return passed({ status: 'failed', problem });
    const by = byTime(accountId);
    const made = await this.making.make(tx, by, account, schedule, period, period.runsOn);
    const done = passed(made.outcome);
    this.making.bill(tx, schedule, made, period);
    return done;
  }
}

/** Whether the period behind has its day, too. */
interface HadItsDay {
  isMore: boolean;
}

/** The version of the schedule with which it was tried. */
interface Seen {
  version: number | null;
}

/** Undefined: nobody has to mend anything. */
function problemOf(error: unknown): PeriodProblem | undefined {
  if (!(error instanceof DomainError) || isPassing(error)) return undefined;
  const { code, detail, errors } = error;
  return { code, detail, errors };
}
