import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../../kernel/ids.js';
import type { RefundOutcome } from '../../../port/domain/refund-request.js';
import type { NamedRefund } from '../../../port/domain/told-refund.js';
import { isSettled, type Refund } from '../../domain/refund.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { RefundSettlement } from './refund-settlement.js';
import { RefundUndoings } from './refund-undoings.service.js';

/** `kept`: it waits for other news. `disagrees`: a person has to look. */
export type TakenReturn = 'booked' | 'kept' | 'disagrees';

/** Refunds that are here end as their provider says. */
@Injectable()
export class ToldOutcomes {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly settlement: RefundSettlement,
    private readonly undoings: RefundUndoings,
  ) {}

  async find(id: Uuid): Promise<Refund | undefined> {
    return this.refunds.findAny(id);
  }

  /** Settles a booked refund, or takes it back, as its provider says. */
  async follow(id: Uuid, gateway: string, told: NamedRefund): Promise<TakenReturn> {
    const { providerRefundId, outcome: status, reason } = told;
    const refund = await this.refunds.findAny(id);
    if (!refund) return 'booked';
    const outcome = status === 'failed' ? { status, reason } : { status, providerRefundId };
    return this.settle(refund, gateway, outcome);
  }

  async settle(refund: Refund, gateway: string, outcome: RefundOutcome): Promise<TakenReturn> {
    const { refund: seen } = await this.settlement.settle(refund, outcome);
    if (seen.status === 'succeeded' && outcome.status === 'failed') {
      await this.undoings.receiveReturn(seen, gateway, outcome.reason);
      return 'booked';
    }
    return agrees(seen, outcome) ? 'booked' : 'disagrees';
  }
}

/** One that failed here may have succeeded at the provider: a person has to look. */
function agrees(refund: Refund, { status }: RefundOutcome): boolean {
  return !isSettled(refund) || status === 'pending' || refund.status === status;
}
