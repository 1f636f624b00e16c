import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { type By, OPERATOR } from '../../kernel/actor.js';
import { dateIn } from '../../kernel/clock.js';
import { DomainError, isPassing } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { PeriodProblem } from '../domain/schedule.js';
import type { ReviewedPeriod } from '../infrastructure/due-schedules.query.js';
import { PeriodMaking } from './period-making.js';
import { SchedulePeriods } from './schedule-periods.js';
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

  /** @returns whether the next period of the schedule had its day now */
  async next(accountId: Uuid, id: Uuid): Promise<boolean> {
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
  private async orFailed(
    work: (tx: Tx) => Promise<boolean>,
    fail: (tx: Tx, problem: PeriodProblem) => Promise<boolean>,
  ): Promise<boolean> {
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
  ): Promise<boolean> {
    const schedule = await this.periods.takeFree(tx, accountId, id);
    // Of another version, somebody may just have mended it.
    if (!schedule || (problem && schedule.version !== seen.version)) return false;
    seen.version = schedule.version;
    const account = await this.accounts.find(accountId);
    const due = this.periods.dueOf(schedule, dateIn(account.timeZone, tx.now()));
    if (!due) return false;
    const { period, decision } = due;
    if (decision !== 'make') {
      this.periods.pass(tx, schedule, period, { status: WITHOUT_DOCUMENT[decision] }, OPERATOR);
      return true;
    }
    if (problem) {
      this.periods.pass(tx, schedule, period, { status: 'failed', problem }, OPERATOR);
      return true;
    }
    const by: By = { accountId, actor: OPERATOR, origin: null };
    const made = await this.making.make(tx, by, account, schedule, period, period.runsOn);
    this.periods.pass(tx, schedule, period, made.outcome, OPERATOR);
    this.making.bill(tx, schedule, made, period);
    return true;
  }
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
