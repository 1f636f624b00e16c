import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { type MailSettings, type MailWish, settingsAfter } from '../domain/mail-settings.js';
import { presentMailSettings } from '../wire/mail-settings.js';
import { MailSettingsRepository } from '../infrastructure/mail-settings.repository.js';

/** The settings of an account for messages that nobody asks for one by one. */
@Injectable()
export class MailSettingsService {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: MailSettingsRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  async find(accountId: Uuid): Promise<MailSettings> {
    return this.repository.find(accountId);
  }

  async change(
    by: By,
    wish: MailWish,
    expected: ExpectedVersions,
    guard?: CommitGuard<MailSettings>,
  ): Promise<MailSettings> {
    return this.uow.run(async (tx) => {
      const before = await this.repository.getForUpdate(tx, by.accountId);
      assertVersion(expected, before.version);
      const now = this.clock.now();
      const after = settingsAfter(before, wish, now);
      this.repository.save(tx, by.accountId, after, now);
      this.audit.record(tx, by, {
        action: 'mail_settings.updated',
        subject: null,
        before: presentMailSettings(before),
        after: presentMailSettings(after),
      });
      return after;
    }, guard);
  }
}
