import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import { endsBy, type ScheduleStatus, type ScheduleTerms } from '../domain/schedule.js';
import { ScheduleRefusal } from '../domain/schedule-refusals.js';
import { SchedulesQuery } from '../infrastructure/schedules.query.js';
import { SchedulePreview } from './schedule-preview.service.js';
import { Schedules } from './schedules.service.js';

/** The schedule of a document, as its client may know it. */
export interface ClientSchedule {
  name: string;
  status: ScheduleStatus;
  /** The day of the next document; null: none is to come, or it is paused. */
  nextOn: IsoDate | null;
  /** Null where it is not known yet. */
  nextTotal: Money | null;
  /** The last day of its last period; null: it goes on. */
  endDate: IsoDate | null;
  /** The right that is left: none, where it ends anyhow. */
  clientMay: ScheduleTerms['client_may'];
  /** Whether they did, and nothing has changed since. */
  isEndAsked: boolean;
}

/** Schedules as clients see and end them, by a document that they hold. */
@Injectable()
export class ClientSchedules {
  constructor(
    private readonly accounts: Accounts,
    private readonly query: SchedulesQuery,
    private readonly preview: SchedulePreview,
    private readonly schedules: Schedules,
  ) {}

  /** Null: no schedule made the document. */
  async of(accountId: Uuid, documentId: Uuid): Promise<ClientSchedule | null> {
    const schedule = await this.query.ofDocument(accountId, documentId);
    if (!schedule) return null;
    const { name, status, terms, version, endAskedVersion } = schedule;
    const account = await this.accounts.find(accountId);
    const next = status === 'active' ? await this.preview.next(account, schedule) : null;
    const isOver = endsBy(schedule, this.accounts.todayOf(account));
    return {
      name,
      status,
      nextOn: next?.runsOn ?? null,
      nextTotal: next?.total ?? null,
      endDate: terms.end_date,
      clientMay: isOver ? 'nothing' : terms.client_may,
      isEndAsked: endAskedVersion === version,
    };
  }

  /** The same call may be sent again. @throws DomainError `schedule_end_not_offered` */
  async askToEnd(by: By, documentId: Uuid): Promise<void> {
    await this.schedules.askToEnd(by, await this.idOf(by.accountId, documentId));
  }

  /** The same call may be sent again. @throws DomainError `schedule_end_not_offered` */
  async end(by: By, documentId: Uuid): Promise<void> {
    await this.schedules.endForClient(by, await this.idOf(by.accountId, documentId));
  }

  private async idOf(accountId: Uuid, documentId: Uuid): Promise<Uuid> {
    const schedule = await this.query.ofDocument(accountId, documentId);
    if (!schedule) throw ScheduleRefusal.schedule_end_not_offered.of();
    return schedule.id;
  }
}
