import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts } from '../../auth/index.js';
import { addDays, Clock, type IsoDate } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { NO_ACCOUNT, type Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import { metersOf, type Schedule } from '../domain/schedule.js';
import type { PlannedPeriod } from '../domain/schedule-calendar.js';
import type { UsageSums } from '../domain/usage.js';
import { ScheduleUsageRepository } from '../infrastructure/schedule-usage.repository.js';
import { SchedulesQuery } from '../infrastructure/schedules.query.js';
import type { NewSchedule, ScheduleChange } from '../wire/parse-schedule.js';
import { type ComingDocument, type ComingDocumentBody, presentComing } from '../wire/period.js';
import { PeriodDrafting } from './period-drafting.js';
import { SchedulePlans } from './schedule-plans.js';

const NO_USAGE: UsageSums = new Map();

/** Documents to come, with dates and totals. Nothing is stored. */
@Injectable()
export class SchedulePreview {
  constructor(
    private readonly accounts: Accounts,
    private readonly query: SchedulesQuery,
    private readonly plans: SchedulePlans,
    private readonly drafting: PeriodDrafting,
    private readonly usage: ScheduleUsageRepository,
    private readonly clock: Clock,
  ) {}

  /** @param change as it would be with that; null: as it is */
  async of(
    accountId: Uuid,
    id: Uuid,
    change: ScheduleChange | null,
    count: number,
  ): Promise<ComingDocumentBody[]> {
    const account = await this.accounts.find(accountId);
    const before = await this.query.get(accountId, id);
    const schedule = change ? this.plans.redrawn(before, change) : before;
    if (change) await this.plans.assertMakeable(null, account, schedule);
    const [first] = this.plans.coming(schedule, 1);
    const used = first ? await this.usage.reported(schedule, first.period.end) : NO_USAGE;
    return this.documents(account, schedule, used, count);
  }

  /** Of one that is not there yet. */
  async ofNew(accountId: Uuid, wish: NewSchedule, count: number): Promise<ComingDocumentBody[]> {
    const account = await this.accounts.find(accountId);
    const schedule = this.plans.drawn(account, wish, NO_ACCOUNT, this.clock.now());
    await this.plans.assertMakeable(null, account, schedule);
    return this.documents(account, schedule, NO_USAGE, count);
  }

  /** The next document: its day, and its sum where that is known already. Null: none is to come. */
  async next(
    account: AccountRow,
    schedule: Schedule,
  ): Promise<{ runsOn: IsoDate; total: Money | null } | null> {
    const next = this.plans.nextWithDocument(schedule);
    if (!next) return null;
    const { runsOn } = next.period;
    return { runsOn, total: await this.totalOf(account, next.schedule, next.period) };
  }

  /** Null where more may be used, or where it cannot be made as things are. */
  private async totalOf(
    account: AccountRow,
    schedule: Schedule,
    period: PlannedPeriod,
  ): Promise<Money | null> {
    if (metersOf(schedule.terms).length > 0) return null;
    try {
      return (await this.coming(account, schedule, period, NO_USAGE))?.view.total ?? null;
    } catch (error) {
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private async documents(
    account: AccountRow,
    schedule: Schedule,
    used: UsageSums,
    count: number,
  ): Promise<ComingDocumentBody[]> {
    const documents: ComingDocumentBody[] = [];
    let usage = used;
    for (const { schedule: of, period } of this.plans.coming(schedule, count)) {
      documents.push(await this.document(account, of, period, usage));
      if (!period.isTrial) usage = NO_USAGE;
    }
    return documents;
  }

  private async document(
    account: AccountRow,
    schedule: Schedule,
    period: PlannedPeriod,
    usage: UsageSums,
  ): Promise<ComingDocumentBody> {
    if (period.isTrial) return presentComing(period, 'trial', null);
    if (schedule.skips.includes(period.start)) return presentComing(period, 'skipped', null);
    const coming = await this.coming(account, schedule, period, usage);
    return presentComing(period, 'document', coming ?? null);
  }

  private async coming(
    account: AccountRow,
    schedule: Schedule,
    period: PlannedPeriod,
    usage: UsageSums,
  ): Promise<ComingDocument | undefined> {
    const first = { issue: false, issueDate: dayOfIssue(schedule, period) };
    const request = await this.drafting.requestOf(null, account, schedule, period, usage, first);
    return request && this.drafting.preview(null, account, request);
  }
}

/** The review counts from the beginning of a day. */
function dayOfIssue({ terms }: Schedule, { runsOn }: PlannedPeriod): IsoDate {
  return addDays(runsOn, Math.floor(terms.review_hours / 24));
}
