import { Injectable } from '@nestjs/common';
import { assert } from '../../../../kernel/assert.js';
import { Clock } from '../../../../kernel/clock.js';
import { DomainError } from '../../../../kernel/domain-error.js';
import { publicId } from '../../../../kernel/ids.js';
import { HeldWork } from '../../../../platform/held-work.js';
import type { CommitGuard } from '../../../../platform/database/tx.js';
import type { Gateway } from '../../../port/domain/gateway.js';
import type { RefundRequest } from '../../../port/domain/refund-request.js';
import { Gateways, payeeOf } from '../../../port/domain/gateways.js';
import { isSettled, type Refund } from '../../domain/refund.js';
import type { SeenRefund } from './locked-refunds.js';
import { type Outcome, RefundSettlement } from './refund-settlement.js';

const HOUR_MS = 3_600_000;

/** Asks providers about refunds, outside any transaction, and has their answers settled. */
@Injectable()
export class RefundCalls {
  constructor(
    private readonly gateways: Gateways,
    private readonly settlement: RefundSettlement,
    private readonly clock: Clock,
    private readonly held: HeldWork,
  ) {}

  /** Asks the provider to give the money back, for the first time. */
  async send(refund: Refund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    return this.ask(refund, async (gateway, request) => gateway.refund(request), guard);
  }

  /**
   * Asks what became of it, unless it is known. A refund of ours that the provider surely never got
   * is sent, under the same key; after a restore once somebody has given the word.
   */
  async lookUp(refund: Refund, guard?: CommitGuard<SeenRefund>): Promise<SeenRefund> {
    if (isSettled(refund)) return this.settlement.settle(refund, { status: 'unknown' }, guard);
    return this.ask(
      refund,
      async (gateway, request) => {
        if (!gateway.tellsRefunds) return this.sendAgain(gateway, refund, request);
        const found = await gateway.lookUpRefund(request);
        if (found.status !== 'not_found') return found;
        return request.isOurs ? this.sendOnce(gateway, request) : { status: 'unknown' };
      },
      guard,
    );
  }

  /** Only events tell of it. One that may never have got there is sent again while its key holds. */
  private async sendAgain(
    gateway: Gateway,
    { requestedAt }: Refund,
    request: RefundRequest,
  ): Promise<Outcome> {
    const hours = (this.clock.now().getTime() - requestedAt.getTime()) / HOUR_MS;
    const isSame = request.isOurs && hours < gateway.refundKeyHours;
    return isSame && request.providerRefundId === null
      ? this.sendOnce(gateway, request)
      : { status: 'unknown' };
  }

  private async sendOnce(gateway: Gateway, request: RefundRequest): Promise<Outcome> {
    return (await this.held.isHeld('refunds')) ? { status: 'unknown' } : gateway.refund(request);
  }

  /**
   * If anything keeps the provider's answer from us, even our own mistake, the refund stays
   * unknown.
   */
  private async ask(
    refund: Refund,
    call: (gateway: Gateway, request: RefundRequest) => Promise<Outcome>,
    guard?: CommitGuard<SeenRefund>,
  ): Promise<SeenRefund> {
    const { id, accountId, gateway, providerPaymentId, amount, providerRefundId } = refund;
    assert(gateway !== null && providerPaymentId !== null, 'only a gateway is asked');
    const refundId = publicId('rfnd', id);
    const isOurs = refund.clientId !== null;
    const request = { refundId, providerPaymentId, amount, providerRefundId, isOurs };
    let outcome: Outcome;
    try {
      // Through a gateway that nobody gave away, money goes back to where it came from.
      outcome = await call(await this.gateways.getFor(gateway, payeeOf(accountId)), request);
    } catch (error) {
      const seen = await this.settlement.settle(refund, { status: 'unknown' }, guard);
      if (!(error instanceof DomainError)) throw error;
      return seen;
    }
    return this.settlement.settle(refund, outcome, guard);
  }
}
