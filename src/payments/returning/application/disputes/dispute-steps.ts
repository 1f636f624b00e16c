import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../../platform/database/tx.js';
import { DisputeRepository } from '../../infrastructure/dispute.repository.js';
import { UnmatchedReceiptRepository } from '../../../recording/infrastructure/unmatched-receipt.repository.js';
import { PaymentLosses } from '../payment-losses.js';
import type { SpentCredit } from '../spent-credits.js';
import { DisputeWriter } from './dispute-writer.js';
import { PaymentDisputeSteps, type StepOfMoney } from './payment-dispute-steps.js';

/** Takes a step of a dispute: of a payment, or of a receipt without a document. */
@Injectable()
export class DisputeSteps {
  constructor(
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly disputes: DisputeRepository,
    private readonly writer: DisputeWriter,
    private readonly payments: PaymentDisputeSteps,
    private readonly losses: PaymentLosses,
  ) {}

  /** @returns the credit that has to come back first; null when it is done */
  async take(tx: Tx, given: StepOfMoney): Promise<SpentCredit | null> {
    const { money, before, step, told } = given;
    const { accountId } = money;
    const receipt = money.receiptId
      ? await this.receipts.getForUpdate(tx, accountId, money.receiptId)
      : null;
    const paymentId = money.paymentId ?? receipt?.paymentId ?? null;
    const of = paymentId !== null ? { paymentId } : { receiptId: receipt?.id ?? '' };
    const dispute = {
      id: given.id,
      accountId,
      gateway: given.gateway,
      providerDisputeId: before?.providerDisputeId ?? told?.disputeId ?? '',
      providerPaymentId: before?.providerPaymentId ?? told?.providerPaymentId ?? '',
      of,
    };
    if (paymentId !== null) {
      const { spent, back } = await this.payments.take(tx, given, dispute, paymentId);
      if (back) await this.losses.ask(tx, back);
      return spent;
    }
    if (!receipt) return null;
    const isBack = before && step.taken.isNegative();
    const gave = isBack ? await this.disputes.takenFromReceipt(tx, before) : null;
    await this.writer.ofReceipt(tx, dispute, before, step, { receipt, lost: gave?.lost ?? null });
    return null;
  }
}
