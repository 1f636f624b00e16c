import type { SnapshotRead } from '../../platform/database/snapshots.js';

/*
 * Sums of an account's transfers: of whole months, and of days of the month that is not over. Transfers
 * that are not in the sums yet are read beside them. $1 is the account.
 */

const THROUGH = `SELECT through_xact AS through FROM event_marks WHERE consumer = 'sums'`;

/** The transaction before which all transfers are in the sums, in this snapshot. */
export async function summedThrough(read: SnapshotRead): Promise<bigint> {
  const [mark] = await read<{ through: bigint }>(THROUGH);
  return mark?.through ?? 0n;
}

/** Of sums: whole months before a day, then days until its end. */
export const sumsUntil = (day: string) => `account_id = $1 AND (
  span = 'month' AND begins_on < date_trunc('month', (${day})::timestamp)::date
  OR span = 'day' AND begins_on BETWEEN date_trunc('month', (${day})::timestamp)::date AND ${day})`;

/** `fact, debit, credit, amount` until the end of a day. `through` is `summedThrough`. */
export const flowsUntil = (day: string, through: string) => `
  SELECT fact, debit, credit, amount FROM transfer_sums WHERE ${sumsUntil(day)}
  UNION ALL SELECT fact, debit, credit, amount FROM transfers
  WHERE account_id = $1 AND xact >= ${through} AND effective_on <= ${day}`;

/** The same with the day, for days that both belong to them. */
export const flowsBetween = (from: string, to: string, through: string) => `
  SELECT begins_on AS day, fact, debit, credit, amount FROM transfer_sums
  WHERE account_id = $1 AND span = 'day' AND begins_on BETWEEN ${from} AND ${to}
  UNION ALL SELECT effective_on, fact, debit, credit, amount FROM transfers
  WHERE account_id = $1 AND xact >= ${through} AND effective_on BETWEEN ${from} AND ${to}`;

/**
 * `currency, due_date, owed, rejected, credit` until the end of a day.
 * @param unsummed the same of the transfers that are not in the sums
 */
export const claimsUntil = (day: string, unsummed: string) => `
  SELECT currency, due_date, owed, rejected, credit FROM claim_sums WHERE ${sumsUntil(day)}
  UNION ALL ${unsummed}`;
