import { Injectable } from '@nestjs/common';
import { DocumentRefusal, type Document, DocumentRepository } from '../../../documents/index.js';
import type { By } from '../../../kernel/actor.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { DomainError } from '../../../kernel/domain-error.js';
import { assertHappened } from '../../../kernel/fact-dates.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import type { CommitGuard, Tx } from '../../../platform/database/tx.js';
import { UnitOfWork } from '../../../platform/database/unit-of-work.js';
import { paymentDisputed } from '../../port/domain/payment-refusals.js';
import { afterMove, afterReversal, freeOn, type Holding } from '../domain/holding.js';
import {
  type Leg,
  dueAccount,
  leg,
  mirrored,
  receivedLegs,
  takeOffLegs,
  laterDay,
} from '../../../books/index.js';
import {
  isFromCredit,
  ledgerSource,
  moneySource,
  type Payment,
  received,
} from '../domain/payment.js';
import {
  amountExceedsAllocated,
  currencyMismatch,
  customerMismatch,
  insufficientCredit,
  paymentReversed,
  unknownDocument,
  PaymentRefusal,
} from '../../port/domain/payment-refusals.js';
import { getHoldingForUpdate } from '../infrastructure/holdings.repository.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';
import { moneyWithoutHome } from '../domain/unmatched-receipt.js';
import { AllocationWriter } from './allocation-writer.js';
import { UnmatchedReceiptWriter } from './unmatched-receipt-writer.js';

/** A document, or the customer's credit. */
export type PaymentPlace = Uuid | 'credit';

export interface Move {
  paymentId: Uuid;
  from: PaymentPlace;
  to: PaymentPlace;
  /** All that is there, as far as the new place can take it, when null. */
  amountMinor: bigint | null;
  /** Now when null. */
  movedAt: Date | null;
}

/** A payment after its money was moved, or it was reversed. */
export interface ChangedPayment {
  holding: Holding;
  /** The first open day, where that of the change is closed. */
  bookedOn: IsoDate | null;
}

/**
 * Moves the money of a recorded payment to another document or to credit, or reverses the payment.
 */
