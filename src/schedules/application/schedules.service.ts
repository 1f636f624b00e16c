import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts, type AuditedTx, AuditedWork } from '../../auth/index.js';
import { EventLog } from '../../events/index.js';
import type { By } from '../../kernel/actor.js';
import { addDays, dateIn, type IsoDate } from '../../kernel/clock.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { endsBy, type Schedule } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { ScheduleRepository } from '../infrastructure/schedule.repository.js';
import type { NewSchedule, ScheduleChange } from '../wire/parse-schedule.js';
import { fieldsOfSchedule, type ScheduleView } from '../wire/schedule.js';
import { scheduleStep, scheduleUpdate } from '../wire/schedule-events.js';
import { SchedulePlans } from './schedule-plans.js';

type Guard = CommitGuard<ScheduleView>;
type Step = 'paused' | 'resumed' | 'ended' | 'period_moved' | 'period_skipped';

const MOST_DAYS_AHEAD = 366;

/** Makes and changes schedules. None is deleted: it ends, and its documents stay. */
@Injectable()
export class Schedules {
  constructor(
    private readonly audited: AuditedWork,
    private readonly accounts: Accounts,
    private readonly repository: ScheduleRepository,
    private readonly plans: SchedulePlans,
    private readonly events: EventLog,
  ) {}

  /** @throws DomainError as `SchedulePlans.begin`, `external_id_taken` */
  async create(by: By, wish: NewSchedule, guard?: Guard): Promise<ScheduleView> {
    const account = await this.accounts.find(by.accountId);
    return this.audited.run(by, guard, async (audited) => {
      const { tx, record } = audited;
      const schedule = await this.plans.begin(tx, account, wish);
      this.repository.insert(tx, schedule);
      const subject = publicId('sch', schedule.id);
      const after = fieldsOfSchedule(schedule);
      record({ action: 'schedule.created', subject, before: null, after });
      this.events.tell(tx, by, 'schedule.created', scheduleStep(schedule));
      return this.plans.view(schedule);
    });
  }

