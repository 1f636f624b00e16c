import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { KeyForm, Position } from '../../platform/http/paging.js';
import type { Customer } from '../domain/parties/customer.js';
import { CUSTOMER_COLUMNS, type CustomerColumns, toCustomer } from './customer.repository.js';

export interface CustomerFilter {
  email?: string;
  externalId?: string;
  currency?: string;
  country?: string;
  /** Absent: both. */
  archived?: boolean;
  /** Words, each of which must begin a word of the customer. */
  q?: string;
}

export const CUSTOMER_SORTS = ['-created_at', 'created_at', 'name', '-name'] as const;
export type CustomerSort = (typeof CUSTOMER_SORTS)[number];

/** The sort keys before the id. Ids sort by time, so that `created_at` needs none. */
export const CUSTOMER_KEYS: Record<CustomerSort, readonly KeyForm[]> = {
  '-created_at': [],
  created_at: [],
  '-name': ['text'],
  name: ['text'],
};

export interface ListedCustomer {
  customer: Customer;
  position: Position;
}

const FILTER = `c.account_id = $1
  AND ($2::text IS NULL OR lower(c.profile->>'email') = lower($2))
  AND ($3::text IS NULL OR c.external_id = $3)
  AND ($4::text IS NULL OR c.currency = $4)
  AND ($5::text IS NULL OR c.profile->>'country' = $5)
  AND ($6::boolean IS NULL OR (c.archived_at IS NOT NULL) = $6)`;

/** The words come behind the filters. */
const FOUND = 'c.search @@ (SELECT search_query($1, $7))';

/** Rows that a search looks at in the order of the list before it asks the index of words. */
const NEARBY = 10_000;

/** Customers for reading: no locks. */
@Injectable()
export class CustomersQuery {
  constructor(private readonly database: Database) {}

  async withIds(accountId: Uuid, ids: readonly Uuid[]): Promise<Customer[]> {
    const rows = await this.database.query<CustomerColumns>(
      `SELECT ${CUSTOMER_COLUMNS} FROM customers c
       WHERE c.account_id = $1 AND c.customer_id = ANY ($2::uuid[])`,
      [accountId, [...ids]],
    );
    return rows.map(toCustomer);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: CustomerFilter, most: number): Promise<number> {
    const values: unknown[] = [accountId, ...valuesOf(filter)];
    if (filter.q !== undefined) values.push(filter.q);
    const found = filter.q === undefined ? 'true' : FOUND;
    const limit = `LIMIT $${values.push(most)}`;
    return this.database.countRows(
      `SELECT FROM customers c WHERE ${FILTER} AND ${found} ${limit}`,
      values,
    );
  }

  /** The first `count` customers behind a place. */
  async list(
    accountId: Uuid,
    filter: CustomerFilter,
    sort: CustomerSort,
    after: Position | null,
    count: number,
  ): Promise<ListedCustomer[]> {
    const values: unknown[] = [accountId, ...valuesOf(filter)];
    if (filter.q !== undefined) values.push(filter.q);
    const bind = (value: unknown) => `$${values.push(value)}`;
    const byName = CUSTOMER_KEYS[sort].length > 0;
    const [direction, behind] = sort.startsWith('-') ? ['DESC', '<'] : ['ASC', '>'];
    const columns = byName ? ['c.sort_name', 'c.customer_id'] : ['c.customer_id'];
    const place = after && [...after.keys, after.id].map(bind);
    const there = place ? `(${columns.join(', ')}) ${behind} (${place.join(', ')})` : 'true';
    const inOrder = `ORDER BY ${columns.map((column) => `${column} ${direction}`).join(', ')}`;
    const limit = `LIMIT ${bind(count)}`;

    const read = async (from: string) => {
      const text = `SELECT ${CUSTOMER_COLUMNS}, c.sort_name ${from} ${inOrder} ${limit}`;
      const rows = await this.database.list<ListedColumns>(text, values);
      return rows.map((row) => toListed(row, byName));
    };
    if (filter.q === undefined) return read(`FROM customers c WHERE ${FILTER} AND ${there}`);

    // A frequent word is found at once in the order of the list; a rare one is soon read from the
    // index and sorted. The planner cannot tell them apart by a prefix, and the wrong way takes a
    // second on a million customers. So one way is tried on a few rows, then the other is taken.
    const near = await read(
      `FROM (SELECT * FROM customers c WHERE c.account_id = $1 AND ${there}
         ${inOrder} LIMIT ${NEARBY}) c WHERE ${FILTER} AND ${FOUND}`,
    );
    if (near.length === count) return near;
    return read(
      `FROM customers c WHERE c.account_id = $1 AND c.customer_id = ANY (ARRAY(
         WITH c AS MATERIALIZED (SELECT c.customer_id, c.sort_name FROM customers c
           WHERE ${FILTER} AND ${there} AND ${FOUND})
         SELECT c.customer_id FROM c ${inOrder} ${limit}))`,
    );
  }
}

function valuesOf(filter: CustomerFilter): unknown[] {
  const { email, externalId, currency, country, archived } = filter;
  return [email, externalId, currency, country, archived].map((value) => value ?? null);
}

type ListedColumns = CustomerColumns & { sort_name: string };

function toListed(row: ListedColumns, byName: boolean): ListedCustomer {
  const keys = byName ? [row.sort_name] : [];
  return { customer: toCustomer(row), position: { keys, id: row.customer_id } };
}
