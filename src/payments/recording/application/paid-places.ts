import { Injectable } from '@nestjs/common';
import {
  Customers,
  type Document,
  DocumentRepository,
  unknownPayingCustomer,
} from '../../../documents/index.js';
import type { DomainError } from '../../../kernel/domain-error.js';
import { FieldRefusal } from '../../../kernel/field-refusals.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { Tx } from '../../../platform/database/tx.js';
import {
  currencyMismatch,
  customerMismatch,
  unknownDocument,
} from '../../port/domain/payment-refusals.js';
import { MOST_DOCUMENTS } from '../domain/payment.js';

/** The customer of a payment of several documents, and where it goes, as somebody says. */
export interface PaidWhere {
  accountId: Uuid;
  /** The customer who gets the rest; the one of the documents when null. */
  customerId: Uuid | null;
  /** Of the documents when null. */
  currency: string | null;
  /** How much each document gets, or all that is due as far as the money goes. */
  allocate: readonly { documentId: Uuid; amountMinor: bigint | null }[] | 'oldest_first' | 'none';
}

/** The customer who paid, and the documents that the money is for, locked. */
export interface PaidFor {
  customerId: Uuid;
  currency: string;
  documents: Document[];
}

/** Finds the customer and the documents that a payment of several documents is for. */
@Injectable()
export class PaidPlaces {
  constructor(
    private readonly customers: Customers,
    private readonly documents: DocumentRepository,
  ) {}

  /** Asked before a transaction: within it, this would take a second connection. */
  async assertCustomer({ accountId, customerId }: PaidWhere): Promise<void> {
    if (!customerId || (await this.customers.exists(accountId, customerId))) return;
    throw unknownPayingCustomer();
  }

  /** @throws DomainError `required`, `unknown_document`, `currency_mismatch`, `customer_mismatch` */
  async lock(tx: Tx, command: PaidWhere): Promise<PaidFor> {
    const { accountId, allocate } = command;
    if (typeof allocate !== 'string' && allocate.length > 0) return this.ofDocuments(tx, command);
    const { customerId, currency } = command;
    if (customerId === null) throw required('/customer_id');
    if (currency === null) throw required('/currency');
    const documents =
      allocate === 'oldest_first'
        ? await this.documents.findOldestDueForUpdate(
            tx,
            accountId,
            customerId,
            currency,
            MOST_DOCUMENTS,
          )
        : [];
    return { customerId, currency, documents };
  }

  private async ofDocuments(tx: Tx, command: PaidWhere): Promise<PaidFor> {
    const wanted = typeof command.allocate === 'string' ? [] : command.allocate;
    const ids = wanted.map(({ documentId }) => documentId);
    const found = await this.documents.findForUpdate(tx, command.accountId, ids);
    const documents = ids.map((id, index) => {
      const document = found.find(({ state }) => state.id === id);
      if (document) return document;
      throw unknownDocument(`/allocations/${index}/document_id`);
    });
    const [first] = documents;
    const customerId = command.customerId ?? first?.state.customerId ?? '';
    const currency = command.currency ?? first?.state.currency ?? '';
    documents.forEach(({ state }, index) => {
      if (state.currency !== currency) throw currencyMismatch(state.currency);
      if (state.customerId !== customerId) {
        throw customerMismatch(`/allocations/${index}/document_id`);
      }
    });
    return { customerId, currency, documents };
  }
}

function required(pointer: string): DomainError {
  return FieldRefusal.required.at(
    pointer,
    `${pointer.slice(1)} is required if no document is named that has it.`,
  );
}
