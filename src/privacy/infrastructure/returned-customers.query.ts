import { Injectable } from '@nestjs/common';
import type { KeptErasure } from '../../integrity/index.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';

const RETURNED = `SELECT c.account_id, c.customer_id FROM customers c
    JOIN unnest($1::uuid[], $2::uuid[]) AS k (account_id, customer_id) USING (account_id, customer_id)
  WHERE c.erased_at IS NULL ORDER BY 1, 2`;

/** Of customers who were erased, those that a restored database has as they were. */
@Injectable()
export class ReturnedCustomersQuery {
  constructor(private readonly database: Database) {}

  async among(erased: readonly KeptErasure[]): Promise<KeptErasure[]> {
    const accounts = erased.map(({ accountId }): Uuid => accountId);
    const customers = erased.map(({ customerId }): Uuid => customerId);
    const rows = await this.database.query<Pick<Row<'customers'>, 'account_id' | 'customer_id'>>(
      RETURNED,
      [accounts, customers],
    );
    return rows.map((row) => ({ accountId: row.account_id, customerId: row.customer_id }));
  }
}
