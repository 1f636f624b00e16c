import { Injectable } from '@nestjs/common';
import { Documents } from '../../documents/index.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { PaymentLinks, PlannedCollections } from '../../payments/index.js';
import type { DunnedMoney } from '../domain/next-step.js';
import type { OwedInvoice } from '../infrastructure/dunned-documents.query.js';

/** The money of invoices, as reminders see it. */
@Injectable()
export class DunningFacts {
  constructor(
    private readonly documents: Documents,
    private readonly links: PaymentLinks,
    private readonly planned: PlannedCollections,
  ) {}

  /**
   * Of all that a customer owes in a currency. Credit is left for the oldest first.
   * @param invoices the oldest first
   */
  moneyOf(invoices: readonly OwedInvoice[], credit: bigint): Map<Uuid, DunnedMoney> {
    let left = credit;
    const money = invoices.map((invoice): [Uuid, DunnedMoney] => {
      const { due, undecided, processing, disputed, isOwed, letter } = invoice;
      const rest = due - undecided - processing;
      const asked = rest > 0n ? rest : 0n;
      const known = { isOwed, asked, undecided, processing, disputed, credit: left, letter };
      left -= asked < left ? asked : left;
      return [invoice.id, { ...known, debitOn: null }];
    });
    return new Map(money);
  }

  /** The day of a debit that will come; null: none will. */
  async debitOn(accountId: Uuid, documentId: Uuid, today: IsoDate): Promise<IsoDate | null> {
    const [view, links] = await Promise.all([
      this.documents.find(accountId, documentId),
      this.links.ofDocument(accountId, documentId),
    ]);
    return (await this.planned.of(accountId, view, links, today))?.on ?? null;
  }
}
