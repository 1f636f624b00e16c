import type { Uuid } from '../kernel/ids.js';

/**
 * The rows that one round is about: those of an account with a test clock; or, for null, of all that go by the
 * server's.
 * @param parameter of the account, where there is one
 */
export const ofOneClock = (column: string, accountId: Uuid | null, parameter: string) =>
  accountId === null
    ? `NOT EXISTS (SELECT FROM test_clocks tc WHERE tc.account_id = ${column})`
    : `${column} = ${parameter}::uuid`;
