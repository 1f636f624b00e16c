import { Injectable } from '@nestjs/common';
import { AuditedWork } from '../../auth/index.js';
import type { By } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../kernel/versions.js';
import type { CommitGuard } from '../../platform/database/tx.js';
import type { ChartSettings } from '../domain/chart-of-accounts.js';
import type { ChartsByMonth } from '../domain/charts-by-month.js';
import { ChartSettingsRepository } from '../infrastructure/chart-settings.repository.js';

/** The numbers by which an account's accountant knows the accounts of the ledger. */
@Injectable()
export class ChartsOfAccounts {
  constructor(
    private readonly audited: AuditedWork,
    private readonly repository: ChartSettingsRepository,
  ) {}

  async find(accountId: Uuid): Promise<ChartSettings> {
    return this.repository.find(accountId);
  }

  /** Those of closed months, too. */
  async byMonth(accountId: Uuid): Promise<ChartsByMonth> {
    return this.repository.byMonth(accountId);
  }

  /** @param change each of its fields as a whole */
  async change(
    by: By,
    change: Partial<Omit<ChartSettings, 'version'>>,
    expected: ExpectedVersions,
    guard?: CommitGuard<ChartSettings>,
  ): Promise<ChartSettings> {
    return this.audited.run(by, guard, async ({ tx, record }) => {
      const settings = await this.repository.getForUpdate(tx, by.accountId);
      assertVersion(expected, settings.version);
      if (Object.keys(change).length === 0) return settings;
      const next = { ...settings, ...change, version: settings.version + 1 };
      this.repository.save(tx, by.accountId, next, tx.now());
      const { version: _before, ...before } = settings;
      const { version: _after, ...after } = next;
      record({
        action: 'chart_of_accounts.updated',
        subject: null,
        before,
        after,
      });
      return next;
    });
  }
}
