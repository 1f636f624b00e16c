import { z } from 'zod';
import { answerShape, queryShape } from '../../platform/http/validation/shapes.js';
import { Injectable } from '@nestjs/common';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { insufficientScope } from '../../platform/http/access.js';
import { nameWords } from '../../platform/http/openapi/words.js';
import type { PageEnds } from '../../platform/http/paging.js';
import type { Caller } from '../../platform/http/request.js';
import { someOf } from '../../platform/http/validation/standard-fields.js';
import type { DocumentView } from '../domain/document-view.js';
import { CustomersQuery } from '../infrastructure/customers.query.js';
import { CustomerBody, presentCustomer } from './customer.dto.js';

const EXPANSIONS = ['customer', 'payments', 'messages'] as const;
export type Expansion = (typeof EXPANSIONS)[number];
nameWords({ Expansion: EXPANSIONS });

export const expand = () =>
  someOf(EXPANSIONS, {
    description: 'Adds things beside a document to it, as `expanded`. Payments need payments:read.',
    example: ['customer'],
  });

/** The query of one document. */
export const ReadDocumentQuery = queryShape({
  expand: expand(),
});
export type ReadDocumentQuery = z.output<typeof ReadDocumentQuery>;

/** The newest payments or messages of a document; a list of their own has all of them. */
interface SomeOfThem extends PageEnds {
  data: object[];
}

/** Things beside a document, as they are now. */
export const ExpandedBody = answerShape('ExpandedBody', {
  customer: CustomerBody.optional().describe(
    'The customer as it is now; `customer` is the copy that the document has.',
  ),
  payments: z
    .custom<SomeOfThem>()
    .optional()
    .meta({
      allOf: [{ $ref: '#/components/schemas/PaymentList' }],
      description: 'The newest 10 payments. If `has_more`, `GET .../{id}/payments` has all.',
    }),
  messages: z
    .custom<SomeOfThem>()
    .optional()
    .meta({
      allOf: [{ $ref: '#/components/schemas/MessageList' }],
      description: 'The newest 10 messages by e-mail. `GET /v1/finance/messages` has all.',
    }),
});
export type ExpandedBody = z.output<typeof ExpandedBody>;

type ReadBeside = (accountId: Uuid, documents: readonly Uuid[]) => Promise<Map<Uuid, SomeOfThem>>;

/** Reads things beside documents: one statement for each kind of things, however many documents. */
@Injectable()
export class DocumentExpansions {
  private paymentsOf: ReadBeside = async () => new Map();
  private messagesOf: ReadBeside = async () => new Map();

  constructor(private readonly customers: CustomersQuery) {}

  /** Payments stand to the right of documents, so they tell how they are read. */
  onPayments(paymentsOf: ReadBeside): void {
    this.paymentsOf = paymentsOf;
  }

  /** The same of messages. */
  onMessages(messagesOf: ReadBeside): void {
    this.messagesOf = messagesOf;
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
      withPayments ? this.paymentsOf(accountId, documentIds) : null,
      withMessages ? this.messagesOf(accountId, documentIds) : null,
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
