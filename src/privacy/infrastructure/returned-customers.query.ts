import { Injectable } from '@nestjs/common';
import type { KeptErasure } from '../../integrity/index.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';

/** One that was erased again stands twice in the file. */
const RETURNED = `SELECT DISTINCT c.account_id, c.customer_id FROM customers c
    JOIN unnest($1::uuid[], $2::uuid[]) AS k (account_id, customer_id) USING (account_id, customer_id)
  WHERE c.erased_at IS NULL ORDER BY 1, 2`;

/** Of customers who were erased, those that a restored database has as they were. */
@Injectable()
export class ReturnedCustomersQuery {
  constructor(private readonly database: Database) {}

  async among(erased: readonly KeptErasure[]): Promise<KeptErasure[]> {
    const accounts = erased.map(({ accountId }) => accountId);
    const customers = erased.map(({ customerId }) => customerId);
    const rows = await this.database.query<Pick<Row<'customers'>, 'account_id' | 'customer_id'>>(
      RETURNED,
      [accounts, customers],
    );
    return rows.map((row) => ({ accountId: row.account_id, customerId: row.customer_id }));
  }
}