  /** Of periods that are behind it, nothing changes. @throws DomainError as `create`, `schedule_ended` */
  async change(
    by: By,
    id: Uuid,
    change: ScheduleChange,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ScheduleView> {
    const account = await this.accounts.find(by.accountId);
    return this.audited.run(by, guard, async (audited) => {
      const before = await this.going(audited, id, expected);
      const changed = await this.plans.changed(audited.tx, account, before, change);
      const next = this.save(audited, 'updated', before, changed);
      this.events.tell(audited.tx, by, 'schedule.updated', scheduleUpdate(before, next));
      if (next.status === 'ended') {
        this.events.tell(audited.tx, by, 'schedule.ended', scheduleStep(next));
      }
      return this.plans.view(next);
    });
  }

  /** The same call may be sent again. @throws DomainError `schedule_ended` */
  async pause(by: By, id: Uuid, expected: ExpectedVersions, guard?: Guard): Promise<ScheduleView> {
    return this.step(by, id, expected, guard, 'paused', (schedule) =>
      schedule.status === 'paused' ? schedule : { ...schedule, status: 'paused' },
    );
  }

  /**
   * @param makeMissed what its pause has left out is made, instead of skipped
   * @throws DomainError `schedule_not_paused`, `schedule_ended`
   */
  async resume(
    by: By,
    id: Uuid,
    makeMissed: boolean,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ScheduleView> {
    return this.step(by, id, expected, guard, 'resumed', (schedule, { tx }, today) => {
      if (schedule.status !== 'paused') throw ScheduleRefusal.schedule_not_paused.of();
      const resumed: Schedule = { ...schedule, status: 'active' };
      return makeMissed ? resumed : this.plans.skipped(tx, by.actor, resumed, today);
    });
  }

  /** @throws DomainError `schedule_ended`, `schedule_ends_before_start` */
  async end(
    by: By,
    id: Uuid,
    endDate: IsoDate | null,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ScheduleView> {
    return this.step(by, id, expected, guard, 'ended', (schedule, _, today) =>
      this.plans.ending(schedule, endDate ?? today),
    );
  }

  /** @throws DomainError `period_out_of_reach`, `schedule_ended` */
  async skip(
    by: By,
    id: Uuid,
    start: IsoDate | null,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ScheduleView> {
    return this.step(by, id, expected, guard, 'period_skipped', (schedule) =>
      this.plans.without(schedule, start),
    );
  }

  /** @throws DomainError `runs_on_out_of_reach`, `schedule_ended` */
  async move(
    by: By,
    id: Uuid,
    runsOn: IsoDate,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<ScheduleView> {
    return this.step(by, id, expected, guard, 'period_moved', (schedule, _, today) => {
      if (runsOn < today || runsOn > addDays(today, MOST_DAYS_AHEAD)) {
        throw ScheduleRefusal.runs_on_out_of_reach.at('/runs_on');
      }
      return { ...schedule, movedTo: runsOn, nextOn: runsOn };
    });
  }

  /**
   * Told once as long as it stays as it is; it goes on all the same.
   * @throws DomainError `schedule_end_not_offered`
   */
  async askToEnd(by: By, id: Uuid): Promise<void> {
    const account = await this.accounts.find(by.accountId);
    await this.audited.run(by, undefined, async (audited) => {
      const { tx, accountId } = audited;
      const schedule = await this.repository.getForUpdate(tx, accountId, id);
      const { version, terms } = schedule;
      if (terms.client_may !== 'ask_to_end') throw ScheduleRefusal.schedule_end_not_offered.of();
      if (schedule.endAskedVersion === version || endsBy(schedule, todayOf(account, audited)))
        return;
      this.repository.save(tx, { ...schedule, endAskedVersion: version });
      this.events.tell(tx, by, 'schedule.end_asked', scheduleStep(schedule));
    });
  }

  /**
   * By its last period begun, for a client; the same call may be sent again.
   * @throws DomainError `schedule_end_not_offered`
   */
  async endForClient(by: By, id: Uuid): Promise<void> {
    const account = await this.accounts.find(by.accountId);
    await this.audited.run(by, undefined, async (audited) => {
      const before = await this.repository.getForUpdate(audited.tx, audited.accountId, id);
      const { client_may: may, start_date: start } = before.terms;
      if (may !== 'end') throw ScheduleRefusal.schedule_end_not_offered.of();
      const today = todayOf(account, audited);
      if (endsBy(before, today)) return;
      // A first document that was moved comes before the period that it is of.
      const next = this.plans.ending(before, start > today ? start : today);
      this.tell(audited, 'ended', before, this.save(audited, 'ended', before, next));
    });
  }

  private async step(
    by: By,
    id: Uuid,
    expected: ExpectedVersions,
    guard: Guard | undefined,
    step: Step,
    decide: (schedule: Schedule, audited: AuditedTx, today: IsoDate) => Schedule,
  ): Promise<ScheduleView> {
    const account = await this.accounts.find(by.accountId);
    return this.audited.run(by, guard, async (audited) => {
      const before = await this.going(audited, id, expected);
      const decided = decide(before, audited, todayOf(account, audited));
      if (decided === before) return this.plans.view(before);
      const next = this.save(audited, step, before, decided);
      this.tell(audited, step, before, next);
      return this.plans.view(next);
    });
  }

  private tell({ tx, accountId, actor }: AuditedTx, step: Step, before: Schedule, next: Schedule) {
    const by = { accountId, actor };
    if (step === 'paused' || step === 'resumed') {
      this.events.tell(tx, by, `schedule.${step}`, scheduleStep(next));
    } else if (next.status !== 'ended') {
      this.events.tell(tx, by, 'schedule.updated', scheduleUpdate(before, next));
    }
    // Periods that a resumed one has skipped have told of the end themselves.
    if (next.status === 'ended' && step !== 'resumed') {
      this.events.tell(tx, by, 'schedule.ended', scheduleStep(next));
    }
  }

  private async going({ tx, accountId }: AuditedTx, id: Uuid, expected: ExpectedVersions) {
    const schedule = await this.repository.getForUpdate(tx, accountId, id);
    assertVersion(expected, schedule.version);
    if (schedule.status === 'ended') throw ScheduleRefusal.schedule_ended.of();
    return schedule;
  }

  private save(
    { tx, record }: AuditedTx,
    step: Step | 'updated',
    before: Schedule,
    decided: Schedule,
  ): Schedule {
    const next = { ...decided, version: decided.version + 1, updatedAt: tx.now() };
    this.repository.save(tx, next);
    record({
      action: `schedule.${step}`,
      subject: publicId('sch', next.id),
      before: auditedOf(before),
      after: auditedOf(next),
    });
    return next;
  }
}

const todayOf = ({ timeZone }: AccountRow, { tx }: AuditedTx) => dateIn(timeZone, tx.now());

const auditedOf = (schedule: Schedule) => ({
  status: schedule.status,
  next_on: schedule.nextOn,
  skips: schedule.skips,
  ...fieldsOfSchedule(schedule),
});
