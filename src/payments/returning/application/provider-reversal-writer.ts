import { Injectable } from '@nestjs/common';
import { dueAccount, type Leg, leg, takeOffLegs } from '../../../books/index.js';
import type { Document, LeadingEvent } from '../../../documents/index.js';
import { believable } from '../../../kernel/fact-dates.js';
import type { Actor } from '../../../kernel/actor.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Payment } from '../../recording/domain/payment.js';
import type { PaymentLink } from '../../collecting/domain/payment-link.js';
import { presentPaymentLink } from '../../collecting/wire/payment-link.js';
import type { ProviderReversal, ReversalPlan } from '../domain/provider-reversal.js';
import { PaymentLinkRepository } from '../../collecting/infrastructure/payment-link.repository.js';
import { PaymentRepository } from '../../recording/infrastructure/payment.repository.js';
import { ProviderReversalRepository } from '../infrastructure/provider-reversal.repository.js';
import { MoneyFacts } from '../../recording/application/money-facts.js';
import { setCreditAside } from '../../recording/application/noted-documents.js';

/** A reversal before it is written. */
export type NewReversal = Omit<ProviderReversal, 'recordedAt'>;

/** Writes what a provider took back, with documents, credit, ledger and events. */
@Injectable()
export class ProviderReversalWriter {
  constructor(
    private readonly facts: MoneyFacts,
    private readonly payments: PaymentRepository,
    private readonly links: PaymentLinkRepository,
    private readonly reversals: ProviderReversalRepository,
  ) {}

  /**
   * @param documents those that give something, and that of the link, all locked
   * @param failed the link that has failed with it
   */
  ofPayment(
    tx: Tx,
    payment: Payment,
    reversal: NewReversal,
    {
      plan,
      documents,
      failed,
      more = [],
      source = 'gateway_clearing',
    }: {
      plan: ReversalPlan;
      documents: readonly Document[];
      failed: PaymentLink | null;
      /** Told of the document of that link, behind its failure. */
      more?: readonly LeadingEvent[];
      /** `payment_losses`: nothing moved now, and what had been lost is asked for. */
      source?: 'gateway_clearing' | 'payment_losses';
    },
  ): void {
    const at = tx.now();
    const { accountId, customerId, id: paymentId } = payment;
    this.take(tx, payment, reversal, plan);
    this.facts.write(tx, {
      accountId,
      ...factOf(reversal, paymentId),
      customerId,
      effective: believable(reversal.failedAt, at),
      recordedAt: at,
      legs: reversalLegs(source, payment, plan, documents),
    });
    this.tell(tx, reversal, documents, plan, reversedEvent(paymentId, reversal), {
      failed,
      more,
    });
  }

  /** All that is stored of a reversal beside the ledger and documents. */
  take(
    tx: Tx,
    payment: Payment,
    reversal: NewReversal,
    { parts, fromCredit }: Pick<ReversalPlan, 'parts' | 'fromCredit'>,
  ): void {
    const at = tx.now();
    const { accountId, customerId, id: paymentId } = payment;
    this.store(tx, reversal);
    const changes = parts.map(({ documentId, amount }) => ({
      documentId,
      amount: amount.negated(),
    }));
    this.payments.insertAllocations(tx, payment, changes, 'reversal', at);
    if (fromCredit.isZero()) return;
    const amount = fromCredit.negated();
    const credit = { accountId, customerId, amount, paymentId, creditNoteId: null, at };
    this.payments.addCredit(tx, credit);
  }

  /** The reversal alone, with what it takes off its payment or receipt. */
  store(tx: Tx, reversal: NewReversal): void {
    this.reversals.insert(tx, { ...reversal, recordedAt: tx.now() });
  }

  /** The open part of a receipt goes; what had gone back already is lost. */
  ofReceipt(tx: Tx, reversal: NewReversal, receiptId: string): void {
    const { amount, lost } = reversal;
    this.close(tx, reversal, receiptId, [
      ...leg('unmatched_receipts', 'gateway_clearing', amount.minus(lost)),
      ...leg('payment_losses', 'gateway_clearing', lost),
    ]);
  }

