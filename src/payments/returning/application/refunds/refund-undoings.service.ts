import { Injectable } from '@nestjs/common';
import { laterDay } from '../../../../books/index.js';
import type { Actor, By } from '../../../../kernel/actor.js';
import { assertHappened } from '../../../../kernel/fact-dates.js';
import type { Uuid } from '../../../../kernel/ids.js';
import type { CommitGuard, Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import { afterMove, type Holding } from '../../../recording/domain/holding.js';
import {
  assertReversible,
  coveredPart,
  type Refund,
  type RefundUndoing,
  withRefund,
} from '../../domain/refund.js';
import type { UnmatchedReceipt } from '../../../recording/domain/unmatched-receipt.js';
import { PaymentLosses } from '../payment-losses.js';
import { LockedRefunds, type SeenRefund } from './locked-refunds.js';
import { RefundUndoingWriter } from './refund-undoing-writer.js';

/**
 * A refund that succeeded, and whose money is here: it came back from the payer's bank, or never
 * went. Nothing refuses that: what no document can take is the customer's credit.
 */
@Injectable()
export class RefundUndoings {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly refunds: LockedRefunds,
    private readonly writer: RefundUndoingWriter,
    private readonly losses: PaymentLosses,
  ) {}

  /** Takes a refund that was recorded wrongly out of the books. */
  async reverse(
    { accountId, actor }: By,
    clientId: Uuid,
    id: Uuid,
    { reason, reversedAt }: { reason: string | null; reversedAt: Date | null },
    guard?: CommitGuard<SeenRefund>,
  ): Promise<SeenRefund> {
    const key = await this.refunds.key(accountId, id);
    return this.uow.run(async (tx) => {
      const seen = await this.refunds.lock(tx, key);
      assertReversible(seen.refund);
      const now = tx.now();
      const { settledAt, requestedAt } = seen.refund;
      const wentAt = { at: settledAt ?? requestedAt, name: 'when it was refunded' };
      assertHappened('reversed_at', reversedAt, now, wentAt);
      const bookedOn = await laterDay(tx, accountId, reversedAt, now);
      const at = reversedAt ?? now;
      const undoing = { kind: 'reversed' as const, reason, clientId, at, bookedOn };
      const undone = await this.undo(tx, actor, seen, undoing);
      return { ...undone, bookedOn };
    }, guard);
  }

  /** The provider has the money back of a refund that succeeded. Told twice, it is one. */
  async receiveReturn(
    refund: Pick<Refund, 'accountId' | 'id' | 'of'>,
    gateway: string,
    reason: string,
  ): Promise<Refund> {
    const { refund: after } = await this.uow.run(async (tx) => {
      const seen = await this.refunds.lock(tx, refund);
      if (seen.refund.undoing !== null || seen.refund.status !== 'succeeded') return seen;
      const told = { kind: 'returned' as const, reason, clientId: null };
      const undoing = { ...told, at: tx.now(), bookedOn: null };
      return this.undo(tx, { type: 'gateway', id: gateway }, seen, undoing);
    });
    return after;
  }

  private async undo(
    tx: Tx,
    actor: Actor,
    { refund, holding, receipt }: SeenRefund,
    undoing: RefundUndoing,
  ): Promise<SeenRefund> {
    const documents = await this.refunds.documentsOf(tx, refund);
    const back = await this.writer.write(tx, actor, refund, undoing, documents, tx.now());
    const paid =
      holding &&
      back.reduce<Holding>(
        (after, { document, excess }) =>
          excess.isPositive() ? afterMove(after, document.state.id, null, excess) : after,
        withRefund(holding, refund, -1n),
      );
    return this.losses.settleAgain(tx, {
      refund: { ...refund, undoing },
      holding: paid,
      receipt: receipt && withoutRefund(receipt, refund),
    });
  }
}

function withoutRefund(receipt: UnmatchedReceipt, refund: Refund): UnmatchedReceipt {
  return {
    ...receipt,
    settled: receipt.settled.minus(coveredPart(refund)),
    refunded: receipt.refunded.minus(coveredPart(refund)),
  };
}
