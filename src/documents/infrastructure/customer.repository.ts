import { Injectable } from '@nestjs/common';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { isStillReferenced } from '../../platform/database/database-error.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import { isStorableText } from '../../platform/http/validation/storable-text.js';
import type { CashDiscountTerm } from '../domain/cash-discount.js';
import {
  type Customer,
  type CustomerKind,
  type FirstOfCustomer,
  newCustomer,
} from '../domain/parties/customer.js';
import { type Buyer, buyerOf } from '../domain/parties/party.js';
import { DocumentRefusal } from '../domain/refusals.js';

export const CUSTOMER_COLUMNS = `c.customer_id, c.profile, c.kind, c.currency, c.payment_terms_days,
  c.cash_discounts, c.external_id, c.metadata, c.archived_at, c.erased_at, c.created_at, c.updated_at, c.version`;

export type CustomerColumns = Omit<
  Row<
    'customers',
    {
      profile: Partial<Buyer>;
      kind: CustomerKind;
      currency: Currency;
      cash_discounts: CashDiscountTerm[];
      metadata: Record<string, string>;
    }
  >,
  'account_id' | 'search' | 'sort_name'
>;

export function toCustomer(row: CustomerColumns): Customer {
  return {
    id: row.customer_id,
    profile: buyerOf(row.profile),
    kind: row.kind,
    currency: row.currency,
    paymentTermsDays: row.payment_terms_days,
    cashDiscounts: row.cash_discounts,
    externalId: row.external_id,
    metadata: row.metadata,
    archivedAt: row.archived_at,
    erasedAt: row.erased_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

/** As JSON: a list that goes as it is becomes an array of PostgreSQL. */
function storedTerms({ cashDiscounts }: Customer): string | null {
  return cashDiscounts && JSON.stringify(cashDiscounts);
}

const FIND = `SELECT ${CUSTOMER_COLUMNS} FROM customers c
  WHERE c.account_id = $1 AND c.customer_id = $2`;
const FIND_EXTERNAL = `SELECT ${CUSTOMER_COLUMNS} FROM customers c
  WHERE c.account_id = $1 AND c.external_id = $2`;

/** Customers for writing, and the copy of them that documents take. */
@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /**
   * Keeps the customer from being deleted until the transaction ends, as the foreign key of a new
   * document would. Others may read and change it, because a document copies the profile.
   */
  async find(tx: Tx, accountId: Uuid, id: Uuid): Promise<Customer | undefined> {
    const [row] = await tx.read<CustomerColumns>(`${FIND} FOR KEY SHARE`, [accountId, id]);
    return row && toCustomer(row);
  }

  /** Locks the customer against other changes, not against new documents. */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<Customer> {
    const [row] = await tx.read<CustomerColumns>(`${FIND} FOR NO KEY UPDATE`, [accountId, id]);
    if (!row) throw DocumentRefusal.customer_not_found.of();
    return toCustomer(row);
  }

  /** As `getForUpdate`; undefined if none has the id, or has it any more once the lock is there. */
  async findByExternalIdForUpdate(
    tx: Tx,
    accountId: Uuid,
    externalId: string,
  ): Promise<Customer | undefined> {
    const [row] = await tx.read<CustomerColumns>(`${FIND_EXTERNAL} FOR NO KEY UPDATE`, [
      accountId,
      externalId,
    ]);
    return row && toCustomer(row);
  }

  /** Locks it also against new documents, mandates and schedules, until the transaction ends. */
  async getForErasure(tx: Tx, accountId: Uuid, id: Uuid): Promise<Customer> {
    const [row] = await tx.read<CustomerColumns>(`${FIND} FOR UPDATE`, [accountId, id]);
    if (!row) throw DocumentRefusal.customer_not_found.of();
    return toCustomer(row);
  }

  async view(accountId: Uuid, id: Uuid, tx: Tx | null = null): Promise<Customer | undefined> {
    const [row] = await this.database.queryIn<CustomerColumns>(tx, FIND, [accountId, id]);
    return row && toCustomer(row);
  }

  async viewByExternalId(accountId: Uuid, externalId: string): Promise<Customer | undefined> {
    if (!isStorableText(externalId)) return undefined;
    const [row] = await this.database.query<CustomerColumns>(FIND_EXTERNAL, [
      accountId,
      externalId,
    ]);
    return row && toCustomer(row);
  }

  /** Takes no lock: of two that use one external id at once, one fails on its key and looks again. */
  async findByExternalId(tx: Tx, accountId: Uuid, externalId: string): Promise<Uuid | undefined> {
    const [row] = await tx.read<{ customer_id: Uuid }>(
      'SELECT customer_id FROM customers WHERE account_id = $1 AND external_id = $2',
      [accountId, externalId],
    );
    return row?.customer_id;
  }

  insert(tx: Tx, accountId: Uuid, given: FirstOfCustomer, now: Date): Customer {
    const customer = newCustomer(given, now);
    tx.insert('customers', {
      account_id: accountId,
      customer_id: customer.id,
      profile: customer.profile,
      kind: customer.kind,
      currency: customer.currency,
      payment_terms_days: customer.paymentTermsDays,
      cash_discounts: storedTerms(customer),
      external_id: customer.externalId,
      metadata: customer.metadata,
      created_at: customer.createdAt,
      updated_at: customer.updatedAt,
      version: customer.version,
    });
    return customer;
  }

  /** The row must be locked. */
  update(tx: Tx, accountId: Uuid, customer: Customer): void {
    tx.update(
      'customers',
      { account_id: accountId, customer_id: customer.id },
      {
        profile: customer.profile,
        kind: customer.kind,
        currency: customer.currency,
        payment_terms_days: customer.paymentTermsDays,
        cash_discounts: storedTerms(customer),
        external_id: customer.externalId,
        metadata: customer.metadata,
        archived_at: customer.archivedAt,
        erased_at: customer.erasedAt,
        updated_at: customer.updatedAt,
        version: customer.version,
      },
    );
  }

  /** At once, because only the foreign keys know what refers to it. False: something does. */
  async delete(tx: Tx, accountId: Uuid, id: Uuid): Promise<boolean> {
    try {
      await tx.read('DELETE FROM customers WHERE account_id = $1 AND customer_id = $2', [
        accountId,
        id,
      ]);
      return true;
    } catch (error) {
      if (isStillReferenced(error)) return false;
      throw error;
    }
  }
}
