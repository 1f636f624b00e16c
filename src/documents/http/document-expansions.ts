import { Injectable } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type Uuid, uuidOf } from '../../kernel/ids.js';
import { insufficientScope } from '../../platform/http/access.js';
import type { PageEnds } from '../../platform/http/paging.js';
import type { Caller } from '../../platform/http/request.js';
import { SomeOf } from '../../platform/http/standard-fields.js';
import type { DocumentView } from '../domain/document-view.js';
import { CustomersQuery } from '../infrastructure/customers.query.js';
import { CustomerBody, presentCustomer } from './customer.dto.js';

const EXPANSIONS = ['customer', 'payments'] as const;
export type Expansion = (typeof EXPANSIONS)[number];

export const Expand = () =>
  SomeOf(EXPANSIONS, {
    description: 'Adds things beside a document to it, as `expanded`. Payments need payments:read.',
    example: ['customer'],
  });

/** The query of one document. */
export class ReadDocumentQuery {
  @Expand()
  expand?: Expansion[];
}

/** The newest payments of a document; its own list has all of them. */
interface SomePayments extends PageEnds {
  data: object[];
}

/** Things beside a document, as they are now. */
export class ExpandedBody {
  @ApiProperty({
    type: CustomerBody,
    required: false,
    description: 'The customer as it is now; `customer` is the copy that the document has.',
  })
  customer?: CustomerBody;
  @ApiProperty({
    required: false,
    allOf: [{ $ref: '#/components/schemas/PaymentList' }],
    description: 'The newest 10 payments. If `has_more`, `GET .../{id}/payments` has all.',
  })
  payments?: SomePayments;
}

type PaymentsOf = (accountId: Uuid, documents: readonly Uuid[]) => Promise<Map<Uuid, SomePayments>>;

/** Reads things beside documents: one statement for each kind of things, however many documents. */
@Injectable()
export class DocumentExpansions {
  private paymentsOf: PaymentsOf = async () => new Map();

  constructor(private readonly customers: CustomersQuery) {}

  /** Payments stand to the right of documents, so they tell how they are read. */
  onPayments(paymentsOf: PaymentsOf): void {
    this.paymentsOf = paymentsOf;
  }

  /**
   * A function that says what to add to each of the documents.
   * @throws HttpProblem `insufficient_scope`
   */
  async of(
    { accountId, scopes }: Caller,
    views: readonly Pick<DocumentView, 'id' | 'customerId'>[],
    wanted: readonly Expansion[] = [],
  ): Promise<(view: Pick<DocumentView, 'id' | 'customerId'>) => { expanded?: ExpandedBody }> {
    if (wanted.length === 0) return () => ({});
    const [withCustomer, withPayments] = EXPANSIONS.map((one) => wanted.includes(one));
    if (withPayments && !scopes.includes('payments:read')) {
      throw insufficientScope('payments:read', 'expand=payments');
    }
    const customerIds = new Set(views.flatMap((view) => uuidOf('cus', view.customerId) ?? []));
    const documentIds = views.flatMap(({ id }) => uuidOf('doc', id) ?? []);
    const [customers, payments] = await Promise.all([
      withCustomer ? this.customers.withIds(accountId, [...customerIds]) : [],
      withPayments ? this.paymentsOf(accountId, documentIds) : null,
    ]);
    const shown = new Map(
      customers.map(presentCustomer).map((customer) => [customer.id, customer]),
    );
    return ({ id, customerId }) => {
      const customer = shown.get(customerId);
      const paid = payments?.get(uuidOf('doc', id) ?? '');
      return { expanded: { ...(customer && { customer }), ...(paid && { payments: paid }) } };
    };
  }
}
