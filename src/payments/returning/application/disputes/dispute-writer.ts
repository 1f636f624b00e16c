import { Injectable } from '@nestjs/common';
import { bookedDayOf, leg, type Leg } from '../../../../books/index.js';
import type { Document, LeadingEvent } from '../../../../documents/index.js';
import type { Actor } from '../../../../kernel/actor.js';
import type { IsoDate } from '../../../../kernel/clock.js';
import { believable } from '../../../../kernel/fact-dates.js';
import type { Uuid } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import {
  afterStep,
  type Dispute,
  type DisputeStep,
  eventOf,
  isNothingNew,
  type NamedDispute,
} from '../../domain/dispute.js';
import { presentDispute } from '../../wire/dispute.js';
import {
  failedLink,
  paidLink,
  type PaymentLink,
  processingChange,
} from '../../../collecting/domain/payment-link.js';
import type { Payment } from '../../../recording/domain/payment.js';
import { presentPaymentLink } from '../../../collecting/wire/payment-link.js';
import type { ReversalPlan } from '../../domain/provider-reversal.js';
import type { UnmatchedReceipt } from '../../../recording/domain/unmatched-receipt.js';
import type { DisputedPart } from '../../domain/disputed-parts.js';
import { DisputeRepository } from '../../infrastructure/dispute.repository.js';
import { PaymentLinkRepository } from '../../../collecting/infrastructure/payment-link.repository.js';
import { excessMoved } from '../../../recording/application/excess-moves.js';
import { MoneyFacts } from '../../../recording/application/money-facts.js';
import { ProviderReversalWriter, reversalLegs } from '../provider-reversal-writer.js';
import type { BackToReceipt, GivenBack } from './given-back.js';
import { GivenBackWriter } from './given-back-writer.js';

/** A step of a disputed payment, with all that it touches, locked. */
interface StepOfPayment {
  payment: Payment;
  documents: readonly Document[];
  /** Changes of what is disputed of documents. */
  parts: readonly DisputedPart[];
  /** The places that lost money is taken from. */
  plan: ReversalPlan | null;
  /** The places that get their parts again: the documents are changed already. */
  back: GivenBack | null;
  /** The part that is given back to the receipt that the payment was before. */
  toReceipt: BackToReceipt | null;
  /** The link that fails, or is paid again. */
  link: PaymentLink | null;
}

/** Writes a step of a dispute with everything that it changes. */
@Injectable()
export class DisputeWriter {
  constructor(
    private readonly disputes: DisputeRepository,
    private readonly reversals: ProviderReversalWriter,
    private readonly facts: MoneyFacts,
    private readonly back: GivenBackWriter,
    private readonly links: PaymentLinkRepository,
  ) {}

  async ofPayment(
    tx: Tx,
    named: NamedDispute,
    before: Dispute | null,
    step: DisputeStep,
    given: StepOfPayment,
  ): Promise<void> {
    const { payment, plan, documents, parts, back, toReceipt } = given;
    const none = Money.zero(step.amount.currency);
    const regained = (back?.lost ?? none).plus(toReceipt?.lost ?? none);
    const lost = plan?.lost ?? regained.negated();
    const { dispute, day } = await this.insert(tx, named, before, step, { lost, parts });
    for (const { documentId, amount } of parts)
      documentOf(documents, documentId).held.dispute(amount);
    const lostLegs = plan ? reversalLegs('disputed_funds', payment, plan, documents) : [];
    const backLegs = [...(back?.legs ?? []), ...receiptLegs(toReceipt)];
    this.book(tx, dispute, step, day, payment.customerId, lostLegs, backLegs);
    if (plan) this.reversals.take(tx, payment, reversalOf(dispute, step, lost, plan), plan);
    if (back) {
      const taken = { ...step, taken: back.amount.negated() };
      const given = reversalOf(dispute, taken, back.lost.negated(), back);
      this.back.write(tx, payment, given, back);
    }
    if (toReceipt) {
      const taken = { ...step, taken: toReceipt.amount.negated() };
      const reversal = reversalOf(dispute, taken, toReceipt.lost.negated(), { fromCredit: none });
      this.reversals.store(tx, { ...reversal, of: { receiptId: toReceipt.receiptId } });
    }
    const link = given.link && this.follow(tx, given.link, step, documents);
    const isRepeated = before && isNothingNew(before, step) && parts.length === 0;
    if (!isRepeated) this.tell(tx, dispute, eventOf(before, step), given, { link, day });
  }

