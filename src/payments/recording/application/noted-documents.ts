import { Injectable } from '@nestjs/common';
import {
  CreditNoteRepository,
  type CreditThere,
  type Document,
  DocumentRepository,
  NotedCredit,
} from '../../../documents/index.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Money } from '../../../kernel/money.js';
import type { Tx } from '../../../platform/database/tx.js';
import { PaymentRepository } from '../infrastructure/payment.repository.js';

/** Documents whose money goes back, or comes again, with their credit notes. */
@Injectable()
export class NotedDocuments {
  constructor(
    private readonly documents: DocumentRepository,
    private readonly notes: CreditNoteRepository,
    private readonly payments: PaymentRepository,
  ) {}

  /**
   * Locks documents in ascending order of their ids, then their credit notes, then their customers'
   * credit: the order in which everybody locks. Most documents have no notes, and nothing more is
   * read of them.
   */
  async findForUpdate(tx: Tx, accountId: Uuid, ids: readonly Uuid[]): Promise<Document[]> {
    const documents = await this.documents.findForUpdate(tx, accountId, ids);
    await this.loadNotes(tx, documents);
    return documents;
  }

  /** The same of documents that are locked. */
  async loadNotes(tx: Tx, documents: readonly Document[]): Promise<void> {
    const noted = documents.filter(({ state }) => state.creditNotesTotal.isPositive());
    const [first] = noted;
    if (!first) return;
    const { accountId } = first.state;
    const invoiceIds = noted.map(({ state }) => state.id);
    const notes = await this.notes.findForUpdate(tx, accountId, invoiceIds);
    // A link's document may be of another customer or currency than what its money went to.
    const credits: CreditThere[] = [];
    for (const document of noted.toSorted(byCredit)) {
      const { id, customerId, currency } = document.state;
      let there = credits.at(-1);
      if (!there || !isCreditOf(there, customerId, currency)) {
        const left = await this.payments.lockCredit(tx, accountId, customerId, currency);
        there = { customerId, left };
        credits.push(there);
      }
      const own = notes.filter(({ state }) => state.origin?.documentId === id);
      document.noted = new NotedCredit(own, there);
    }
  }
}

/** A customer's credit that is taken otherwise in the same step; below zero: it is free again. */
export function setCreditAside(
  documents: readonly Document[],
  customerId: Uuid,
  amount: Money,
): void {
  const sharing = documents.find(
    ({ noted }) => noted && isCreditOf(noted.there, customerId, amount.currency),
  );
  sharing?.noted?.setAside(amount);
}

function isCreditOf(there: CreditThere, customerId: Uuid, currency: string): boolean {
  return there.customerId === customerId && there.left.currency === currency;
}

/** Rows of credit are locked in this order. */
function byCredit({ state: one }: Document, { state: other }: Document): number {
  const byCustomer = one.customerId.localeCompare(other.customerId);
  return byCustomer === 0 ? one.currency.localeCompare(other.currency) : byCustomer;
}
