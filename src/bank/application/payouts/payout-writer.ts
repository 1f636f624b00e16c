import { Injectable } from '@nestjs/common';
import { LedgerRepository, leg, type Leg } from '../../../books/index.js';
import { type EventData, EventLog } from '../../../events/index.js';
import type { Actor } from '../../../kernel/actor.js';
import type { IsoDate } from '../../../kernel/clock.js';
import { publicId, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { ProviderPayouts } from '../../../payments/index.js';
import type { Tx } from '../../../platform/database/tx.js';
import type { BankEntry } from '../../domain/bank-entry.js';
import {
  bookedLines,
  type CompletedLine,
  isUnknownLine,
  type Payout,
  type PayoutUndoing,
  type StatedPayout,
} from '../../domain/payouts/payout.js';
import { PayoutRepository } from '../../infrastructure/payout.repository.js';
import { payoutStep } from '../../wire/bank-events.js';

type PayoutEvent = keyof EventData & `payout.${string}`;

/** Writes payouts with what they move in the ledger. */
@Injectable()
export class PayoutWriter {
  constructor(
    private readonly repository: PayoutRepository,
    private readonly ledger: LedgerRepository,
    private readonly reports: ProviderPayouts,
    private readonly events: EventLog,
  ) {}

  /** A new payout, which nothing is known of but what the provider says. */
  async send(
    tx: Tx,
    accountId: Uuid,
    clientId: Uuid | null,
    stated: StatedPayout,
  ): Promise<Payout> {
    const { lines, ...said } = stated;
    const named = lines.flatMap(({ providerId }) => providerId ?? []);
    const known = await this.repository.known(tx, accountId, said.gateway, named);
    const told = bookedLines(lines, known);
    const fees = told.map(({ bookedFee }) => bookedFee);
    const payout: Payout = {
      ...said,
      id: tx.newId(),
      accountId,
      bookedFee: Money.sum([said.fee, ...fees], said.amount.currency),
      status: 'sent',
      clientId,
      recordedAt: tx.now(),
      bankEntryId: null,
      failedOn: null,
      undoneReason: null,
    };
    this.repository.insert(tx, payout, told);
    this.reports.booked(tx, payout, told.filter(isUnknownLine), payout.recordedAt);
    this.book(tx, payout, 'payout.sent', said.sentOn, [
      ...leg('payouts_in_transit', 'gateway_clearing', payout.amount),
      ...leg('gateway_fees', 'gateway_clearing', payout.bookedFee),
    ]);
    this.tell(tx, 'payout.sent', payout, actorOf(payout.gateway, clientId));
    return payout;
  }

  /** Things that it named before they were known are known now: their fees are booked. */
  complete(tx: Tx, payout: Payout, lines: readonly CompletedLine[]): void {
    if (lines.length === 0) return;
    this.repository.insertCompleted(tx, payout, lines);
    const { currency } = payout.amount;
    const fees = Money.sum(
      lines.map(({ bookedFee }) => bookedFee),
      currency,
    );
    this.book(
      tx,
      payout,
      'payout.sent',
      payout.sentOn,
      leg('gateway_fees', 'gateway_clearing', fees),
    );
    const completed = { ...payout, bookedFee: payout.bookedFee.plus(fees) };
    this.tell(tx, 'payout.completed', completed, actorOf(payout.gateway, null));
  }

  /** An entry of the bank is it. Its row must be locked. */
  arrive(tx: Tx, payout: Payout, { id: bankEntryId }: BankEntry, actor: Actor): void {
    this.repository.setStatus(tx, payout, 'paid');
    this.tell(tx, 'payout.paid', { ...payout, status: 'paid', bankEntryId }, actor);
  }

  /** The entry is something else. Its row must be locked. */
  leave(tx: Tx, payout: Payout, actor: Actor): void {
    this.repository.setStatus(tx, payout, 'sent');
    this.tell(tx, 'payout.unpaid', { ...payout, status: 'sent', bankEntryId: null }, actor);
  }

  /** The provider has the money again, or it never left; the fees are only gone if it never did. */
  undo(
    tx: Tx,
    payout: Payout,
    undoing: { kind: PayoutUndoing; on: IsoDate; reason: string | null; clientId: Uuid | null },
  ): Payout {
    const { kind, on, reason } = undoing;
    const at = tx.now();
    this.repository.undo(tx, payout, { ...undoing, at });
    if (kind === 'failed') this.reports.booked(tx, payout, [], at);
    const { amount, bookedFee, status } = payout;
    const back = leg('gateway_clearing', 'payouts_in_transit', amount);
    const fees = leg('gateway_clearing', 'gateway_fees', bookedFee);
    const legs = kind === 'failed' ? back : [...(status === 'failed' ? [] : back), ...fees];
    this.book(tx, payout, `payout.${kind}`, on, legs);
    const failedOn = kind === 'failed' ? on : payout.failedOn;
    const undoneReason = reason ?? payout.undoneReason;
    const undone: Payout = { ...payout, status: kind, failedOn, undoneReason };
    this.tell(tx, `payout.${kind}`, undone, actorOf(payout.gateway, undoing.clientId));
    return undone;
  }

  private tell(tx: Tx, type: PayoutEvent, payout: Payout, actor: Actor): void {
    this.events.tell(tx, { accountId: payout.accountId, actor }, type, payoutStep(payout));
  }

  private book(
    tx: Tx,
    { accountId, id }: Payout,
    fact: 'payout.sent' | 'payout.failed' | 'payout.reversed',
    effective: IsoDate,
    legs: readonly Leg[],
  ): void {
    const of = { accountId, fact, factId: id, customerId: null };
    this.ledger.insert(tx, { ...of, effective, recordedAt: tx.now(), legs });
  }
}

/** @param clientId null: the provider tells it */
function actorOf(gateway: string, clientId: Uuid | null): Actor {
  return clientId === null
    ? { type: 'gateway', id: gateway }
    : { type: 'client', id: publicId('cli', clientId) };
}
