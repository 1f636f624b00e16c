import { Injectable } from '@nestjs/common';
import { ExpandedBody, type SomeOfThem, type Expansion, EXPANSIONS } from '../wire/expansions.js';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { insufficientScope } from '../../platform/http/access.js';
import type { Caller } from '../../platform/http/request.js';
import type { DocumentView } from '../domain/document-view.js';
import { CustomersQuery } from '../infrastructure/customers.query.js';
import { presentCustomer } from '../wire/customer.js';

type ReadBeside = (accountId: Uuid, documents: readonly Uuid[]) => Promise<Map<Uuid, SomeOfThem>>;

/** Reads things beside documents: one statement for each kind of things, however many documents. */
@Injectable()
export class DocumentExpansions {
  private readonly readers = new Map<'payments' | 'messages', ReadBeside>();

  constructor(private readonly customers: CustomersQuery) {}

  /** Payments and messages stand to the right of documents, so they tell how they are read. */
  readBy(what: 'payments' | 'messages', read: ReadBeside): void {
    if (this.readers.has(what)) throw new Error(`The ${what} of documents are read already.`);
    this.readers.set(what, read);
  }

  /** A function that says what to add to each of the documents. */
  async of(
    { accountId, scopes }: Caller,
    views: readonly Pick<DocumentView, 'id' | 'customerId'>[],
    wanted: readonly Expansion[] = [],
  ): Promise<(view: Pick<DocumentView, 'id' | 'customerId'>) => { expanded?: ExpandedBody }> {
    if (wanted.length === 0) return () => ({});
    const [withCustomer, withPayments, withMessages] = EXPANSIONS.map((one) =>
      wanted.includes(one),
    );
    if (withPayments && !scopes.includes('payments:read')) {
      throw insufficientScope('payments:read', 'expand=payments');
    }
    const customerIds = new Set(views.flatMap((view) => uuidOf('cus', view.customerId) ?? []));
    const documentIds = views.flatMap(({ id }) => uuidOf('doc', id) ?? []);
    const [customers, payments, messages] = await Promise.all([
      withCustomer ? this.customers.withIds(accountId, [...customerIds]) : [],
      withPayments ? this.readers.get('payments')?.(accountId, documentIds) : null,
      withMessages ? this.readers.get('messages')?.(accountId, documentIds) : null,
    ]);
    const shown = new Map(
      customers.map(presentCustomer).map((customer) => [customer.id, customer]),
    );
    return ({ id, customerId }) => {
      const customer = shown.get(customerId);
      const documentId = uuidOf('doc', id) ?? '';
      const paid = payments?.get(documentId);
      const sent = messages?.get(documentId);
      return {
        expanded: {
          ...(customer && { customer }),
          ...(paid && { payments: paid }),
          ...(sent && { messages: sent }),
        },
      };
    };
  }
}
