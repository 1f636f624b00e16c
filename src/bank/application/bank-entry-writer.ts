import { Injectable } from '@nestjs/common';
import { LedgerRepository, leg, type Leg } from '../../books/index.js';
import { Clock } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  type BankEntry,
  type BankEntryStatus,
  feeOfReturn,
  type PostingAccount,
  reopened,
} from '../domain/bank-entry.js';
import type { Money } from '../../kernel/money.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';

/** Writes what became of an entry, and what of it no payment books: fees, and posted entries. */
@Injectable()
export class BankEntryWriter {
  constructor(
    private readonly repository: BankStatementRepository,
    private readonly ledger: LedgerRepository,
    private readonly clock: Clock,
  ) {}

  /** It is a payment: one that it made, or one that a person recorded. */
  asPayment(tx: Tx, entry: BankEntry, status: 'booked' | 'recorded', paymentId: Uuid): void {
    this.settle(tx, entry, status, { paymentId });
    this.write(tx, entry, 'bank_entry.booked', legsOf({ ...entry, status }));
  }

  /** It took a payment back. */
  asReturn(tx: Tx, entry: BankEntry, payment: { paymentId: Uuid; amount: Money }): void {
    this.settle(tx, entry, 'returned', { paymentId: payment.paymentId });
    const fee = feeOfReturn(entry, payment.amount);
    this.write(tx, entry, 'bank_entry.booked', leg('bank_fees', 'cash', fee));
  }

  /** It stands on an account of the chart. */
  asPosting(tx: Tx, entry: BankEntry, ledgerAccount: PostingAccount): void {
    this.settle(tx, entry, 'posted', { ledgerAccount });
    this.write(
      tx,
      entry,
      'bank_entry.booked',
      legsOf({ ...entry, status: 'posted', ledgerAccount }),
    );
  }

  /** It is a payout of a provider, which is no longer on its way. */
  asPayout(tx: Tx, entry: BankEntry, payoutId: Uuid): void {
    const posted = { status: 'posted', ledgerAccount: 'payouts_in_transit' } as const;
    this.settle(tx, entry, posted.status, { ...posted, payoutId });
    this.write(tx, entry, 'bank_entry.booked', legsOf({ ...entry, ...posted }));
  }

  /** Opens a posted or recorded entry again. */
  undo(tx: Tx, entry: BankEntry): void {
    this.settle(tx, entry, reopened(entry), {});
    const legs = legsOf(entry).map((one) => ({ ...one, debit: one.credit, credit: one.debit }));
    this.write(tx, entry, 'bank_entry.unbooked', legs);
  }

  /** Nothing was booked. */
  leave(tx: Tx, entry: BankEntry, status: 'proposed' | 'unmatched' | 'ignored'): void {
    this.settle(tx, entry, status, {});
  }

  private settle(
    tx: Tx,
    entry: BankEntry,
    status: BankEntryStatus,
    {
      paymentId = null,
      payoutId = null,
      ledgerAccount = null,
    }: Partial<Pick<BankEntry, 'paymentId' | 'payoutId' | 'ledgerAccount'>>,
  ): void {
    const at = this.clock.now();
    this.repository.settle(tx, entry, { status, paymentId, payoutId, ledgerAccount, at });
  }

  private write(
    tx: Tx,
    { accountId, id, bookedOn }: BankEntry,
    fact: 'bank_entry.booked' | 'bank_entry.unbooked',
    legs: readonly Leg[],
  ): void {
    const recordedAt = this.clock.now();
    const of = { accountId, fact, factId: id, customerId: null };
    this.ledger.insert(tx, { ...of, effective: bookedOn, recordedAt, legs });
  }
}

/** The part of an entry that no payment books. */
function legsOf({ status, direction, amount, fee, ledgerAccount }: BankEntry): Leg[] {
  const fees = leg('bank_fees', 'cash', fee);
  if (status !== 'posted' || !ledgerAccount) return fees;
  const posted =
    direction === 'credit'
      ? leg('cash', ledgerAccount, amount)
      : leg(ledgerAccount, 'cash', amount);
  return [...posted, ...fees];
}