  async ofReceipt(
    tx: Tx,
    named: NamedDispute,
    before: Dispute | null,
    step: DisputeStep,
    given: { receipt: UnmatchedReceipt; lost: Money | null },
  ): Promise<void> {
    const none = Money.zero(step.amount.currency);
    const open = given.receipt.amount.minus(given.receipt.settled);
    const back = step.taken.negated().min(given.lost ?? none);
    const lost = step.taken.isNegative() ? back.negated() : step.taken.minus(step.taken.min(open));
    const { dispute, day } = await this.insert(tx, named, before, step, { lost, parts: [] });
    const legs = [
      ...leg('unmatched_receipts', 'disputed_funds', step.taken.minus(lost)),
      ...leg('payment_losses', 'disputed_funds', lost),
    ];
    const isBack = step.taken.isNegative();
    this.book(tx, dispute, step, day, null, isBack ? [] : legs, isBack ? legs : []);
    if (!step.taken.isZero()) {
      this.reversals.store(tx, reversalOf(dispute, step, lost, { fromCredit: none }));
    }
    if (before && isNothingNew(before, step)) return;
    const actor: Actor = { type: 'gateway', id: dispute.gateway };
    const alone = { type: eventOf(before, step), data: { dispute: presentDispute(dispute) } };
    this.facts.tell(tx, { ...dispute, recordedAt: tx.now() }, { actor, alone });
  }

  /** @returns the dispute with the step, and the day on which the books have that */
  private async insert(
    tx: Tx,
    named: NamedDispute,
    before: Dispute | null,
    step: DisputeStep,
    { lost, parts }: { lost: Money; parts: readonly DisputedPart[] },
  ): Promise<{ dispute: Dispute; day: IsoDate }> {
    const recordedAt = tx.now();
    const at = believable(step.at, recordedAt);
    const { own, booked: day } = await bookedDayOf(tx, named.accountId, at);
    const isBooked = [step.withdrawn, step.fee, step.taken].some((amount) => !amount.isZero());
    const bookedOn = isBooked && day > own ? day : null;
    const known = before ?? { openedAt: step.at, recordedAt };
    const told = {
      ...named,
      openedAt: known.openedAt,
      recordedAt: known.recordedAt,
      bookedOn: bookedOn ?? before?.bookedOn ?? null,
    };
    const dispute = afterStep(told, before, step, lost);
    if (!before) this.disputes.insert(tx, dispute, step.amount.currency);
    const dated = { recordedAt, bookedOn };
    this.disputes.insertStep(tx, dispute, { ...step, step: dispute.steps, ...dated }, parts);
    return { dispute, day };
  }

  /** Each fact has the legs that are its own; what moves nothing is no fact. */
  private book(
    tx: Tx,
    { accountId, id: factId }: Dispute,
    { withdrawn, fee }: DisputeStep,
    effective: IsoDate,
    customerId: Uuid | null,
    lost: readonly Leg[],
    back: readonly Leg[],
  ): void {
    const recordedAt = tx.now();
    const entry = { accountId, factId, customerId, effective, recordedAt };
    const none = Money.zero(fee.currency);
    const more = (amount: Money) => (amount.isPositive() ? amount : none);
    const less = (amount: Money) => more(amount.negated());
    const opened = [
      ...leg('disputed_funds', 'gateway_clearing', more(withdrawn)),
      ...leg('gateway_fees', 'gateway_clearing', more(fee)),
    ];
    const won = [
      ...leg('gateway_clearing', 'disputed_funds', less(withdrawn)),
      ...leg('gateway_clearing', 'gateway_fees', less(fee)),
      ...back,
    ];
    this.facts.write(tx, { ...entry, fact: 'dispute.opened', legs: opened });
    this.facts.write(tx, { ...entry, fact: 'dispute.won', legs: won });
    this.facts.write(tx, { ...entry, fact: 'dispute.lost', legs: lost });
  }

