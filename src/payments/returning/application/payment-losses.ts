import { Injectable } from '@nestjs/common';
import { takenOff } from '../../../books/index.js';
import { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { afterTaken, type Holding } from '../../recording/domain/holding.js';
import type { Payment } from '../../recording/domain/payment.js';
import type { UnmatchedReceipt } from '../../recording/domain/unmatched-receipt.js';
import {
  ProviderReversalRepository,
  type ReversalSource,
} from '../infrastructure/provider-reversal.repository.js';
import { MoneyFacts } from '../../recording/application/money-facts.js';
import { DisputedDocuments } from './disputes/disputed-documents.js';
import { givenBack } from './disputes/given-back.js';
import { GivenBackWriter } from './disputes/given-back-writer.js';
import { excessMoved } from '../../recording/application/excess-moves.js';
import {
  factOf,
  type NewReversal,
  ProviderReversalWriter,
  reversedEvent,
} from './provider-reversal-writer.js';
import { ReversalPlanning } from './reversal-planning.js';

/**
 * If refunds and what a provider took back are more than a payment, the rest is lost. Refunds come
 * first: the loss is of what was taken back, in whatever order they were told. So a refund has taken-back
 * money make room for it, and what had been lost is asked for when a refund comes back.
 */
@Injectable()
export class PaymentLosses {
  constructor(
    private readonly planning: ReversalPlanning,
    private readonly reversals: ProviderReversalRepository,
    private readonly writer: ProviderReversalWriter,
    private readonly back: GivenBackWriter,
    private readonly facts: MoneyFacts,
    private readonly disputed: DisputedDocuments,
  ) {}

  /**
   * Documents have again what a refund is about to take off them, and that is lost instead.
   * @param holding locked
   * @returns the payment as it is then
   */
  async makeRoom(tx: Tx, holding: Holding, refunded: Money): Promise<Holding> {
    const { payment, returned } = holding;
    let missing = refunded.minus(payment.amount.minus(returned));
    if (!missing.isPositive()) return holding;
    const sources = await this.reversals.sourcesOf(tx, payment);
    for (const source of sources.toReversed()) {
      const part = missing.min(source.taken);
      if (!part.isPositive()) continue;
      await this.lose(tx, payment, source, part);
      missing = missing.minus(part);
    }
    return this.again(tx, payment);
  }

  /**
   * A refund has come back, or failed: what had been lost is asked for, and disputes hold what they can.
   * @returns the payment or the receipt as it is then
   */
  async settleAgain<Seen extends { holding: Holding | null; receipt: UnmatchedReceipt | null }>(
    tx: Tx,
    seen: Seen,
  ): Promise<Seen> {
    const holding = seen.holding && (await this.ask(tx, seen.holding));
    if (holding) await this.disputed.placeAgain(tx, holding);
    return { ...seen, holding, receipt: await this.regain(tx, seen.receipt) };
  }

  /**
   * Asks documents for what is lost, as far as the payment has it.
   * @returns the payment as it is then
   */
  async ask(tx: Tx, seen: Holding): Promise<Holding> {
    if (!seen.lost.isPositive()) return seen;
    await tx.flush();
    let holding = await this.again(tx, seen.payment);
    for (const source of await this.reversals.sourcesOf(tx, holding.payment)) {
      const { payment, returned } = holding;
      const part = source.lost.min(payment.amount.minus(returned));
      if (!part.isPositive()) continue;
      await this.claim(tx, payment, source, part);
      holding = await this.again(tx, payment);
    }
    return holding;
  }

  /** The part of a receipt that is open again takes the place of what was lost: the payer has that. */
  private async regain(tx: Tx, receipt: UnmatchedReceipt | null): Promise<UnmatchedReceipt | null> {
    const open = receipt?.amount.minus(receipt.settled);
    if (!receipt || !open?.isPositive()) return receipt;
    const { accountId, id: receiptId, gateway, providerPaymentId } = receipt;
    const { lost, reason } = await this.reversals.lostOfReceipt(tx, receipt);
    const amount = lost.min(open);
    if (!amount.isPositive()) return receipt;
    await tx.flush();
    const none = Money.zero(amount.currency);
    const said = { accountId, of: { receiptId }, disputeId: null, reference: null };
    const asked = { amount: none, fromCredit: none, lost: amount.negated() };
    const by = { gateway, providerPaymentId, reason, failedAt: tx.now() };
    this.writer.regain(tx, { ...said, ...by, ...asked }, receiptId);
    return {
      ...receipt,
      settled: receipt.settled.plus(amount),
      takenBack: receipt.takenBack.plus(amount),
    };
  }

  private async lose(tx: Tx, payment: Payment, source: ReversalSource, part: Money): Promise<void> {
    const { documents } = await this.planning.lock(tx, payment.accountId, payment.id, []);
    const gave = await takenOff(tx, payment, source.factIds);
    const lost = Money.zero(part.currency);
    const of = { from: 'payment_losses', back: part, taken: source.taken, lost } as const;
    const back = givenBack({ ...of, documents, gave });
    const at = tx.now();
    const moved = { lost: part, fromCredit: back.fromCredit };
    const reversal = shift(payment, source, moved, at);
    this.back.write(tx, payment, reversal, back);
    const { accountId, customerId } = payment;
    const when = { effective: at, recordedAt: at };
    const entry = {
      accountId,
      customerId,
      ...factOf(source, payment.id),
      ...when,
      legs: back.legs,
    };
    const actor = { type: 'gateway' as const, id: source.gateway };
    const steps = back.parts.map((again) => {
      const events = [reversedEvent(payment.id, reversal), ...excessMoved(payment.id, again)];
      return { document: again.document, events };
    });
    this.facts.write(tx, entry, { actor, steps });
    await tx.flush();
  }

  private async claim(
    tx: Tx,
    payment: Payment,
    source: ReversalSource,
    part: Money,
  ): Promise<void> {
    const found = await this.planning.lock(tx, payment.accountId, payment.id, []);
    const lifted = await this.disputed.lift(tx, found.holding);
    const plan = this.planning.plan(found, lifted.holding, part);
    const given = part.minus(plan.lost);
    if (!given.isPositive()) return;
    const { fromCredit, parts } = plan;
    this.disputed.place(tx, lifted, afterTaken(lifted.holding, plan), found.newestFirst, {
      locked: found.documents,
      saved: parts.map(({ documentId }) => documentId),
    });
    const reversal = shift(payment, source, { lost: given.negated(), fromCredit }, tx.now());
    const of = {
      plan,
      documents: found.documents,
      failed: null,
      source: 'payment_losses' as const,
    };
    this.writer.ofPayment(tx, payment, reversal, of);
    await tx.flush();
  }

  private async again(tx: Tx, { accountId, id }: Payment): Promise<Holding> {
    return (await this.planning.lock(tx, accountId, id, [])).holding;
  }
}

/** Nothing moves at the provider. */
function shift(
  { accountId, id: paymentId, amount }: Payment,
  { disputeId, gateway, providerPaymentId, reason }: ReversalSource,
  { lost, fromCredit }: { lost: Money; fromCredit: Money },
  failedAt: Date,
): NewReversal {
  const of = { accountId, of: { paymentId }, disputeId, gateway, providerPaymentId };
  const none = Money.zero(amount.currency);
  return { ...of, reference: null, amount: none, fromCredit, lost, reason, failedAt };
}
