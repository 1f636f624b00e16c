import { Injectable } from '@nestjs/common';
import type { By } from '../../../../kernel/actor.js';
import { Clock } from '../../../../kernel/clock.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { assertVersion, type ExpectedVersions } from '../../../../kernel/versions.js';
import { type CommitGuard, lookUpOf, type Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { endedMandate, isOver, type Mandate, mandateOver } from '../../domain/mandates/mandate.js';
import { MandateRepository } from '../../infrastructure/mandates/mandate.repository.js';
import { MandatesQuery } from '../../infrastructure/mandates/mandates.query.js';
import { MandateCalls } from './mandate-calls.js';
import { MandateRecords } from './mandate-records.js';
import { MandateReports } from './mandate-reports.service.js';
import { CommonRefusal } from '../../../../kernel/common-refusals.js';
import { DocumentRefusal } from '../../../../documents/index.js';

export interface NewMandate extends By {
  customerId: Uuid;
  /** A configured name, or the id or name of an own one. */
  gateway: string;
  currency: string;
  collectsAutomatically: boolean;
  returnUrl: string | null;
}

type Guard = CommitGuard<Mandate>;
type Change = (before: Mandate, at: Date) => Mandate;

/** Longer than the calls that make a page. */
const MADE_WITHIN_MS = 600_000;

/** Consents of customers to be debited, which providers keep. */
@Injectable()
export class Mandates {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly mandates: MandateRepository,
    private readonly query: MandatesQuery,
    private readonly reports: MandateReports,
    private readonly calls: MandateCalls,
    private readonly records: MandateRecords,
    private readonly clock: Clock,
  ) {}

  /**
   * It exists, committed, before the provider hears of it: what the customer agrees to always finds
   * it. Without a page to go to, the provider is asked at once how it stands.
   */
  async request(wish: NewMandate, guard?: Guard): Promise<Mandate> {
    const mandate = await this.uow.run((tx) => this.begin(tx, wish), lookUpOf(guard));
    try {
      const page = await this.calls.setUp(mandate, wish.returnUrl);
      const report = page.url === null ? await this.calls.lookUp({ ...mandate, ...page }) : null;
      if (report) await this.reports.answered(mandate, report);
      return await this.change(mandate, (before) => ({ ...before, ...page }), wish, guard);
    } catch (error) {
      // Nobody has its page. If the database does not answer, a look-up ends it later.
      const code = error instanceof DomainError ? error.code : 'internal_error';
      if (code !== CommonRefusal.database_unavailable.code) {
        const end: Change = (before, at) => endedMandate(before, 'failed', code, at);
        await this.change(mandate, end, wish);
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
    return this.uow.run(async (tx) => {
      const before = await this.mandates.getForUpdate(tx, by.accountId, id);
      assertVersion(expected, before.version);
      if (isAutomatic === null || isAutomatic === (before.automaticSince !== null)) return before;
      const automaticSince = isAutomatic ? tx.now() : null;
      const after = { ...before, automaticSince, version: before.version + 1 };
      this.records.audit(tx, by, before, after);
      return this.reports.save(tx, before, after, by.actor);
    }, guard);
  }

  /** The provider hears of it first: if it does not answer, nothing has changed here. */
  async cancel(by: By, id: Uuid, guard?: Guard): Promise<Mandate> {
    const mandate = await this.query.get(by.accountId, id);
    if (isOver(mandate)) throw mandateOver(mandate.status);
    await this.calls.cancel(mandate);
    return this.change(mandate, canceled, by, guard);
  }

  private async begin(tx: Tx, wish: NewMandate): Promise<Mandate> {
    const { accountId, customerId, currency } = wish;
    const isThere = await this.mandates.holdCustomer(tx, accountId, customerId);
    if (!isThere) throw DocumentRefusal.customer_not_found.of();
    const gateway = await this.calls.keeperFor(tx, accountId, wish);
    const now = tx.now();
    const mandate: Mandate = {
      id: tx.newId(),
      accountId,
      customerId,
      gateway,
      currency,
      status: 'pending',
      url: null,
      providerRequestId: null,
      providerMandateId: null,
      scheme: null,
      reference: null,
      accountEnding: null,
      automaticSince: wish.collectsAutomatically ? now : null,
      failure: null,
      version: 1,
      createdAt: now,
      askedAt: null,
      activatedAt: null,
      endedAt: null,
      // Should we die before the provider has answered.
      nextLookAt: new Date(this.clock.serverNow().getTime() + MADE_WITHIN_MS),
    };
    this.mandates.insert(tx, mandate);
    this.records.created(tx, mandate, wish, now);
    return mandate;
  }

  private async change(
    { accountId, id }: Mandate,
    to: Change,
    { actor }: By,
    guard?: Guard,
  ): Promise<Mandate> {
    return this.uow.run(async (tx) => {
      const before = await this.mandates.getForUpdate(tx, accountId, id);
      const after = to(before, tx.now());
      return after === before ? before : this.reports.save(tx, before, after, actor);
    }, guard);
  }
}

const canceled: Change = (before, at) =>
  isOver(before) ? before : endedMandate(before, 'canceled', null, at);