@Injectable()
export class Allocations {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly documents: DocumentRepository,
    private readonly payments: PaymentRepository,
    private readonly unmatched: UnmatchedReceiptWriter,
    private readonly writer: AllocationWriter,
  ) {}

  /** Moves a part of a payment to another document, to the customer's credit, or from there. */
  async move(by: By, move: Move, guard?: CommitGuard<ChangedPayment>): Promise<ChangedPayment> {
    return this.uow.run((tx) => this.moveWithin(tx, by, move), guard);
  }

  /** The same within a transaction. @throws DomainError as `move` */
  async moveWithin(tx: Tx, by: By, move: Move): Promise<ChangedPayment> {
    if (move.from === move.to) throw samePlace();
    const holding = await getHoldingForUpdate(tx, by.accountId, move.paymentId);
    const { payment, isReversed } = holding;
    if (isReversed) throw paymentReversed();
    const [from, to] = await this.lockPlaces(tx, payment, move);
    const documents = [from, to].filter((document) => document !== null);
    const [now, { movedAt }] = [tx.now(), move];
    const day = movedAt && (await this.writer.dayOfMove(tx, payment, movedAt, documents, now));
    const amount = await this.movable(tx, holding, from, to, move.amountMinor);
    const legs = [
      ...(from ? takenOff(from, amount, 'customer_credit') : []),
      ...(to ? applied(to, amount) : []),
    ];
    const factId = tx.newId();
    const changes = [
      ...(from ? [{ id: factId, documentId: from.state.id, amount: amount.negated() }] : []),
      ...(to ? [{ id: from ? tx.newId() : factId, documentId: to.state.id, amount }] : []),
    ];
    const toCredit = from ? amount : amount.negated();
    this.writer.move(tx, by.actor, payment, {
      factId,
      changes,
      credit: from && to ? Money.zero(amount.currency) : toCredit,
      legs,
      documents,
      told: {
        amount: amount.toMinorNumber(),
        from: nameOf(move.from),
        to: nameOf(move.to),
      },
      effective: day && day.booked,
      at: now,
    });
    return {
      holding: afterMove(holding, from?.state.id ?? null, to?.state.id ?? null, amount),
      bookedOn: day && day.booked > day.own ? day.booked : null,
    };
  }

  /**
   * Takes a wrong payment out of the books: what it paid is due again, what it left is no credit.
   * The payment and its reversal both stay. Money of a provider is without a home then: a receipt
   * that was assigned is open again, and that of a link becomes one.
   */
  async reverse(
    by: By,
    clientId: Uuid,
    paymentId: Uuid,
    { reason, reversedAt }: { reason: string | null; reversedAt: Date | null },
    guard?: CommitGuard<ChangedPayment>,
  ): Promise<ChangedPayment> {
    return this.uow.run(async (tx) => {
      const of = { reason, effective: reversedAt };
      const holding = await this.reverseWithin(tx, by, clientId, paymentId, of);
      const now = tx.now();
      const earlier = { at: holding.payment.paidAt, name: 'when it was paid' };
      assertHappened('reversed_at', reversedAt, now, earlier);
      return { holding, bookedOn: await laterDay(tx, by.accountId, reversedAt, now) };
    }, guard);
  }

  /**
   * The same within a transaction, on a day of its own.
   * @throws DomainError as `reverse`, and `payment_not_reversible` for a bank's day
   */
  async reverseWithin(
    tx: Tx,
    by: By,
    clientId: Uuid,
    paymentId: Uuid,
    { reason, effective }: { reason: string | null; effective: IsoDate | Date | null },
  ): Promise<Holding> {
    await this.payments.lockReports(tx, by.accountId, paymentId);
    const holding = await getHoldingForUpdate(tx, by.accountId, paymentId);
    // A day without a time comes from a bank's entry.
    assertReversible(holding, typeof effective === 'string');
    const { payment, allocations } = holding;
    const receipt =
      payment.source.by === 'receipt'
        ? await this.unmatched.lock(tx, by.accountId, payment.source.receiptId)
        : null;
    const ids = allocations.map(({ documentId }) => documentId);
    const documents = await this.documents.findForUpdate(tx, by.accountId, ids);
    const source = ledgerSource(payment);
    const legs = allocations.flatMap(({ documentId, amount }) =>
      takenOff(documentOf(documents, documentId), amount, source),
    );
    const changes = allocations.map(({ documentId, amount }) => ({
      id: tx.newId(),
      documentId,
      amount: amount.negated(),
    }));
    const credit = await this.takeBackCredit(tx, holding);
    const rest = isFromCredit(payment) ? [] : leg('customer_credit', source, holding.rest);
    const now = tx.now();
    const exchanged = receivedLegs(moneySource(payment), payment.conversion, payment.amount);
    this.writer.reverse(tx, by.actor, payment, clientId, {
      factId: payment.id,
      changes,
      credit,
      legs: [...legs, ...rest, ...feeLegs(payment), ...mirrored(exchanged)],
      documents,
      told: { reason },
      effective,
      at: now,
    });
    if (receipt) this.unmatched.reopen(tx, receipt, received(payment));
    const taken = moneyWithoutHome(payment, now);
    if (taken) this.unmatched.keep(tx, taken, by.actor, null, { effective: effective ?? now });
    return afterReversal(holding);
  }

  private async lockPlaces(
    tx: Tx,
    payment: Payment,
    { from, to }: Move,
  ): Promise<[Document | null, Document | null]> {
    const ids = [from, to].filter((place) => place !== 'credit');
    const documents = await this.documents.findForUpdate(tx, payment.accountId, ids);
    const at = (place: PaymentPlace, pointer: string) => {
      if (place === 'credit') return null;
      const document = documents.find(({ state }) => state.id === place);
      if (!document) throw unknownDocument(pointer);
      const { currency, customerId } = document.state;
      if (currency !== payment.amount.currency) throw currencyMismatch(currency, pointer);
      if (customerId !== payment.customerId) throw customerMismatch(pointer);
      return document;
    };
    return [at(from, '/from'), at(to, '/to')];
  }

  private async movable(
    tx: Tx,
    holding: Holding,
    from: Document | null,
    to: Document | null,
    amountMinor: bigint | null,
  ): Promise<Money> {
    const { payment, rest } = holding;
    const { currency } = payment.amount;
    to?.assertMay('pay');
    const there = from ? freeOn(holding, from.state.id) : rest;
    const most = to ? there.min(to.amountPayable) : there;
    const amount = amountMinor === null ? most : Money.of(amountMinor, currency);
    if (amount.compare(there) > 0 || amount.isZero()) {
      throw holding.disputed.isPositive() ? paymentDisputed(there) : amountExceedsAllocated(there);
    }
    if (from) return amount;
    const { accountId, customerId } = payment;
    const credit = await this.payments.lockCredit(tx, accountId, customerId, currency);
    if (credit.compare(amount) < 0) throw insufficientCredit(credit);
    return amount;
  }

  /** The credit that the payment gave goes; the credit that it took comes back. */
  private async takeBackCredit(tx: Tx, { payment, allocations, rest }: Holding): Promise<Money> {
    const { accountId, customerId, amount } = payment;
    if (isFromCredit(payment)) {
      return Money.sum(
        allocations.map((one) => one.amount),
        amount.currency,
      );
    }
    if (rest.isZero()) return rest;
    const credit = await this.payments.lockCredit(tx, accountId, customerId, amount.currency);
    if (credit.compare(rest) >= 0) return rest.negated();
    throw DocumentRefusal.customer_credit_spent.of(
      `The customer has spent the credit that this payment left; only ${credit} of it is there.`,
      { available_credit: credit.toMinorNumber(), currency: credit.currency },
    );
  }
}

