import type { Currency } from '../../../kernel/currency.js';
import { DomainError } from '../../../kernel/domain-error.js';
import type { Uuid } from '../../../kernel/ids.js';
import type { CashDiscountTerm } from '../cash-discount.js';
import { type Buyer, buyerOf } from './party.js';
import { DocumentRefusal } from '../refusals.js';

/** The name of a customer whose own is erased; each has one. */
const ERASED = 'erased';

/** The law protects consumers where it lets a business be asked for more. */
export const CUSTOMER_KINDS = ['business', 'consumer'] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

/**
 * The one who is billed. Issued documents hold a copy of the profile, so nothing here changes them.
 */
export interface Customer {
  id: Uuid;
  profile: Buyer;
  /** Null: nobody has said; then it is treated as a consumer. */
  kind: CustomerKind | null;
  /** Default of documents for this customer; null leaves it to the account. */
  currency: Currency | null;
  /** Days until payment is due, unless a document says otherwise. */
  paymentTermsDays: number | null;
  /** The discounts of its documents; null leaves them to the account. */
  cashDiscounts: CashDiscountTerm[] | null;
  /** The customer's id in the caller's own books, unique in the account. */
  externalId: string | null;
  metadata: Record<string, string>;
  /** Since when no new document may be made for it. */
  archivedAt: Date | null;
  /** Since when nothing is known of it but its id; it is archived then, and stays so. */
  erasedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
}

export type NewCustomer = Pick<
  Customer,
  'profile' | 'kind' | 'currency' | 'paymentTermsDays' | 'cashDiscounts' | 'externalId' | 'metadata'
>;

/** The given fields replace what is there, those of the profile one by one. */
export type CustomerChange = Partial<Omit<NewCustomer, 'profile'>> & { profile: Partial<Buyer> };

/** As documents make them, a customer is known by a profile alone. */
export type FirstOfCustomer = Pick<Customer, 'id' | 'profile'> & Partial<NewCustomer>;

export function newCustomer(given: FirstOfCustomer, now: Date): Customer {
  return {
    kind: null,
    currency: null,
    paymentTermsDays: null,
    cashDiscounts: null,
    externalId: null,
    metadata: {},
    ...given,
    archivedAt: null,
    erasedAt: null,
    createdAt: now,
    updatedAt: now,
    version: 1,
  };
}

export function changedCustomer(customer: Customer, change: CustomerChange, now: Date): Customer {
  const { profile, ...own } = change;
  const merged = { ...own, profile: { ...customer.profile, ...profile } };
  return nextVersion(customer, merged, now);
}

/** The same customer where it is archived already. */
export function archived(customer: Customer, now: Date): Customer {
  return customer.archivedAt ? customer : nextVersion(customer, { archivedAt: now }, now);
}

/** The same customer where it is not archived. */
export function unarchived(customer: Customer, now: Date): Customer {
  return customer.archivedAt ? nextVersion(customer, { archivedAt: null }, now) : customer;
}

/** Nothing is left but the id, for documents and bookings. */
export function erased(customer: Customer, now: Date): Customer {
  const nothing = newCustomer({ id: customer.id, profile: buyerOf({ name: ERASED }) }, now);
  const { createdAt, archivedAt } = customer;
  return nextVersion(
    customer,
    { ...nothing, createdAt, archivedAt: archivedAt ?? now, erasedAt: now },
    now,
  );
}

function nextVersion(customer: Customer, change: Partial<Customer>, now: Date): Customer {
  return { ...customer, ...change, updatedAt: now, version: customer.version + 1 };
}

/** The customer's own fields, as the API names them. */
export function fieldsOf(customer: Customer) {
  return {
    ...customer.profile,
    kind: customer.kind,
    currency: customer.currency,
    payment_terms_days: customer.paymentTermsDays,
    cash_discounts: customer.cashDiscounts,
    external_id: customer.externalId,
    metadata: customer.metadata,
    archived_at: customer.archivedAt?.toISOString() ?? null,
  };
}

/** Named in the body of a payment, where a 404 would speak of the address. */
export function unknownPayingCustomer(): DomainError {
  return DocumentRefusal.unknown_customer.at(
    '/customer_id',
    'There is no such customer; GET /v1/finance/customers lists them.',
  );
}

/**
 * As a document is made out to.
 * @param buyer of the invoice that a credit note corrects: it is named also when the customer is erased
 * @throws DomainError `customer_erased`
 */
export function asBilled(customer: Customer, buyer: Buyer | undefined): Customer {
  if (!buyer) assertNotErased(customer);
  return buyer && customer.erasedAt ? { ...customer, profile: buyer } : customer;
}

/** @throws DomainError `customer_erased` */
export function assertNotErased(customer: Pick<Customer, 'erasedAt'> | undefined): void {
  if (customer?.erasedAt) throw DocumentRefusal.customer_erased.of();
}
