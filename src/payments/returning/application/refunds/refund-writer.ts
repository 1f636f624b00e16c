import { Injectable } from '@nestjs/common';
import type { Document } from '../../../../documents/index.js';
import type { Actor } from '../../../../kernel/actor.js';
import { Clock } from '../../../../kernel/clock.js';
import { publicId } from '../../../../kernel/ids.js';
import { Money } from '../../../../kernel/money.js';
import { Config } from '../../../../platform/config/config.js';
import type { Tx } from '../../../../platform/database/tx.js';
import {
  type LedgerEntry,
  type Leg,
  dueAccount,
  leg,
  paidOutLegs,
  takeOffLegs,
} from '../../../../books/index.js';
import { settlingAccount } from '../../../recording/domain/conversion.js';
import { presentRefund } from '../../wire/refund.js';
import { firstLook, coveredPart, nextLook, type Refund } from '../../domain/refund.js';
import { isLowering, undecidedPart } from '../../domain/refunds/refund-meaning.js';
import { RefundRepository } from '../../infrastructure/refund.repository.js';
import { setCreditAside } from '../../../recording/application/noted-documents.js';
import { MoneyFacts } from '../../../recording/application/money-facts.js';
import { RefundMeanings } from './refund-meanings.js';

/**
 * Writes the steps of a refund, each with everything that it changes. Only one that succeeded is in
 * the books: until then its money is set aside, and no document knows of it.
 */
@Injectable()
export class RefundWriter {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly meanings: RefundMeanings,
    private readonly facts: MoneyFacts,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** The provider is about to be asked: nobody else may give the same money away. */
  setAside(tx: Tx, refund: Refund): Refund {
    const nextLookAt = firstLook(refund.requestedAt, this.config.refundLookUpSeconds);
    const sent = { ...refund, nextLookAt: this.clock.onServer(nextLookAt) };
    this.refunds.insert(tx, sent);
    this.refunds.addReturned(tx, sent, coveredPart(sent));
    this.refunds.reserveCredit(tx, sent, sent.fromCredit.plus(sent.creditKept));
    return sent;
  }

  /**
   * It went back already, by hand or at the provider.
   * @param documents its own, locked
   * @returns it with its credit notes @throws DomainError as `RefundMeanings.follow`
   */
  async record(tx: Tx, made: Refund, documents: readonly Document[]): Promise<Refund> {
    // Nothing is kept for what is done.
    const refund = { ...made, creditKept: Money.zero(made.amount.currency) };
    this.refunds.insert(tx, refund);
    this.refunds.addReturned(tx, refund, coveredPart(refund));
    this.book(tx, refund, documents, false);
    return this.meanings.follow(tx, refund, documents, actorOf(refund));
  }

  /** @param documents its own, locked @returns it with its credit notes */
  async succeed(tx: Tx, refund: Refund, documents: readonly Document[]): Promise<Refund> {
    this.refunds.update(tx, refund);
    this.book(tx, refund, documents, true);
    return this.meanings.follow(tx, refund, documents, actorOf(refund));
  }

  /** The provider said no: the money stays where it is, and may be given back again. */
  fail(tx: Tx, refund: Refund): void {
    this.refunds.update(tx, refund);
    this.refunds.addReturned(tx, refund, coveredPart(refund).negated());
    this.refunds.reserveCredit(tx, refund, refund.fromCredit.plus(refund.creditKept).negated());
    const of = { accountId: refund.accountId, recordedAt: tx.now() };
    const alone = { type: 'refund.failed' as const, data: { refund: presentRefund(refund) } };
    this.facts.tell(tx, of, { actor: actorOf(refund), alone });
  }

  /** Nothing is decided; it is asked again. */
  wait(tx: Tx, refund: Refund, now: Date): Refund {
    const nextLookAt = nextLook(now, refund.attempts, this.config.refundLookUpSeconds);
    const waiting = { ...refund, nextLookAt: nextLookAt && this.clock.onServer(nextLookAt) };
    this.refunds.update(tx, waiting);
    return waiting;
  }

  private book(tx: Tx, refund: Refund, documents: readonly Document[], wasReserved: boolean): void {
    const { accountId, of, fromCredit, creditKept } = refund;
    const customerId = of.type === 'payment' ? of.customerId : null;
    const spoken = wasReserved ? creditKept.negated() : fromCredit;
    if (customerId) setCreditAside(documents, customerId, spoken);
    if (wasReserved) this.refunds.reserveCredit(tx, refund, creditKept.negated());
    const taken = documents.map((document) => {
      const { id, lifecycle } = document.state;
      const part = refund.parts.find(({ documentId }) => documentId === id);
      const amount = part?.amount ?? Money.zero(fromCredit.currency);
      // Before it: afterwards the same document may be due under another name.
      const due = dueAccount({ lifecycle });
      const waived = document.refund(amount, isLowering(refund));
      document.refunded.leave(undecidedPart(refund, id) ?? amount.minus(amount));
      return { document, documentId: id, due, amount, waived };
    });
    const { paidFrom, conversion, amount: all } = refund;
    const account = settlingAccount(paidFrom, conversion);
    const now = tx.now();
    this.refunds.takeCredit(tx, refund, wasReserved, now);
    const entry: LedgerEntry = {
      accountId,
      fact: of.type === 'payment' ? 'payment.refunded' : 'receipt.refunded',
      factId: refund.id,
      customerId,
      effective: whenSettled(refund),
      recordedAt: now,
      legs: [
        ...takeOffLegs(account, taken),
        ...legsOfTheRest(refund, account),
        ...paidOutLegs(paidFrom, conversion, all),
      ],
    };
    const told = { type: 'payment.refunded' as const, data: { refund: presentRefund(refund) } };
    const steps = taken.map(({ document, amount }) => ({
      document,
      events: [{ ...told, data: { ...told.data, amount: amount.toMinorNumber() } }],
      effective: whenSettled(refund),
    }));
    const alone = taken.length === 0 ? told : null;
    this.facts.write(tx, entry, { actor: actorOf(refund), steps, alone });
  }
}

function whenSettled({ settledAt, requestedAt }: Refund): Date {
  return settledAt ?? requestedAt;
}

function actorOf({ clientId, gateway }: Refund): Actor {
  return clientId === null
    ? { type: 'gateway', id: gateway }
    : { type: 'client', id: publicId('cli', clientId) };
}

function legsOfTheRest(refund: Refund, account: Leg['credit']): Leg[] {
  return [
    ...(refund.of.type === 'payment'
      ? leg('customer_credit', account, refund.fromCredit)
      : leg('unmatched_receipts', account, coveredPart(refund))),
    ...leg('payment_losses', account, refund.lost),
  ];
}
