import { Injectable } from '@nestjs/common';
import type { CommitGuard, Tx } from '../../../../platform/database/tx.js';
import { UnitOfWork } from '../../../../platform/database/unit-of-work.js';
import type { RefundOutcome } from '../../../port/domain/refund-request.js';
import type { Holding } from '../../../recording/domain/holding.js';
import { coveredPart, isSettled, type Refund, withRefund } from '../../domain/refund.js';
import type { UnmatchedReceipt } from '../../../recording/domain/unmatched-receipt.js';
import { PaymentLosses } from '../payment-losses.js';
import { LockedRefunds, type SeenRefund } from './locked-refunds.js';
import { RefundWriter } from './refund-writer.js';

/** The answer of a provider; `unknown` if there is none. */
export type Outcome = RefundOutcome | { status: 'unknown' };

/** Writes what became of refunds at their providers, each once. */
@Injectable()
export class RefundSettlement {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly refunds: LockedRefunds,
    private readonly writer: RefundWriter,
    private readonly losses: PaymentLosses,
  ) {}

  /** The provider's report of a refund. One that is settled already is left as it is. */
  async settle(
    refund: Pick<Refund, 'accountId' | 'id' | 'of'>,
    outcome: Outcome,
    guard?: CommitGuard<SeenRefund>,
  ): Promise<SeenRefund> {
    return this.uow.run(async (tx) => {
      const seen = await this.refunds.lock(tx, refund);
      if (isSettled(seen.refund)) return seen;
      const written = await this.write(tx, seen.refund, outcome);
      const settled = afterwards(written, seen.holding, seen.receipt);
      return written.status === 'failed' ? this.losses.settleAgain(tx, settled) : settled;
    }, guard);
  }

  private async write(tx: Tx, refund: Refund, outcome: Outcome): Promise<Refund> {
    const now = tx.now();
    switch (outcome.status) {
      case 'succeeded': {
        const documents = await this.refunds.documentsOf(tx, refund);
        const { providerRefundId } = outcome;
        const done = { ...settled(refund, now), status: outcome.status, providerRefundId };
        return this.writer.succeed(tx, done, documents);
      }
      case 'failed': {
        const failed = { ...settled(refund, now), status: outcome.status, failure: outcome.reason };
        this.writer.fail(tx, failed);
        return failed;
      }
      default: {
        const told = 'providerRefundId' in outcome ? outcome.providerRefundId : null;
        const providerRefundId = told ?? refund.providerRefundId;
        const waiting: Refund = {
          ...refund,
          // One that the provider is known to have is pending, whatever a later look-up misses.
          status: providerRefundId === null ? outcome.status : 'pending',
          providerRefundId,
        };
        return this.writer.wait(tx, waiting, now);
      }
    }
  }
}

function settled(refund: Refund, now: Date): Refund {
  return { ...refund, settledAt: now, nextLookAt: null };
}

/** Of one that failed, what was set aside for it is there again. */
function afterwards(
  refund: Refund,
  holding: Holding | null,
  receipt: UnmatchedReceipt | null,
): SeenRefund {
  const isBack = refund.status === 'failed';
  const isGone = refund.status === 'succeeded';
  return {
    refund,
    holding: holding && (isBack ? withRefund(holding, refund, -1n) : holding),
    receipt: receipt && {
      ...receipt,
      settled: isBack ? receipt.settled.minus(coveredPart(refund)) : receipt.settled,
      refunded: isGone ? receipt.refunded.plus(coveredPart(refund)) : receipt.refunded,
    },
  };
}
