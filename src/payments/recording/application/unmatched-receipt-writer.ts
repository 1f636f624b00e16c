import { Injectable } from '@nestjs/common';
import { type LedgerEntry, leg } from '../../../books/index.js';
import type { Document, LeadingEvent } from '../../../documents/index.js';
import type { Actor } from '../../../kernel/actor.js';
import type { IsoDate } from '../../../kernel/clock.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import {
  openUnmatchedReceipt,
  type TakenMoney,
  type UnmatchedReceipt,
} from '../domain/unmatched-receipt.js';
import { MoneyFacts } from './money-facts.js';
import { unmatchedEventData } from '../wire/unmatched-receipt.js';
import { UnmatchedReceiptRepository } from '../infrastructure/unmatched-receipt.repository.js';

/** Keeps money that no document can take: the provider holds it, and we owe it to somebody. */
@Injectable()
export class UnmatchedReceiptWriter {
  constructor(
    private readonly receipts: UnmatchedReceiptRepository,
    private readonly facts: MoneyFacts,
  ) {}

  /**
   * @param document the one that it was meant for, locked, where that is known
   * @param effective the day or instant from which it has no home: when it was paid, if not told
   * @param also what else happened to that document
   */
  keep(
    tx: Tx,
    taken: TakenMoney,
    actor: Actor,
    document: Document | null,
    {
      effective = taken.paidAt,
      also = [],
    }: { effective?: IsoDate | Date; also?: LeadingEvent[] } = {},
  ): UnmatchedReceipt {
    const receipt = openUnmatchedReceipt({ ...taken, id: tx.newId() });
    const { accountId, id, amount, fee, receivedAt } = receipt;
    this.receipts.insert(tx, receipt);
    const told = { type: 'payment.unmatched' as const, data: unmatchedEventData(receipt) };
    const steps = document ? [{ document, events: [told, ...also] }] : [];
    const entry: LedgerEntry = {
      accountId,
      fact: 'receipt.unmatched',
      factId: id,
      customerId: null,
      effective,
      recordedAt: receivedAt,
      legs: [
        ...leg('gateway_clearing', 'unmatched_receipts', amount),
        ...(fee ? leg('gateway_fees', 'gateway_clearing', fee) : []),
      ],
    };
    this.facts.write(tx, entry, { actor, steps, alone: document ? null : told });
    return receipt;
  }

  async lock(tx: Tx, accountId: Uuid, id: Uuid): Promise<UnmatchedReceipt> {
    return this.receipts.getForUpdate(tx, accountId, id);
  }

  /** A payment of it is reversed. */
  reopen(tx: Tx, receipt: UnmatchedReceipt, money: Money): void {
    this.receipts.addSettled(tx, receipt, money.negated());
  }
}
