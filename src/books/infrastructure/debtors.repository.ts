import { Injectable } from '@nestjs/common';
import { lockAccount } from '../../auth/sql.js';
import type { Uuid } from '../../kernel/ids.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Debtor } from '../domain/datev-debtors.js';
import type { JournalFilter } from './journal.query.js';

const ROWS_AT_ONCE = 1000;

/** The customers that the lines of some days name. */
const NAMED = `SELECT DISTINCT t.customer_id FROM transfers t
  WHERE t.account_id = $1 AND t.effective_on BETWEEN $2::date AND $3::date AND t.customer_id IS NOT NULL
    AND ($4::text IS NULL OR t.currency = $4)`;

const valuesOf = (accountId: Uuid, { from, to, currency }: JournalFilter) => [
  accountId,
  from,
  to,
  currency,
];

@Injectable()
export class DebtorsRepository {
  constructor(private readonly snapshots: Snapshots) {}

  /**
   * Numbers those who have none. Locked by the account's own row.
   * @returns how many have one
   */
  async number(tx: Tx, accountId: Uuid, filter: JournalFilter, now: Date): Promise<number> {
    await lockAccount(tx, accountId);
    await tx.read(
      `INSERT INTO debtors (account_id, customer_id, place, numbered_at)
       SELECT $1, n.customer_id, (SELECT coalesce(max(place), 0) FROM debtors WHERE account_id = $1)
         + row_number() OVER (ORDER BY n.customer_id), $5
       FROM (${NAMED}) n
       WHERE NOT EXISTS (SELECT FROM debtors d
         WHERE d.account_id = $1 AND d.customer_id = n.customer_id)
       RETURNING place`,
      [...valuesOf(accountId, filter), now],
    );
    const [row] = await tx.read<{ most: number }>(
      'SELECT coalesce(max(place), 0)::integer AS most FROM debtors WHERE account_id = $1',
      [accountId],
    );
    return row?.most ?? 0;
  }

  /** The debtors that the lines of some days name, by number. */
  named(accountId: Uuid, filter: JournalFilter): AsyncGenerator<Debtor[], void> {
    return this.snapshots.pages<Debtor>(ROWS_AT_ONCE, async (read, last) =>
      read<Debtor>(
        `SELECT d.place, c.profile->>'name' AS name, c.profile->'address'->>0 AS street,
           c.profile->>'postal_code' AS "postalCode", c.profile->>'city' AS city,
           c.profile->>'country' AS country, c.profile->>'email' AS email,
           c.profile->>'tax_id' AS "taxId"
         FROM debtors d JOIN customers c USING (account_id, customer_id)
         WHERE d.account_id = $1 AND d.place > $5 AND d.customer_id IN (${NAMED})
         ORDER BY d.place LIMIT $6`,
        [...valuesOf(accountId, filter), last?.place ?? 0, ROWS_AT_ONCE],
      ),
    );
  }
}
