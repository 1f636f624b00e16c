import { Injectable } from '@nestjs/common';
import { type AccountRow, Accounts, AuditedWork } from '../../auth/index.js';
import { sellerOf } from '../../documents/index.js';
import type { By } from '../../kernel/actor.js';
import { dateIn } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import { MailRefusal, MailSettingsService } from '../../mail/index.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { type DunningPlan, type DunningTerms, hasSteps } from '../domain/dunning-plan.js';
import { DunningRefusal } from '../domain/dunning-refusals.js';
import { lawOf } from '../domain/late-payment-law.js';
import { assertLawful } from '../domain/plan-judgement.js';
import { DunningPlanRepository } from '../infrastructure/dunning-plan.repository.js';
import {
  type PatchDunningPlanRequest,
  presentDunningPlan,
  toDunningTerms,
} from '../wire/dunning-plan.js';

/** How an account asks for what is due. */
@Injectable()
export class DunningPlans {
  constructor(
    private readonly audited: AuditedWork,
    private readonly accounts: Accounts,
    private readonly repository: DunningPlanRepository,
    private readonly mail: MailSettingsService,
  ) {
    mail.judgedBy(async (tx, accountId, { reminderDays }) => {
      const { terms } = await this.repository.within(tx, accountId);
      if (reminderDays.length > 0 && hasSteps(terms)) {
        throw MailRefusal.reminders_by_dunning_plan.at('/reminder_days');
      }
    });
  }

  async find(accountId: Uuid): Promise<DunningPlan> {
    return this.repository.find(accountId);
  }

  /** @throws DomainError as `assertLawful`, `reminders_by_mail_settings` */
  async change(
    by: By,
    wish: PatchDunningPlanRequest,
    expected: ExpectedVersions,
    guard?: CommitGuard<DunningPlan>,
  ): Promise<DunningPlan> {
    const account = await this.accounts.find(by.accountId);
    return this.audited.run(by, guard, async ({ tx, accountId, record }) => {
      const before = await this.repository.getForUpdate(tx, accountId);
      assertVersion(expected, before.version);
      const today = dateIn(account.timeZone, tx.now());
      const wished = toDunningTerms(wish, before.terms);
      const terms = { ...wished, due_from: hasSteps(wished) ? (wished.due_from ?? today) : null };
      assertLawful(terms, countryOf(account, terms), today);
      const settings = await this.mail.find(accountId, tx);
      if (hasSteps(terms) && settings.reminderDays.length > 0) {
        throw DunningRefusal.reminders_by_mail_settings.of();
      }
      const after = { terms, version: before.version + 1 };
      this.repository.save(tx, accountId, after);
      record({
        action: 'dunning_plan.updated',
        subject: null,
        before: presentDunningPlan(before),
        after: presentDunningPlan(after),
      });
      return after;
    });
  }
}

/** The country with the law on late payments that counts; null: none that is known. */
export function countryOf(account: AccountRow, { law }: DunningTerms): string | null {
  const country = law ?? sellerOf(account.seller).country;
  return country !== null && lawOf(country) ? country : null;
}
