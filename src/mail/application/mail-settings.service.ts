import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard, Tx } from '../../platform/database/tx.js';
import { type MailSettings, type MailWish, settingsAfter } from '../domain/mail-settings.js';
import { presentMailSettings } from '../wire/mail-settings.js';
import { MailSettingsRepository } from '../infrastructure/mail-settings.repository.js';

/** The settings of an account for messages that nobody asks for one by one. */
@Injectable()
export class MailSettingsService {
  private readonly judges: ((tx: Tx, accountId: Uuid, after: MailSettings) => Promise<void>)[] = [];

  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: MailSettingsRepository,
  ) {}

  /** Modules to the right may refuse what does not go with their own. */
  judgedBy(judge: (tx: Tx, accountId: Uuid, after: MailSettings) => Promise<void>): void {
    this.judges.push(judge);
  }

  async find(accountId: Uuid, tx: Tx | null = null): Promise<MailSettings> {
    return this.repository.find(accountId, tx);
  }

  async change(
    by: By,
    wish: MailWish,
    expected: ExpectedVersions,
    guard?: CommitGuard<MailSettings>,
  ): Promise<MailSettings> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const before = await this.repository.getForUpdate(tx, by.accountId);
      assertVersion(expected, before.version);
      const at = tx.now();
      const after = settingsAfter(before, wish, at);
      for (const judge of this.judges) await judge(tx, by.accountId, after);
      this.repository.save(tx, by.accountId, after, at);
      record({
        action: 'mail_settings.updated',
        subject: null,
        before: presentMailSettings(before),
        after: presentMailSettings(after),
      });
      return after;
    });
  }
}
