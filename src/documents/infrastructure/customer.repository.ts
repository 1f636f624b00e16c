import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { Party } from '../domain/document-view.js';

export interface Customer {
  id: Uuid;
  profile: Party;
}

@Injectable()
export class CustomerRepository {
  constructor(private readonly database: Database) {}

  /** Takes no lock: a customer's profile is copied, never decided upon. */
  async find(tx: Tx, accountId: Uuid, id: Uuid): Promise<Customer | undefined> {
    const [row] = await tx.read<{ profile: Party }>(FIND, [accountId, id]);
    return row && { id, profile: row.profile };
  }

  async view(accountId: Uuid, id: Uuid): Promise<Customer | undefined> {
    const [row] = await this.database.query<{ profile: Party }>(FIND, [accountId, id]);
    return row && { id, profile: row.profile };
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
