import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Tx } from '../../platform/database/tx.js';
import { publicId, type Uuid } from '../../kernel/ids.js';
import { Money } from '../../kernel/money.js';
import { PaymentLinks, PlannedCollections } from '../../payments/index.js';
import type { DunnedMoney } from '../domain/next-step.js';
import type { OwedInvoice } from '../infrastructure/dunned-documents.query.js';

/** The money of invoices, as reminders see it. */
@Injectable()
export class DunningFacts {
  constructor(
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
      const { due, undecided, processing, disputed, letter } = invoice;
      const rest = due - undecided - processing;
      const asked = rest > 0n ? rest : 0n;
      const known = { asked, processing, disputed, credit: left, letter, debitOn: null };
      left -= asked < left ? asked : left;
      return [invoice.id, known];
    });
    return new Map(money);
  }

  /** The day of a debit that will come; null: none will. */
  async debitOn(
    tx: Tx,
    accountId: Uuid,
    { id, due, undecided, currency, dueDate }: OwedInvoice,
    today: IsoDate,
  ): Promise<IsoDate | null> {
    const links = await this.links.ofDocument(accountId, id, tx);
    const document = {
      id: publicId('doc', id),
      amountDue: Money.of(due, currency),
      amountUndecided: Money.of(undecided, currency),
      amountWrittenOff: Money.zero(currency),
      dueDate,
    };
    return this.planned.dayOf(tx, accountId, document, links, today);
  }
}
