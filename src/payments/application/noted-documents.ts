import { Injectable } from '@nestjs/common';
import {
  CreditNoteRepository,
  type Document,
  DocumentRepository,
  NotedCredit,
} from '../../documents/index.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Money } from '../../kernel/money.js';
import type { Tx } from '../../platform/database/tx.js';
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
   * Locks documents of one customer in ascending order of their ids, then their credit notes, then
   * the customer's credit: the order in which everybody locks. Most documents have no notes, and
   * nothing more is read of them.
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
    const { customerId, currency } = first.state;
    const there = { left: await this.payments.lockCredit(tx, accountId, customerId, currency) };
    for (const document of noted) {
      const { id } = document.state;
      const own = notes.filter(({ state }) => state.origin?.documentId === id);
      document.noted = new NotedCredit(own, there);
    }
  }
}

/** Credit that is taken otherwise in the same step; below zero: that was kept for it, and is free. */
export function setCreditAside(documents: readonly Document[], amount: Money): void {
  documents.find(({ noted }) => noted)?.noted?.setAside(amount);
}