function takenOff(document: Document, amount: Money, target: Leg['credit']): Leg[] {
  const due = dueAccount(document.state);
  const waived = document.unpay(amount);
  return takeOffLegs(target, [{ documentId: document.state.id, due, amount, waived }]);
}

function applied(document: Document, amount: Money): Leg[] {
  const due = dueAccount(document.state);
  document.recordPayment(amount, 'reject');
  return leg('customer_credit', due, amount, document.state.id);
}

/** The fee is booked again with the receipt, or with its next payment. */
function feeLegs({ fee }: Payment): Leg[] {
  return fee ? leg('gateway_clearing', 'gateway_fees', fee) : [];
}

function documentOf(documents: readonly Document[], id: Uuid): Document {
  const document = documents.find(({ state }) => state.id === id);
  if (!document) throw unknownDocument('/payment_id');
  return document;
}

function nameOf(place: PaymentPlace): string {
  return place === 'credit' ? place : publicId('doc', place);
}

function samePlace(): DomainError {
  return PaymentRefusal.same_place.at('/to');
}

/** @param isByBank a bank takes back what came to the bank: nothing of a provider */
function assertReversible(holding: Holding, isByBank: boolean): void {
  const { payment, returned, isReversed, disputed } = holding;
  if (isReversed) throw paymentReversed();
  const isOfProvider = payment.source.by === 'gateway' || payment.source.by === 'receipt';
  if (isByBank && isOfProvider) {
    throw PaymentRefusal.payment_not_reversible.of(
      'A provider took this money, so no bank can take it back; the provider tells us if it does.',
    );
  }
  if (disputed.isPositive()) throw paymentDisputed(payment.amount.minus(disputed));
  if (returned.isZero()) return;
  throw PaymentRefusal.payment_refunded.of(
    'A part of this payment went back, or is on its way; refund the rest instead.',
  );
}
