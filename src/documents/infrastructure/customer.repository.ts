import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import { type Buyer, buyerOf } from '../domain/party.js';

export interface Customer {
  id: Uuid;
  profile: Buyer;
}

@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /** Takes no lock: a customer's profile is copied, never decided upon. */
  async find(tx: Tx, accountId: Uuid, id: Uuid): Promise<Customer | undefined> {
    const [row] = await tx.read<{ profile: Buyer }>(FIND, [accountId, id]);
    return row && { id, profile: buyerOf(row.profile) };
  }

  async view(accountId: Uuid, id: Uuid): Promise<Customer | undefined> {
    const [row] = await this.database.query<{ profile: Buyer }>(FIND, [accountId, id]);
    return row && { id, profile: buyerOf(row.profile) };
  }

  insert(tx: Tx, accountId: Uuid, customer: Customer, now: Date): void {
    tx.write(
      `INSERT INTO customers (account_id, customer_id, profile, created_at)
       VALUES ($1, $2, $3, $4)`,
      [accountId, customer.id, customer.profile, now],
    );
  }
}

const FIND = 'SELECT profile FROM customers WHERE account_id = $1 AND customer_id = $2';
