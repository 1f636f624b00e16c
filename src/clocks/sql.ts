import type { Uuid } from '../kernel/ids.js';

/**
 * The rows that one round is about: those of an account with a test clock; or, for null, of all that go by the
 * server's.
 * @param parameter has the account, or null
 */
export const ofOneClock = (column: string, accountId: Uuid | null, parameter: string) =>
  accountId === null
    ? `${parameter}::uuid IS NULL AND NOT EXISTS (SELECT FROM test_clocks tc WHERE tc.account_id = ${column})`
    : `${column} = ${parameter}::uuid`;
