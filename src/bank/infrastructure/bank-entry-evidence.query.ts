import { Injectable } from '@nestjs/common';
import { type SnapshotRead, Snapshots } from '../../platform/database/snapshots.js';
import type { BankEntry } from '../domain/bank-entry.js';
import type { Candidate } from '../domain/bank-entry-match.js';
import type { NamedPayment } from '../domain/named-payment.js';
import type { NamesInText } from '../domain/names/names-in-text.js';
import type { Payout } from '../domain/payouts/payout.js';
import { payoutAmountOf } from '../domain/payouts/payout-match.js';
import { BankEntryCandidatesQuery } from './bank-entry-candidates.query.js';
import { BankEntryTwinsQuery } from './bank-entry-twins.query.js';
import { NamedPaymentsQuery } from './named-payments.query.js';
import { PayoutsQuery } from './payouts.query.js';

/** All that may speak for what an entry is. */
export interface BankEntryEvidence {
  /** Documents that its text names. */
  named: Candidate[];
  /** Documents of the same amount or payer. */
  alike: Candidate[];
  payments: NamedPayment[];
  /** On their way, over its amount. */
  payouts: Payout[];
  /** Entries of other files that may be the same movement. */
  twins: BankEntry[];
}

/** Reads the evidence for an entry as of one moment. */
@Injectable()
export class BankEntryEvidenceQuery {
  constructor(
    private readonly snapshots: Snapshots,
    private readonly candidates: BankEntryCandidatesQuery,
    private readonly twins: BankEntryTwinsQuery,
    private readonly payments: NamedPaymentsQuery,
    private readonly payouts: PayoutsQuery,
  ) {}

  /**
   * In one snapshot: a payment that is reversed between two reads would be neither a payment nor a
   * reason for its document to be due.
   */
  async of(entry: BankEntry, names: NamesInText): Promise<BankEntryEvidence> {
    return this.snapshots.runToDecide(async (read) => {
      const named = await this.candidates.named(read, entry.accountId, names);
      const documents = named.map(({ documentId }) => documentId);
      return {
        named,
        payments: await this.payments.of(read, entry, documents),
        twins: await this.twins.of(read, entry),
        alike: await this.candidates.alike(read, entry),
        payouts: await this.openPayouts(read, entry),
      };
    });
  }

  private async openPayouts(read: SnapshotRead, entry: BankEntry): Promise<Payout[]> {
    const amount = payoutAmountOf(entry);
    if (amount.isZero() || entry.isReversal) return [];
    return this.payouts.inTransit(read, entry.accountId, amount, entry.bookedOn);
  }
}
