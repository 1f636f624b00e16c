import type pg from 'pg';
import type { Lease } from '../../platform/database/servers/connections.js';
import { ROLLBACK } from '../../platform/database/sql-statement.js';

/** Reads one state of the database for as long as it takes, and gives the connection back. */
export async function inLongSnapshot<Result>(
  { client, giveBack }: Lease,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    // A statement ends soon after a client that has gone, and nobody reads for nobody.
    await client.query(`SELECT set_config('statement_timeout', '0', true),
      set_config('client_connection_check_interval', '5s', true),
      set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`);
    return await work(client);
  } finally {
    await client.query(ROLLBACK).catch(() => undefined);
    giveBack();
  }
}
