import { Injectable } from '@nestjs/common';
import { type BookedDay, bookedDayOf, type Leg } from '../../../books/index.js';
import type { Document, LeadingEvent } from '../../../documents/index.js';
import type { Actor } from '../../../kernel/actor.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { assertHappened, tooEarly } from '../../../kernel/fact-dates.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { Payment } from '../domain/payment.js';
import { MoneyFacts } from './money-facts.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';

/** A change in where a payment's money stands after it was recorded. */
interface Reallocation<Told> {
  factId: Uuid;
  /** The amount that each document gets; negative if it gives. */
  changes: readonly { id: Uuid; documentId: Uuid; amount: Money }[];
  /** The amount that the customer's credit gets. */
  credit: Money;
  legs: readonly Leg[];
  /** Those that it touches, locked. */
  documents: readonly Document[];
  told: Told;
  /** The day or instant it counts for, where that is not now. */
  effective?: IsoDate | Date | null;
  at: Date;
}

/** Writes a move or a reversal with everything that it changes: credit, ledger and events. */
@Injectable()
export class AllocationWriter {
  constructor(
    private readonly facts: MoneyFacts,
    private readonly payments: PaymentRepository,
  ) {}

  move(
    tx: Tx,
    actor: Actor,
    payment: Payment,
    move: Reallocation<{ amount: number; from: string; to: string }> & {
      effective: IsoDate | null;
    },
  ): void {
    const { changes, at, effective } = move;
    this.payments.insertAllocations(tx, payment, changes, 'move', at, effective);
    const data = { payment_id: publicId('pay', payment.id), ...move.told };
    this.write(tx, actor, payment, { type: 'payment.moved', data }, move);
  }

  reverse(
    tx: Tx,
    actor: Actor,
    payment: Payment,
    clientId: Uuid,
    reversal: Reallocation<{ reason: string | null }>,
  ): void {
    const { told, changes, effective, at } = reversal;
    const reversedAt = effective instanceof Date ? effective : at;
    this.payments.insertReversal(tx, payment, { ...told, clientId, at: reversedAt });
    this.payments.insertAllocations(tx, payment, changes, 'reversal', at);
    const data = { payment_id: publicId('pay', payment.id), ...told };
    this.write(tx, actor, payment, { type: 'payment.reversed', data }, reversal);
  }

  /**
   * The day of a move that somebody dates: not before the money was where it is moved from, nor
   * before there was a document to move it to.
   */
  async dayOfMove(
    tx: Tx,
    { accountId, id, paidAt }: Payment,
    movedAt: Date,
    documents: readonly Document[],
    now: Date,
  ): Promise<BookedDay> {
    assertHappened('moved_at', movedAt, now, { at: paidAt, name: 'when it was paid' });
    const day = await bookedDayOf(tx, accountId, movedAt);
    const moved = await this.payments.lastMovedOn(tx, accountId, id);
    if (moved !== null && day.booked < moved) {
      throw tooEarly('moved_at', `${moved}, when it was moved last`);
    }
    for (const { state } of documents) {
      if (state.issueDate === null || day.own >= state.issueDate) continue;
      throw tooEarly('moved_at', `${state.issueDate}, the date of ${state.number}`);
    }
    return day;
  }

  private write(
    tx: Tx,
    actor: Actor,
    { id: paymentId, accountId, customerId }: Payment,
    event: Extract<LeadingEvent, { type: 'payment.moved' | 'payment.reversed' }>,
    { factId, credit: amount, legs, documents, effective, at }: Reallocation<unknown>,
  ): void {
    if (!amount.isZero()) {
      const credit = { accountId, customerId, amount, paymentId, creditNoteId: null, at };
      this.payments.addCredit(tx, credit);
    }
    const when = { effective: effective ?? at, recordedAt: at };
    const entry = { accountId, fact: event.type, factId, customerId, ...when, legs };
    const steps = documents.map((document) => ({ document, events: [event], effective }));
    this.facts.write(tx, entry, { actor, steps, alone: documents.length === 0 ? event : null });
  }
}
