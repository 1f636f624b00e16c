import { Injectable } from '@nestjs/common';
import { EventLog } from '../../events/index.js';
import type { Actor } from '../../kernel/actor.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { type Schedule, type SchedulePeriod, withoutOneOffs } from '../domain/schedule.js';
import {
  behind,
  decisionOn,
  nextPeriodOf,
  type PlannedPeriod,
  type PeriodDecision,
  periodAgain,
  ScheduleCalendar,
} from '../domain/schedule-calendar.js';
import { ScheduleRepository } from '../infrastructure/schedule.repository.js';
import { periodEvent, periodStepOf, scheduleStep } from '../wire/schedule-events.js';

/** The end of a period, or its present state. */
export type PeriodOutcome = Pick<SchedulePeriod, 'status'> &
  Partial<Pick<SchedulePeriod, 'documentId' | 'issueAt' | 'problem'>>;

const NOTHING = { documentId: null, issueAt: null, problem: null };

/** Periods of a schedule, and what became of them, under the lock of the schedule. */
@Injectable()
export class SchedulePeriods {
  constructor(
    private readonly repository: ScheduleRepository,
    private readonly calendar: ScheduleCalendar,
    private readonly events: EventLog,
  ) {}

  /** @throws DomainError `schedule_not_found` */
  async lock(tx: Tx, accountId: Uuid, id: Uuid): Promise<Schedule> {
    return this.repository.getForUpdate(tx, accountId, id);
  }

  /** Undefined: another process is at it. */
  async takeFree(tx: Tx, accountId: Uuid, id: Uuid): Promise<Schedule | undefined> {
    return this.repository.takeFree(tx, accountId, id);
  }

  /** The next period, if its day has come. @param today in the zone of the account */
  dueOf(
    schedule: Schedule,
    today: IsoDate,
  ): { period: PlannedPeriod; decision: PeriodDecision } | null {
    const period = schedule.status === 'active' ? nextPeriodOf(schedule, this.calendar) : null;
    if (!period || period.runsOn > today) return null;
    return { period, decision: decisionOn(schedule, period, this.calendar, today) };
  }

  /** The next period has had its day; the schedule is behind it now. */
  pass(
    tx: Tx,
    schedule: Schedule,
    period: PlannedPeriod,
    outcome: PeriodOutcome,
    actor: Actor,
  ): Schedule {
    const now = tx.now();
    const { accountId, id: scheduleId, version } = schedule;
    const billed = outcome.documentId ? withoutOneOffs(schedule) : schedule;
    const passed = behind(billed, period, this.calendar);
    const next = { ...passed, version: version + 1, updatedAt: now };
    const { start, end, runsOn } = period;
    const dates = { start, end, runsOn, createdAt: now, updatedAt: now };
    const had = { accountId, scheduleId, ...NOTHING, ...outcome, ...dates };
    this.repository.save(tx, next);
    this.repository.addPeriod(tx, had);
    this.tell(tx, next, had, actor);
    if (next.status === 'ended') {
      this.events.tell(tx, { accountId, actor }, 'schedule.ended', scheduleStep(next));
    }
    return next;
  }

  /** One that had its day. @throws DomainError `schedule_period_not_found` */
  async find(tx: Tx, schedule: Schedule, start: IsoDate): Promise<SchedulePeriod> {
    return this.repository.period(tx, schedule, start);
  }

  /** The same as it was planned, for another try. */
  again(schedule: Schedule, period: SchedulePeriod): PlannedPeriod {
    return periodAgain(schedule, period, this.calendar);
  }

  /** It is something else now. Lines of one time are on the document that it may have got. */
  change(
    tx: Tx,
    schedule: Schedule,
    period: SchedulePeriod,
    outcome: PeriodOutcome,
    actor: Actor,
  ): SchedulePeriod {
    const updatedAt = tx.now();
    const next = { ...period, ...NOTHING, ...outcome, updatedAt };
    const isFirstDocument = period.documentId === null && next.documentId !== null;
    const billed = isFirstDocument ? withoutOneOffs(schedule) : schedule;
    const after =
      billed === schedule ? schedule : { ...billed, version: billed.version + 1, updatedAt };
    if (after !== schedule) this.repository.save(tx, after);
    this.repository.savePeriod(tx, next);
    this.tell(tx, after, next, actor);
    return next;
  }

  private tell(tx: Tx, schedule: Schedule, period: SchedulePeriod, actor: Actor): void {
    const { accountId } = schedule;
    this.events.tell(tx, { accountId, actor }, periodEvent(period), periodStepOf(schedule, period));
  }
}
