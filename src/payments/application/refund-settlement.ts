import { Injectable } from '@nestjs/common';
import { DocumentRepository } from '../../documents/index.js';
import { assert } from '../../kernel/assert.js';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { publicId } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { type CommitGuard, type Tx, UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { Gateway, RefundOutcome, RefundRequest } from '../domain/gateway.js';
import { Gateways } from '../domain/gateways.js';
import type { Holding } from '../domain/holding.js';
import { isSettled, nextLook, type Refund, refundNotFound, withRefund } from '../domain/refund.js';
import type { UnmatchedReceipt } from '../domain/unmatched-receipt.js';
import { HoldingsRepository } from '../infrastructure/holdings.repository.js';
import { RefundRepository } from '../infrastructure/refund.repository.js';
import { UnmatchedReceiptRepository } from '../infrastructure/unmatched-receipt.repository.js';
import { RefundWriter } from './refund-writer.js';

/** A refund, and the money that it is of, as one transaction saw them. */
export interface SeenRefund {
  refund: Refund;
  holding: Holding | null;
  receipt: UnmatchedReceipt | null;
}

type Outcome = RefundOutcome | { status: 'unknown' };

/** Asks providers about refunds, outside any transaction, and settles each once. */
@Injectable()
export class RefundSettlement {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly holdings: HoldingsRepository,
    private readonly refunds: RefundRepository,
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly writer: RefundWriter,
    private readonly gateways: Gateways,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Asks the provider to give the money back, for the first time. */
  async send(refund: Refund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    return this.after(refund, async (gateway, request) => gateway.refund(request), guard);
  }

  /** Asks what became of it. What the provider surely never got is sent, under the same key. */
  async lookUp(refund: Refund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    return this.after(
      refund,
      async (gateway, request) => {
        const found = await gateway.lookUpRefund(request);
        return found.status === 'not_found' ? gateway.refund(request) : found;
      },
      guard,
    );
  }

  /** What a provider says of a refund. One that is settled already is left as it is. */
  async settle(
    { accountId, id, of }: Pick<Refund, 'accountId' | 'id' | 'of'>,
    outcome: Outcome,
    guard?: CommitGuard<SeenRefund>,
  ): Promise<SeenRefund> {
    return this.uow.run(async (tx) => {
      const isOfPayment = of.type === 'payment';
      const holding = isOfPayment
        ? await this.holdings.getForUpdate(tx, accountId, of.paymentId)
        : null;
      const receipt = isOfPayment
        ? null
        : await this.receipts.getForUpdate(tx, accountId, of.receiptId);
      const refund = await this.refunds.find(tx, accountId, id);
      if (!refund) throw refundNotFound();
      if (isSettled(refund)) return { refund, holding, receipt };
      const written = await this.write(tx, refund, outcome);
      return afterwards(written, holding, receipt);
    }, guard);
  }

  private async write(tx: Tx, refund: Refund, outcome: Outcome): Promise<Refund> {
    const now = this.clock.now();
    switch (outcome.status) {
      case 'succeeded': {
        const documents = await this.documents.findForUpdate(
          tx,
          refund.accountId,
          refund.parts.map(({ documentId }) => documentId),
        );
        const { providerRefundId } = outcome;
        const done = { ...settled(refund, now), status: outcome.status, providerRefundId };
        this.writer.succeed(tx, done, documents);
        return done;
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
          nextLookAt: nextLook(now, refund.attempts, this.config.refundLookUpSeconds),
        };
        this.writer.wait(tx, waiting);
        return waiting;
      }
    }
  }

  /** Whatever keeps the provider's answer from us, and be it our own mistake, leaves it unknown. */
  private async after(
    refund: Refund,
    ask: (gateway: Gateway, request: RefundRequest) => Promise<RefundOutcome>,
    guard?: CommitGuard<SeenRefund>,
  ): Promise<SeenRefund> {
    const { id, accountId, gateway, providerPaymentId, amount, providerRefundId } = refund;
    assert(gateway !== null && providerPaymentId !== null, 'only a gateway is asked');
    const refundId = publicId('rfnd', id);
    const request = { refundId, providerPaymentId, amount, providerRefundId };
    let outcome: Outcome;
    try {
      // Through a gateway that nobody gave away, money goes back to where it came from.
      outcome = await ask(this.gateways.getFor(accountId, gateway, true), request);
    } catch (error) {
      const seen = await this.settle(refund, { status: 'unknown' }, guard);
      if (!(error instanceof DomainError)) throw error;
      return seen;
    }
    return this.settle(refund, outcome, guard);
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
      settled: isBack ? receipt.settled.minus(refund.amount) : receipt.settled,
      refunded: isGone ? receipt.refunded.plus(refund.amount) : receipt.refunded,
    },
  };
}
