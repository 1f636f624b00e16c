import { Injectable } from '@nestjs/common';
import { LedgerRepository, leg, type Leg } from '../../books/index.js';
import { EventLog } from '../../events/index.js';
import type { Actor } from '../../kernel/actor.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import {
  type BankEntry,
  feeOfReturn,
  isBooked,
  type PostingAccount,
  reopened,
} from '../domain/bank-entry.js';
import type { Money } from '../../kernel/money.js';
import type { Payout } from '../domain/payouts/payout.js';
import { BankStatementRepository } from '../infrastructure/bank-statement.repository.js';
import { bankEntryStep } from '../wire/bank-events.js';
import { PayoutWriter } from './payouts/payout-writer.js';

/** Writes what became of an entry, and what of it no payment books: fees, and posted entries. */
@Injectable()
export class BankEntryWriter {
  constructor(
    private readonly repository: BankStatementRepository,
    private readonly ledger: LedgerRepository,
    private readonly payouts: PayoutWriter,
    private readonly events: EventLog,
  ) {}

  /** It is a payment: one that it made, or one that a person recorded. */
  asPayment(
    tx: Tx,
    entry: BankEntry,
    actor: Actor,
    status: 'booked' | 'recorded',
    paymentId: Uuid,
  ): BankEntry {
    const settled = this.settle(tx, entry, actor, { status, paymentId });
    this.write(tx, entry, 'bank_entry.booked', legsOf(settled));
    return settled;
  }

  /** It took a payment back. */
  asReturn(
    tx: Tx,
    entry: BankEntry,
    actor: Actor,
    { paymentId, amount }: { paymentId: Uuid; amount: Money },
  ): BankEntry {
    const settled = this.settle(tx, entry, actor, { status: 'returned', paymentId });
    const fee = feeOfReturn(entry, amount);
    this.write(tx, entry, 'bank_entry.booked', leg('bank_fees', 'cash', fee));
    return settled;
  }

  /** It stands on an account of the chart. */
  asPosting(tx: Tx, entry: BankEntry, actor: Actor, ledgerAccount: PostingAccount): BankEntry {
    const settled = this.settle(tx, entry, actor, { status: 'posted', ledgerAccount });
    this.write(tx, entry, 'bank_entry.booked', legsOf(settled));
    return settled;
  }

  /** It is a payout of a provider, which is no longer on its way. */
  asPayout(tx: Tx, entry: BankEntry, actor: Actor, payout: Payout): BankEntry {
    this.payouts.arrive(tx, payout, entry, actor);
    const posted = { status: 'posted', ledgerAccount: 'payouts_in_transit' } as const;
    const settled = this.settle(tx, entry, actor, { ...posted, payoutId: payout.id });
    this.write(tx, entry, 'bank_entry.booked', legsOf(settled));
    return settled;
  }

  /** Opens a posted or recorded entry again. @param payout the one that it was */
  undo(tx: Tx, entry: BankEntry, actor: Actor, payout: Payout | null): BankEntry {
    if (payout) this.payouts.leave(tx, payout, actor);
    const opened = this.settle(tx, entry, actor, { status: reopened(entry) });
    const legs = legsOf(entry).map((one) => ({ ...one, debit: one.credit, credit: one.debit }));
    this.write(tx, entry, 'bank_entry.unbooked', legs);
    return opened;
  }

  /** It pays nothing here, as somebody says. */
  ignore(tx: Tx, entry: BankEntry, actor: Actor): BankEntry {
    return this.settle(tx, entry, actor, { status: 'ignored' });
  }

  /** Nothing was booked. */
  leave(tx: Tx, entry: BankEntry, status: 'proposed' | 'unmatched'): void {
    this.save(tx, { ...entry, ...NOTHING, status });
  }

  private settle(
    tx: Tx,
    entry: BankEntry,
    actor: Actor,
    as: Pick<BankEntry, 'status'> & Partial<typeof NOTHING>,
  ): BankEntry {
    const settled = { ...entry, ...NOTHING, ...as };
    this.save(tx, settled);
    const told = as.status === 'ignored' ? as.status : isBooked(settled) ? 'booked' : 'unbooked';
    this.events.tell(
      tx,
      { accountId: entry.accountId, actor },
      `bank_entry.${told}`,
      bankEntryStep(settled),
    );
    return settled;
  }

  private save(tx: Tx, entry: BankEntry): void {
    this.repository.settle(tx, entry, { ...entry, at: tx.now() });
  }

  private write(
    tx: Tx,
    { accountId, id, bookedOn }: BankEntry,
    fact: 'bank_entry.booked' | 'bank_entry.unbooked',
    legs: readonly Leg[],
  ): void {
    const recordedAt = tx.now();
    const of = { accountId, fact, factId: id, customerId: null };
    this.ledger.insert(tx, { ...of, effective: bookedOn, recordedAt, legs });
  }
}

/** Of an entry that is open. */
const NOTHING: Pick<BankEntry, 'paymentId' | 'payoutId' | 'ledgerAccount'> = {
  paymentId: null,
  payoutId: null,
  ledgerAccount: null,
};

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
