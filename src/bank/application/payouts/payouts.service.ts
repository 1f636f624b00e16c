import { Injectable } from '@nestjs/common';
import { Accounts } from '../../../auth/index.js';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import { Gateways, payableAccount } from '../../../payments/index.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import {
  assertFailedBy,
  assertLinesAddUp,
  assertSentBy,
  assertUndoable,
  isToldSo,
  type Payout,
  payoutExists,
  payoutToldOtherwise,
  type PayoutUndoing,
  type StatedPayout,
} from '../../domain/payouts/payout.js';
import { failureDay } from '../../domain/payouts/reported-payout.js';
import { PayoutRepository } from '../../infrastructure/payout.repository.js';
import { LatePayoutLines } from './late-payout-lines.js';
import { PayoutWriter } from './payout-writer.js';

/** The account of a payout, and the client that tells of it; null: its provider does. */
export interface ByPayoutClient {
  accountId: Uuid;
  clientId: Uuid | null;
}

/** Money that providers send to the bank. */
@Injectable()
export class Payouts {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly repository: PayoutRepository,
    private readonly writer: PayoutWriter,
    private readonly late: LatePayoutLines,
    private readonly gateways: Gateways,
    private readonly accounts: Accounts,
  ) {}

  async record(
    { accountId, clientId }: ByPayoutClient,
    stated: StatedPayout,
    guard?: CommitGuard<Payout>,
  ): Promise<Payout> {
    const today = await this.accounts.today(accountId);
    const payout = await this.uow.run(async (tx) => {
      await this.assertSound(tx, accountId, stated, today);
      if (await this.before(tx, accountId, stated)) throw payoutExists(stated.providerPayoutId);
      return this.writer.send(tx, accountId, clientId, stated);
    }, guard);
    await this.late.afterRecording(payout);
    return payout;
  }

  /**
   * As `record`; a payout that is recorded just so stays as it is.
   * @throws DomainError as `record`; `payout_exists` for one that is recorded otherwise
   */
  async recordOnce(
    { accountId, clientId }: ByPayoutClient,
    stated: StatedPayout,
  ): Promise<{ payout: Payout; isNew: boolean }> {
    const today = await this.accounts.today(accountId);
    const recorded = await this.uow.run(async (tx) => {
      const before = await this.before(tx, accountId, stated);
      if (before && !isToldSo(before, stated)) throw payoutToldOtherwise(before, stated);
      if (before) return { payout: before, isNew: false };
      await this.assertSound(tx, accountId, stated, today);
      return { payout: await this.writer.send(tx, accountId, clientId, stated), isNew: true };
    });
    await this.late.afterRecording(recorded.payout);
    return recorded;
  }

  /**
   * `failed`: the provider has the money back, and keeps its fees; of today unless a day is told.
   * `reversed`: the payout was recorded wrongly.
   */
  async undo(
    { accountId, clientId }: ByPayoutClient,
    id: Uuid,
    { kind, on, reason }: { kind: PayoutUndoing; on: IsoDate | null; reason: string | null },
    guard?: CommitGuard<Payout>,
  ): Promise<Payout> {
    const today = await this.accounts.today(accountId);
    return this.uow.run(async (tx) => {
      const payout = await this.repository.getForUpdate(tx, accountId, id);
      assertUndoable(payout, kind);
      if (on) assertFailedBy(payout, on, today);
      return this.writer.undo(tx, payout, { kind, on: on ?? today, reason, clientId });
    }, guard);
  }

  /**
   * A provider told that it came back; one that came back already stays as it is. The day is made one
   * that can be: after it was sent, and not to come.
   */
  async failOnce(
    { accountId, clientId }: ByPayoutClient,
    id: Uuid,
    toldOn: IsoDate,
    reason: string | null,
  ): Promise<void> {
    const today = await this.accounts.today(accountId);
    await this.uow.run(async (tx) => {
      const payout = await this.repository.getForUpdate(tx, accountId, id);
      if (payout.status === 'failed') return;
      assertUndoable(payout, 'failed');
      const on = failureDay(toldOn, payout, today);
      this.writer.undo(tx, payout, { kind: 'failed', on, reason, clientId });
    });
  }

  private async assertSound(
    tx: Tx,
    accountId: Uuid,
    stated: StatedPayout,
    today: IsoDate,
  ): Promise<void> {
    await this.gateways.getFor(stated.gateway, await payableAccount(tx, accountId));
    assertSentBy(stated, today, tx.now());
    assertLinesAddUp(stated);
  }

  private async before(
    tx: Tx,
    accountId: Uuid,
    { gateway, providerPayoutId }: StatedPayout,
  ): Promise<Payout | undefined> {
    return this.repository.findByProviderId(tx, accountId, gateway, providerPayoutId);
  }
}