  /** Nothing moves now: the open part of a receipt takes the place of what was lost of it. */
  regain(tx: Tx, reversal: NewReversal, receiptId: string): void {
    const legs = leg('unmatched_receipts', 'payment_losses', reversal.lost.negated());
    this.close(tx, reversal, receiptId, legs);
  }

  private close(tx: Tx, reversal: NewReversal, receiptId: string, legs: Leg[]): void {
    const at = tx.now();
    const { accountId } = reversal;
    this.store(tx, reversal);
    this.facts.write(tx, {
      accountId,
      fact: 'receipt.closed',
      factId: receiptId,
      customerId: null,
      effective: believable(reversal.failedAt, at),
      recordedAt: at,
      legs,
    });
  }

  /** Each document that gives something tells of it, and that of the link of the link's failure. */
  private tell(
    tx: Tx,
    { accountId, gateway, failedAt }: NewReversal,
    documents: readonly Document[],
    plan: ReversalPlan,
    reversed: LeadingEvent,
    { failed, more }: { failed: PaymentLink | null; more: readonly LeadingEvent[] },
  ): void {
    const actor: Actor = { type: 'gateway', id: gateway };
    const recordedAt = tx.now();
    const movedOn = believable(failedAt, recordedAt);
    if (failed) this.links.setProgress(tx, failed);
    const steps = documents.flatMap((document) => {
      const { id } = document.state;
      const events = [
        ...(plan.parts.some(({ documentId }) => documentId === id) ? [reversed] : []),
        ...(failed?.documentId === id ? [failureOf(tx, failed), ...more] : []),
      ];
      return events.length > 0 ? [{ document, events, effective: null, movedOn }] : [];
    });
    const alone = plan.parts.length > 0 ? null : reversed;
    this.facts.tell(tx, { accountId, recordedAt }, { actor, steps, alone });
  }
}

function failureOf(tx: Tx, link: PaymentLink): LeadingEvent {
  const data = { payment_link: presentPaymentLink(link, tx.now()) };
  return { type: 'payment_link.failed', data };
}

/** The fact of the ledger that a reversal of a payment belongs to. */
export function factOf({ disputeId }: Pick<NewReversal, 'disputeId'>, paymentId: Uuid) {
  return disputeId === null
    ? { fact: 'payment.reversed' as const, factId: paymentId }
    : { fact: 'dispute.lost' as const, factId: disputeId };
}

/** The step in the history of each document that it changes. */
export function reversedEvent(
  paymentId: Uuid,
  { reason, amount, lost }: Pick<NewReversal, 'reason' | 'amount' | 'lost'>,
) {
  const moved = { amount: amount.toMinorNumber(), lost: lost.toMinorNumber() };
  const data = { payment_id: publicId('pay', paymentId), reason, ...moved };
  return { type: 'payment.reversed' as const, data };
}

/** The money left the provider: what documents gave is due again, and the rest is lost. */
export function reversalLegs(
  source: 'gateway_clearing' | 'disputed_funds' | 'payment_losses',
  { customerId }: Pick<Payment, 'customerId'>,
  plan: ReversalPlan,
  documents: readonly Document[],
): Leg[] {
  setCreditAside(documents, customerId, plan.fromCredit);
  const parts = plan.parts.map(({ documentId, amount }) => {
    const document = documents.find(({ state }) => state.id === documentId);
    if (!document) throw new Error(`document ${documentId} of a reversal is not locked`);
    const due = dueAccount(document.state);
    return { documentId, due, amount, waived: document.unpay(amount) };
  });
  return [
    ...takeOffLegs(source, parts),
    ...leg('customer_credit', source, plan.fromCredit),
    ...(source === 'payment_losses' ? [] : leg('payment_losses', source, plan.lost)),
  ];
}
