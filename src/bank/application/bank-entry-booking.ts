import { Injectable } from '@nestjs/common';
import { type Actor, OPERATOR } from '../../kernel/actor.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import {
  AllocatedPayments,
  type CountedAs,
  foreignFrom,
  type RecordAllocatedPayment,
} from '../../payments/index.js';
import type { Tx } from '../../platform/database/tx.js';
import { type BankEntry, referenceOf } from '../domain/bank-entry.js';
import { BankEntryWriter } from './bank-entry-writer.js';

/** The account of the entries, and the client that asks; null for the operator. */
export interface ByBankClient {
  accountId: Uuid;
  clientId: Uuid | null;
}

/** A person's decision about an entry. */
export type Confirmation = Pick<RecordAllocatedPayment, 'customerId' | 'allocate'> & {
  /** If that is in another currency than the entry. */
  countsAs: CountedAs | null;
};

/** An entry becomes a payment. */
@Injectable()
export class BankEntryBooking {
  constructor(
    private readonly payments: AllocatedPayments,
    private readonly writer: BankEntryWriter,
  ) {}

  async book(
    tx: Tx,
    { accountId, clientId }: ByBankClient,
    entry: BankEntry,
    paidAt: Date,
    { customerId, allocate, countsAs }: Confirmation,
  ): Promise<Uuid> {
    const { payment } = await this.payments.receive(tx, {
      accountId,
      source: { by: 'bank', clientId, bankEntryId: entry.id },
      customerId,
      amountMinor: countsAs?.amountMinor ?? entry.amount.minor,
      currency: countsAs?.currency ?? entry.amount.currency,
      received: countsAs && foreignFrom(entry.amount, countsAs),
      method: 'bank_transfer',
      reference: referenceOf(entry),
      note: null,
      metadata: {},
      paidAt,
      allocate,
    });
    const actor: Actor =
      clientId === null ? OPERATOR : { type: 'client', id: publicId('cli', clientId) };
    this.writer.asPayment(tx, entry, actor, 'booked', payment.id);
    return payment.id;
  }
}
