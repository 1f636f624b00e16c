import { Injectable } from '@nestjs/common';
import type { By } from '../../../../kernel/actor.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../../kernel/versions.js';
import type { CommitGuard } from '../../../../platform/database/tx.js';
import { endedMandate, isOver, type Mandate, mandateOver } from '../../domain/mandates/mandate.js';
import { MandatesQuery } from '../../infrastructure/mandates/mandates.query.js';
import { MandateBeginning, type NewMandate } from './mandate-beginning.js';
import { MandateCalls } from './mandate-calls.js';
import { MandateRecords } from './mandate-records.js';
import { type MandateChange, MandateReports } from './mandate-reports.service.js';
import { CommonRefusal } from '../../../../kernel/common-refusals.js';

type Guard = CommitGuard<Mandate>;

/** Consents of customers to be debited, which providers keep. */
@Injectable()
export class Mandates {
  constructor(
    private readonly beginning: MandateBeginning,
    private readonly query: MandatesQuery,
    private readonly reports: MandateReports,
    private readonly calls: MandateCalls,
    private readonly records: MandateRecords,
  ) {}

  /**
   * It exists, committed, before the provider hears of it: what the customer agrees to always finds
   * it. Without a page to go to, the provider is asked at once how it stands.
   */
  async request(wish: NewMandate, guard?: Guard): Promise<Mandate> {
    const mandate = await this.beginning.begin(wish, guard);
    try {
      const page = await this.calls.setUp(mandate, wish.returnUrl);
      const report = page.url === null ? await this.calls.lookUp({ ...mandate, ...page }) : null;
      if (report) await this.reports.answered(mandate, report);
      const placed: MandateChange = (_, before) => ({ ...before, ...page });
      return await this.reports.change(mandate, wish.actor, placed, guard);
    } catch (error) {
      // Nobody has its page. If the database does not answer, a look-up ends it later.
      const code = error instanceof DomainError ? error.code : 'internal_error';
      if (code !== CommonRefusal.database_unavailable.code) {
        await this.reports.change(mandate, wish.actor, (tx, before) =>
          endedMandate(before, 'failed', code, tx.now()),
        );
      }
      throw error;
    }
  }

  /** @param isAutomatic null leaves it */
  async setAutomatic(
    by: By,
    id: Uuid,
    isAutomatic: boolean | null,
    expected: ExpectedVersions,
    guard?: Guard,
  ): Promise<Mandate> {
    const { accountId, actor } = by;
    const change: MandateChange = (tx, before) => {
      assertVersion(expected, before.version);
      if (isAutomatic === null || isAutomatic === (before.automaticSince !== null)) return null;
      const automaticSince = isAutomatic ? tx.now() : null;
      const after = { ...before, automaticSince, version: before.version + 1 };
      this.records.audit(tx, by, before, after);
      return after;
    };
    return this.reports.change({ accountId, id }, actor, change, guard);
  }

  /** The provider hears of it first: if it does not answer, nothing has changed here. */
  async cancel(by: By, id: Uuid, guard?: Guard): Promise<Mandate> {
    const mandate = await this.query.get(by.accountId, id);
    if (isOver(mandate)) throw mandateOver(mandate.status);
    await this.calls.cancel(mandate);
    return this.reports.change(mandate, by.actor, canceled, guard);
  }
}

const canceled: MandateChange = (tx, before) =>
  isOver(before) ? null : endedMandate(before, 'canceled', null, tx.now());
