import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { DocumentRefusal } from '../../documents/index.js';
import type { Actor } from '../../kernel/actor.js';
import { addDays, dateIn, type IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { invalidFields } from '../../kernel/field-refusals.js';
import { publicId } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { anchored, type Recurrence } from '../domain/recurrence.js';
import { metersOf, type Schedule, type ScheduleTerms, withoutOneOffs } from '../domain/schedule.js';
import {
  behind,
  hasDocument,
  nextPeriodOf,
  type PlannedPeriod,
  planned,
  ScheduleCalendar,
} from '../domain/schedule-calendar.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { ScheduleRepository } from '../infrastructure/schedule.repository.js';
import type { NewSchedule, ScheduleChange } from '../wire/parse-schedule.js';
import { customerOf, type ScheduleView } from '../wire/schedule.js';
import { PeriodDrafting } from './period-drafting.js';
import { SchedulePeriods } from './schedule-periods.js';

const NOBODY = '00000000-0000-0000-0000-000000000000';
const MOST_DAYS_BACK = 366;
const MOST_PERIODS_AHEAD = 24;
/** Ten years: a rule that has no day in them never comes. */
const LONGEST_WAIT_DAYS = 3653;

/** Periods to come, and whether they can come so. */
@Injectable()
export class SchedulePlans {
  constructor(
    private readonly repository: ScheduleRepository,
    private readonly calendar: ScheduleCalendar,
    private readonly drafting: PeriodDrafting,
    private readonly periods: SchedulePeriods,
  ) {}

  view(schedule: Schedule): ScheduleView {
    return { schedule, next: nextPeriodOf(schedule, this.calendar) };
  }

  /**
   * A schedule that is not stored yet.
   * @throws DomainError `external_id_taken`, `start_date_over`, `start_date_too_early`,
   *   `schedule_ends_before_start`, `unknown_calendar`, `recurrence_never_comes`,
   *   `first_part_unmeasured`, and of its document as `Documents.preview`
   */
  async begin(tx: Tx, account: AccountRow, wish: NewSchedule): Promise<Schedule> {
    const now = tx.now();
    await this.assertFree(tx, account, wish.externalId);
    assertBegins(wish, dateIn(account.timeZone, now));
    const schedule = this.drawn(account, wish, tx.newId(), now);
    await this.assertMakeable(tx, account, schedule);
    return schedule;
  }

  /** The same for a preview, which stores nothing. */
  drawn(account: AccountRow, wish: NewSchedule, id: Schedule['id'], now: Date): Schedule {
    const { terms } = wish;
    const start = terms.start_date ?? dateIn(account.timeZone, now);
    const { trial_end: trialEnd } = terms;
    const anchor = trialEnd === null ? start : addDays(trialEnd, 1);
    return planned(
      {
        accountId: account.accountId,
        id,
        customerId: customerOf(terms.document) ?? NOBODY,
        name: wish.name,
        externalId: wish.externalId,
        status: 'active',
        terms: { ...terms, start_date: start, recurrence: fixed(terms.recurrence, anchor) },
        metadata: wish.metadata,
        anchor,
        nextStart: start,
        nextOn: null,
        movedTo: null,
        skips: [],
        count: 0,
        endAskedVersion: null,
        version: 1,
        createdAt: now,
        updatedAt: now,
      },
      this.calendar,
    );
  }

  /** A new rule counts from the next period on. @throws DomainError as `begin` */
  async changed(
    tx: Tx,
    account: AccountRow,
    before: Schedule,
    change: ScheduleChange,
  ): Promise<Schedule> {
    const { externalId } = change;
    if (externalId !== undefined && externalId !== before.externalId) {
      await this.assertFree(tx, account, externalId);
    }
    const next = this.redrawn(before, change);
    await this.assertMakeable(tx, account, next);
    return next;
  }

  redrawn(before: Schedule, change: ScheduleChange): Schedule {
    const { name, externalId, metadata, recurrence, ...terms } = change;
    const isNewRule = recurrence !== undefined;
    const isTrial = before.nextStart !== null && before.nextStart < before.anchor;
    const anchor = isNewRule && !isTrial ? (before.nextStart ?? before.anchor) : before.anchor;
    const rule = isNewRule ? fixed(withDaysOf(before.terms.recurrence, recurrence), anchor) : {};
    const changed = {
      ...before.terms,
      ...terms,
      ...(isNewRule && { recurrence: rule }),
    } as ScheduleTerms;
    const isMoved = isNewRule || 'end_date' in change || 'business_days' in change;
    return planned(
      {
        ...before,
        customerId: customerOf(changed.document) ?? NOBODY,
        name: name ?? before.name,
        externalId: externalId === undefined ? before.externalId : externalId,
        metadata: metadata ?? before.metadata,
        terms: changed,
        anchor,
        movedTo: isMoved ? null : before.movedTo,
      },
      this.calendar,
    );
  }

  /** The next periods, each with the schedule as it is then. */
  coming(schedule: Schedule, most: number): { schedule: Schedule; period: PlannedPeriod }[] {
    const coming = [];
    let then = schedule;
    while (coming.length < most) {
      const period = nextPeriodOf(then, this.calendar);
      if (!period) break;
      coming.push({ schedule: then, period });
      const made = hasDocument(then, period) ? withoutOneOffs(then) : then;
      then = behind(made, period, this.calendar);
    }
    return coming;
  }

  /** The next period that has a document, with the schedule as it is then; undefined: there is none. */
  nextWithDocument(schedule: Schedule): { schedule: Schedule; period: PlannedPeriod } | undefined {
    const coming = this.coming(schedule, schedule.skips.length + 2);
    return coming.find(({ period }) => hasDocument(schedule, period));
  }

  /** The last period ends there; in arrears, what is not billed yet still is. */
  ending(schedule: Schedule, endDate: IsoDate): Schedule {
    if (endDate < schedule.terms.start_date) {
      throw ScheduleRefusal.schedule_ends_before_start.at('/end_date');
    }
    const terms = { ...schedule.terms, end_date: endDate };
    return planned({ ...schedule, terms, movedTo: null }, this.calendar);
  }

  /** Left out when its day comes, and told then. @param start null: the next */
  without(schedule: Schedule, start: IsoDate | null): Schedule {
    const { skips } = schedule;
    const asked = this.coming(schedule, MOST_PERIODS_AHEAD).find(({ period }) =>
      start === null ? hasDocument(schedule, period) : period.start === start,
    );
    if (!asked || asked.period.isTrial) {
      throw ScheduleRefusal.period_out_of_reach.at('/period_start');
    }
    if (start !== null && skips.includes(start)) return schedule;
    return { ...schedule, skips: [...skips, asked.period.start].toSorted() };
  }

  /** The periods whose day is over are written as skipped. */
  skipped(tx: Tx, actor: Actor, schedule: Schedule, today: IsoDate): Schedule {
    let next = schedule;
    for (;;) {
      const period = nextPeriodOf(next, this.calendar);
      if (!period || period.runsOn >= today) return next;
      next = this.periods.pass(tx, next, period, { status: 'skipped' }, actor);
    }
  }

  private async assertFree(tx: Tx, { accountId }: AccountRow, externalId: string | null) {
    if (externalId === null) return;
    const other = await this.repository.findByExternalId(tx, accountId, externalId);
    if (other === undefined) return;
    throw DocumentRefusal.external_id_taken.of(
      `Another schedule has the external_id ${externalId}; change that one, or send another id.`,
      { schedule_id: publicId('sch', other) },
    );
  }

  /** @throws DomainError as `begin`, but for its external id and its first day */
  async assertMakeable(tx: Tx | null, account: AccountRow, schedule: Schedule): Promise<void> {
    const { terms, anchor } = schedule;
    const { end_date: end, business_days: business, recurrence } = terms;
    if (terms.trial_end !== null && terms.trial_end < terms.start_date) {
      throw ScheduleRefusal.schedule_ends_before_start.at('/trial_end');
    }
    if (end !== null && end < anchor) {
      throw ScheduleRefusal.schedule_ends_before_start.at('/end_date');
    }
    if (business && !this.calendar.knows(business)) {
      throw ScheduleRefusal.unknown_calendar.at('/business_days');
    }
    const boundaries = this.calendar.boundaries(recurrence, anchor);
    const first = boundaries.after(anchor);
    if (first === null || first > addDays(anchor, LONGEST_WAIT_DAYS)) {
      throw ScheduleRefusal.recurrence_never_comes.at('/recurrence/rrule');
    }
    if (terms.proration === 'by_day' && boundaries.atOrBefore(anchor) === null) {
      throw ScheduleRefusal.first_part_unmeasured.at('/start_date');
    }
    await this.assertDocument(tx, account, schedule);
  }

  /** The first document as it would be, with one of each metered line. */
  private async assertDocument(
    tx: Tx | null,
    account: AccountRow,
    schedule: Schedule,
  ): Promise<void> {
    const usage = new Map(metersOf(schedule.terms).map((meter) => [meter, '1']));
    const period = nextPeriodOf({ ...schedule, nextStart: schedule.anchor }, this.calendar);
    if (!period) return;
    try {
      await this.drafting.assertBillable(tx, account, schedule);
      const first = { issue: false, issueDate: null };
      const request = await this.drafting.requestOf(tx, account, schedule, period, usage, first);
      if (request) await this.drafting.preview(tx, account, request);
    } catch (error) {
      throw error instanceof DomainError && error.errors.length > 0 ? ofDocument(error) : error;
    }
  }
}

/** With the days that a rule takes from its first one. */
const fixed = (recurrence: Recurrence, anchor: IsoDate): Recurrence =>
  'rrule' in recurrence ? recurrence : anchored(recurrence, anchor);

/** The day of a month stays where a rule is changed without saying one. */
function withDaysOf(before: Recurrence, next: Recurrence): Recurrence {
  if ('rrule' in before || 'rrule' in next || before.every !== next.every) return next;
  return { ...before, ...next };
}

function assertBegins({ terms, isBackdated }: NewSchedule, today: IsoDate): void {
  const { start_date: start } = terms;
  if (start === null) return;
  if (start < addDays(today, -MOST_DAYS_BACK))
    throw ScheduleRefusal.start_date_too_early.at('/start_date');
  if (start < today && !isBackdated) throw ScheduleRefusal.start_date_over.at('/start_date');
}

function ofDocument({ errors }: DomainError): DomainError {
  return invalidFields(errors.map((error) => ({ ...error, pointer: `/document${error.pointer}` })));
}
