import { Injectable } from '@nestjs/common';
import {
  bookedDayOf,
  dueAccount,
  leg,
  type Leg,
  mirrored,
  paidOutLegs,
  waiversTakenBack,
} from '../../../../books/index.js';
import type { Document, LeadingEvent } from '../../../../documents/index.js';
import type { Actor } from '../../../../kernel/actor.js';
import type { IsoDate } from '../../../../kernel/clock.js';
import { Money } from '../../../../kernel/money.js';
import type { Tx } from '../../../../platform/database/tx.js';
import { settlingAccount } from '../../../recording/domain/conversion.js';
import { presentRefund } from '../../wire/refund.js';
import { coveredPart, type Refund, type RefundUndoing } from '../../domain/refund.js';
import { undecidedPart } from '../../domain/refunds/refund-meaning.js';
import { MoneyFacts } from '../../../recording/application/money-facts.js';
import { PaymentRepository } from '../../../recording/infrastructure/payment.repository.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import {
  excessMoved,
  ExcessMoves,
  type ReturnedPart,
} from '../../../recording/application/excess-moves.js';

/**
 * Writes that a refund is undone, with everything that it changes. It mirrors the refund's entry;
 * what a document does not take again is moved to the customer's credit by a fact of its own.
 */
@Injectable()
export class RefundUndoingWriter {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly payments: PaymentRepository,
    private readonly facts: MoneyFacts,
    private readonly moves: ExcessMoves,
  ) {}

  /** @param documents its own, locked */
  async write(
    tx: Tx,
    actor: Actor,
    refund: Refund,
    undoing: RefundUndoing,
    documents: readonly Document[],
    now: Date,
  ): Promise<ReturnedPart[]> {
    const { accountId, of, paidFrom, conversion } = refund;
    const account = settlingAccount(paidFrom, conversion);
    const customerId = of.type === 'payment' ? of.customerId : null;
    const entry = { accountId, customerId, effective: undoing.at, recordedAt: now };
    const was = { ...entry, fact: 'payment.refunded' as const, factId: refund.id };
    const waivers = documents.length > 0 ? await waiversTakenBack(tx, was) : null;
    const legs: Leg[] = [];
    const back = documents.map((document): ReturnedPart => {
      const { id, lifecycle } = document.state;
      // Before it: afterwards the same document may be due under another name.
      const due = dueAccount({ lifecycle });
      const zero = Money.zero(refund.amount.currency);
      const amount = refund.parts.find(({ documentId }) => documentId === id)?.amount ?? zero;
      const { excess, waived } = document.takeBack({
        amount,
        waived: waivers?.get(id) ?? zero,
        wasUnpaid: false,
      });
      document.refunded.leave((undecidedPart(refund, id) ?? zero).negated());
      legs.push(...leg(account, due, amount, id), ...leg('payment_differences', due, waived, id));
      return { document, amount, excess };
    });
    const rest: [Leg['credit'], Money] =
      of.type === 'payment'
        ? ['customer_credit', refund.fromCredit]
        : ['unmatched_receipts', coveredPart(refund)];
    legs.push(...leg(account, ...rest), ...leg(account, 'payment_losses', refund.lost));
    legs.push(...mirrored(paidOutLegs(paidFrom, conversion, refund.amount)));
    this.refunds.insertUndoing(tx, refund, undoing);
    this.refunds.addReturned(tx, refund, coveredPart(refund).negated());
    this.facts.write(tx, { ...entry, fact: `refund.${undoing.kind}`, factId: refund.id, legs });
    if (of.type === 'payment') {
      const isNow = undoing.at.getTime() === now.getTime();
      const day = isNow ? now : (await bookedDayOf(tx, accountId, undoing.at)).booked;
      this.giveCredit(tx, refund, of, { effective: day, recordedAt: now }, back);
    }
    this.tell(tx, actor, { ...refund, undoing }, { ...undoing, at: now }, back);
    return back;
  }

  private giveCredit(
    tx: Tx,
    { accountId, fromCredit }: Refund,
    { paymentId, customerId }: { paymentId: string; customerId: string },
    when: { effective: IsoDate | Date; recordedAt: Date },
    back: readonly ReturnedPart[],
  ): void {
    const at = when.recordedAt;
    const amount = back.reduce((sum, { excess }) => sum.plus(excess), fromCredit);
    if (!amount.isPositive()) return;
    const credit = { accountId, customerId, amount, paymentId, creditNoteId: null, at };
    this.payments.addCredit(tx, credit);
    this.moves.write(tx, { accountId, id: paymentId, customerId, amount }, back, when);
  }

  /** A step in the history of each document that gave something, else a fact of its own. */
  private tell(
    tx: Tx,
    actor: Actor,
    refund: Refund,
    { kind, at: recordedAt }: RefundUndoing,
    back: readonly ReturnedPart[],
  ): void {
    const { accountId, of } = refund;
    const type = `refund.${kind}` as const;
    const shown = presentRefund(refund);
    const steps = back.map((part) => {
      const { document, amount } = part;
      const data = { refund: shown, amount: amount.toMinorNumber() };
      const moved = of.type === 'payment' ? excessMoved(of.paymentId, part) : [];
      const events: LeadingEvent[] = [{ type, data }, ...moved];
      return { document, events, effective: null, movedOn: refund.undoing?.at };
    });
    const alone = back.length === 0 ? { type, data: { refund: shown } } : null;
    this.facts.tell(tx, { accountId, recordedAt }, { actor, steps, alone });
  }
}
