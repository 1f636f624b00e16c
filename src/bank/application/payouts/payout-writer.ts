import { Injectable } from '@nestjs/common';
import { LedgerRepository, leg, type Leg } from '../../../books/index.js';
import { Clock, type IsoDate } from '../../../kernel/clock.js';
import { IdGenerator, type Uuid } from '../../../kernel/ids.js';
import { Money } from '../../../kernel/money.js';
import { ProviderPayouts } from '../../../payments/index.js';
import type { Tx } from '../../../platform/database/tx.js';
import {
  bookedLines,
  type CompletedLine,
  isUnknownLine,
  type Payout,
  type PayoutUndoing,
  type StatedPayout,
} from '../../domain/payouts/payout.js';
import { PayoutRepository } from '../../infrastructure/payout.repository.js';

/** Writes payouts with what they move in the ledger. */
@Injectable()
export class PayoutWriter {
  constructor(
    private readonly repository: PayoutRepository,
    private readonly ledger: LedgerRepository,
    private readonly reports: ProviderPayouts,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
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
      id: this.ids.next(),
      accountId,
      bookedFee: Money.sum([said.fee, ...fees], said.amount.currency),
      status: 'sent',
      clientId,
      recordedAt: this.clock.now(),
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
  }

  /** The provider has the money again, or it never left; the fees are only gone if it never did. */
  undo(
    tx: Tx,
    payout: Payout,
    undoing: { kind: PayoutUndoing; on: IsoDate; reason: string | null; clientId: Uuid | null },
  ): Payout {
    const { kind, on, reason } = undoing;
    const at = this.clock.now();
    this.repository.undo(tx, payout, { ...undoing, at });
    if (kind === 'failed') this.reports.booked(tx, payout, [], at);
    const { amount, bookedFee, status } = payout;
    const back = leg('gateway_clearing', 'payouts_in_transit', amount);
    const fees = leg('gateway_clearing', 'gateway_fees', bookedFee);
    const legs = kind === 'failed' ? back : [...(status === 'failed' ? [] : back), ...fees];
    this.book(tx, payout, `payout.${kind}`, on, legs);
    const failedOn = kind === 'failed' ? on : payout.failedOn;
    return { ...payout, status: kind, failedOn, undoneReason: reason ?? payout.undoneReason };
  }

  private book(
    tx: Tx,
    { accountId, id }: Payout,
    fact: 'payout.sent' | 'payout.failed' | 'payout.reversed',
    effective: IsoDate,
    legs: readonly Leg[],
  ): void {
    const of = { accountId, fact, factId: id, customerId: null };
    this.ledger.insert(tx, { ...of, effective, recordedAt: this.clock.now(), legs });
  }
}
