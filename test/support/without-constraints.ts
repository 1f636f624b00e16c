import type { TestDatabase } from './database.js';

export async function withoutConstraints(database: TestDatabase): Promise<void> {
  const constraints = await database.query<{ table: string; name: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name FROM pg_constraint
     WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f') AND conparentid = 0
       AND conrelid <> 0`,
  );
  for (const { table, name } of constraints) {
    await database.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  }
  await database.query(`
    ALTER DOMAIN ledger_account DROP CONSTRAINT ledger_account_of_the_chart;
    ALTER DOMAIN ledger_fact DROP CONSTRAINT ledger_fact_known;
  `);
}
