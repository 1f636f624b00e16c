import { Injectable } from '@nestjs/common';
import { uuidOf } from '../../../kernel/ids.js';
import type { Gateway, ProviderReport, RefundReport } from '../../domain/gateway.js';
import { isSettled, type Refund } from '../../domain/refund.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { RefundUndoings } from '../refunds/refund-undoings.service.js';
import { RefundSettlement } from '../refunds/refund-settlement.js';

type ReturnedReport = Extract<ProviderReport, { kind: 'refund' | 'refunded_in_all' }>;

/**
 * Handles reports of money that goes back: refunds of ours are settled, others are for a person.
 */
@Injectable()
export class ProviderRefunds {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly settlement: RefundSettlement,
    private readonly undoings: RefundUndoings,
  ) {}

  /** @returns why a person has to look at it, or null when it is ours and agrees with our books */
  async receive(gateway: Gateway, report: ReturnedReport): Promise<string | null> {
    if (report.kind === 'refunded_in_all') {
      const ours = await this.refunds.returnedOf(gateway.name, report.providerPaymentId);
      return report.amount.minor <= ours ? null : report.review;
    }
    const id = report.refundId === null ? undefined : uuidOf('rfnd', report.refundId);
    const refund = id && (await this.refunds.findAny(id));
    if (!refund || !isAbout(refund, gateway, report)) return report.review;
    const { outcome } = report;
    const { refund: seen } = await this.settlement.settle(refund, outcome);
    if (seen.status === 'succeeded' && outcome.status === 'failed') {
      await this.undoings.receiveReturn(seen, gateway.name, outcome.reason);
      return null;
    }
    return agrees(seen, report) ? null : report.review;
  }
}

function isAbout(refund: Refund, gateway: Gateway, report: RefundReport): boolean {
  return (
    refund.gateway === gateway.name &&
    gateway.isOf(refund.accountId, true) &&
    refund.providerPaymentId === report.providerPaymentId &&
    refund.amount.toString() === report.amount.toString()
  );
}

/** One that failed here may have succeeded at the provider: a person has to look. */
function agrees(refund: Refund, { outcome }: RefundReport): boolean {
  return !isSettled(refund) || outcome.status === 'pending' || refund.status === outcome.status;
}
