import type { Uuid } from '../../kernel/ids.js';
import type { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import type { AccountRow } from './account.row.js';

const COLUMNS = `account_id AS "accountId", name, mode, seller, currency,
  base_currency AS "baseCurrency", time_zone AS "timeZone", language,
  payment_terms_days AS "paymentTermsDays", document_notes AS "documentNotes",
  document_defaults AS "documentDefaults",
  books_from AS "booksFrom", books_open_from AS "booksOpenFrom",
  issue_days_ahead AS "issueDaysAhead", strict,
  default_tax_rate_id AS "defaultTaxRateId", version,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function findAccount(
  database: Database,
  accountId: Uuid,
): Promise<AccountRow | undefined> {
  const [row] = await database.query<AccountRow>(
    `SELECT ${COLUMNS} FROM accounts WHERE account_id = $1`,
    [accountId],
  );
  return row;
}

/** As it is in the transaction: without a lock. */
export async function findAccountWithin(tx: Tx, accountId: Uuid): Promise<AccountRow | undefined> {
  const [row] = await tx.read<AccountRow>(`SELECT ${COLUMNS} FROM accounts WHERE account_id = $1`, [
    accountId,
  ]);
  return row;
}

/**
 * Locks an account's row, for what is judged by one at a time: its settings, counts and names. Rows
 * that refer to it are written meanwhile.
 */
export async function lockAccount(tx: Tx, accountId: Uuid): Promise<AccountRow | undefined> {
  const [row] = await tx.read<AccountRow>(
    `SELECT ${COLUMNS} FROM accounts WHERE account_id = $1 FOR NO KEY UPDATE`,
    [accountId],
  );
  return row;
}