  /** @returns the link as it is now; null where it stays */
  private follow(
    tx: Tx,
    link: PaymentLink,
    { at, reason, taken }: DisputeStep,
    documents: readonly Document[],
  ): PaymentLink | null {
    if (taken.isNegative()) {
      const paidAt = link.paidAt ?? at;
      const paid = paidLink(link, paidAt);
      if (!paid) return null;
      documentOf(documents, link.documentId).held.expect(processingChange(link, paid));
      this.links.markPaid(tx, link, paidAt);
      return paid;
    }
    const failed = failedLink(link, at, reason);
    if (!failed) return null;
    documentOf(documents, link.documentId).held.expect(processingChange(link, failed));
    this.links.setProgress(tx, failed);
    return failed;
  }

  /** A step in the history of each document that it touches, else a fact of its own. */
  private tell(
    tx: Tx,
    dispute: Dispute,
    type: ReturnType<typeof eventOf>,
    { payment, documents, parts, plan, back }: StepOfPayment,
    { link, day }: { link: PaymentLink | null; day: IsoDate },
  ): void {
    const actor: Actor = { type: 'gateway', id: dispute.gateway };
    const shown = presentDispute(dispute);
    const touched = new Set([
      ...[...parts, ...(plan?.parts ?? [])].map(({ documentId }) => documentId),
      ...(back?.parts ?? []).map(({ document }) => document.state.id),
    ]);
    const steps = documents.flatMap((document) => {
      const { id } = document.state;
      const again = back?.parts.find((one) => one.document === document);
      const events: LeadingEvent[] = [
        ...(touched.has(id) ? [{ type, data: { dispute: shown } }] : []),
        ...(again ? excessMoved(payment.id, again) : []),
      ];
      if (link?.documentId === id) events.push(ofLink(link, tx.now()));
      return events.length > 0 ? [{ document, events, effective: null, movedOn: day }] : [];
    });
    const alone = touched.size === 0 ? { type, data: { dispute: shown } } : null;
    const of = { ...dispute, recordedAt: tx.now() };
    this.facts.tell(tx, of, { actor, steps, alone });
  }
}

function receiptLegs(toReceipt: BackToReceipt | null): Leg[] {
  if (!toReceipt) return [];
  const { amount, lost } = toReceipt;
  return [
    ...leg('disputed_funds', 'unmatched_receipts', amount.minus(lost)),
    ...leg('disputed_funds', 'payment_losses', lost),
  ];
}

function reversalOf(
  dispute: Dispute,
  { taken, reason, at }: DisputeStep,
  lost: Money,
  { fromCredit }: { fromCredit: Money },
) {
  const { accountId, id: disputeId, of, gateway, providerPaymentId } = dispute;
  const named = { accountId, disputeId, of, gateway, providerPaymentId, reference: null };
  return { ...named, amount: taken, fromCredit, lost, reason, failedAt: at };
}

function ofLink(link: PaymentLink, now: Date): LeadingEvent {
  const data = { payment_link: presentPaymentLink(link, now) };
  return { type: link.status === 'paid' ? 'payment_link.paid' : 'payment_link.failed', data };
}

function documentOf(documents: readonly Document[], id: Uuid): Document {
  const document = documents.find(({ state }) => state.id === id);
  if (!document) throw new Error(`document ${id} of a dispute is not locked`);
  return document;
}
