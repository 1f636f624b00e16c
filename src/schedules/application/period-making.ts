import { Injectable } from '@nestjs/common';
import type { AccountRow } from '../../auth/index.js';
import { Documents, toNewDocument } from '../../documents/index.js';
import type { By } from '../../kernel/actor.js';
import type { IsoDate } from '../../kernel/clock.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { MandatesQuery, PaymentRefusal } from '../../payments/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { metersOf, type Schedule } from '../domain/schedule.js';
import type { PlannedPeriod } from '../domain/schedule-calendar.js';
import { ScheduleUsageRepository } from '../infrastructure/schedule-usage.repository.js';
import { PeriodDrafting } from './period-drafting.js';
import type { PeriodOutcome } from './schedule-periods.js';

const HOUR_MS = 3_600_000;
const NO_USAGE = { sums: new Map<string, string>(), ids: [] };

/** A period whose document was made, or not, and the reports of use that it bills. */
export interface MadePeriod {
  outcome: PeriodOutcome;
  usageIds: readonly Uuid[];
}

/** Makes the document of a period, as far as its schedule says. */
@Injectable()
export class PeriodMaking {
  constructor(
    private readonly usage: ScheduleUsageRepository,
    private readonly drafting: PeriodDrafting,
    private readonly documents: Documents,
    private readonly mandates: MandatesQuery,
  ) {}

  /**
   * The schedule must be locked, and `bill` called once the period is written.
   * @param issueDate of a document that is issued now
   * @throws DomainError as `Documents.create`, `mandate_not_active`
   */
  async make(
    tx: Tx,
    by: By,
    account: AccountRow,
    schedule: Schedule,
    period: PlannedPeriod,
    issueDate: IsoDate,
  ): Promise<MadePeriod> {
    const { action, review_hours: hours } = schedule.terms;
    const issue = action !== 'draft' && hours === 0;
    const usage = await this.usageFor(tx, schedule, period);
    const first = { issue, issueDate: issue ? issueDate : null };
    const request = await this.drafting.requestOf(tx, account, schedule, period, usage.sums, first);
    if (!request) return { outcome: { status: 'empty' }, usageIds: usage.ids };
    const view = await this.documents.makeNext(tx, by, account, toNewDocument(request));
    if (action === 'collect') await this.assertMandate(tx, schedule, view.currency);
    const documentId = uuidOf('doc', view.id) ?? null;
    const isReviewed = action !== 'draft' && hours > 0;
    const issueAt = isReviewed ? new Date(tx.now().getTime() + hours * HOUR_MS) : null;
    const status = isReviewed ? 'in_review' : 'made';
    return { outcome: { status, documentId, issueAt }, usageIds: usage.ids };
  }

  /** Those reports are billed by the period, and by no other. */
  bill(tx: Tx, { accountId }: Schedule, { usageIds }: MadePeriod, { start }: PlannedPeriod): void {
    this.usage.bill(tx, accountId, usageIds, start);
  }

  private async usageFor(tx: Tx, schedule: Schedule, { end, runsOn }: PlannedPeriod) {
    const isMetered = metersOf(schedule.terms).length > 0;
    return isMetered ? this.usage.billable(tx, schedule, end < runsOn ? end : runsOn) : NO_USAGE;
  }

  private async assertMandate(tx: Tx, schedule: Schedule, currency: string): Promise<void> {
    const { accountId, customerId } = schedule;
    if (await this.mandates.isActive(tx, accountId, customerId, currency)) return;
    throw PaymentRefusal.mandate_not_active.of(
      `The customer has no active mandate in ${currency}; ask for one, or let the schedule send.`,
    );
  }
}
