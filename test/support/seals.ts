import type { TestService } from './service.js';

const TABLES = ['seals', 'seal_heads', 'seals_seen'];

const all = (verb: string) =>
  TABLES.map((table) => `ALTER TABLE ${table} ${verb} TRIGGER USER;`).join(' ');

/** As the owner of the tables, who turns their triggers off. */
export async function withoutGuards({ database }: TestService, sql: string): Promise<void> {
  await database.query(`BEGIN; ${all('DISABLE')} ${sql}; ${all('ENABLE')} COMMIT`);
}

/** The last windows of all chains, as if they had never been sealed. */
export const CUT_TAILS = `
  DELETE FROM seals WHERE through_xact > (SELECT min(through_xact) FROM seals);
  DELETE FROM seal_heads;
  INSERT INTO seal_heads SELECT DISTINCT ON (account_id) account_id, sequence, through_xact, digest
    FROM seals ORDER BY account_id, sequence DESC`;
