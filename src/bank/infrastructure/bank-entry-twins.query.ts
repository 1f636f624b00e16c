import { Injectable } from '@nestjs/common';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import type { BankEntry } from '../domain/bank-entry.js';
import { isPerhapsSame, TWIN_DAYS } from '../domain/bank-entry-identity.js';
import type { BankStatementFormat } from '../domain/bank-statement.js';
import { BANK_ENTRY_COLUMNS, type BankEntryColumns, toBankEntry } from './bank-entry-columns.js';

/** @table bank_entries */
interface TwinColumns extends BankEntryColumns {
  /** @derived */
  format: BankStatementFormat;
  /** That of the entry itself. @derived */
  own_format: BankStatementFormat;
  /** Its amount is that of a batch, or the other way round. @derived */
  is_sum: boolean;
}

/** Of one day; the oldest, so that those of the same file, which are newer, are not looked through. */
const MOST_OF_A_DAY = 30;

const OF_A_DAY = (amount: string, column = 'amount') =>
  `(SELECT * FROM bank_entries o WHERE o.account_id = $1 AND o.booked_on = near.day
     AND o.${column} = ${amount} ORDER BY o.entry_id LIMIT ${MOST_OF_A_DAY})`;

/** Entries of other files that may be the same movement as one. */
@Injectable()
export class BankEntryTwinsQuery {
  /** Those of files that do not tell of both. */
  async of(read: SnapshotRead, entry: BankEntry): Promise<BankEntry[]> {
    const { accountId, statementId, id, bookedOn, amount, direction } = entry;
    const rows = await read<TwinColumns>(
      `SELECT DISTINCT ${BANK_ENTRY_COLUMNS}, s.format, e.is_sum, (
           SELECT format FROM bank_statements WHERE account_id = $1 AND statement_id = $5
         ) AS own_format
       FROM (SELECT generate_series($2::date - ${TWIN_DAYS}, $2::date + ${TWIN_DAYS}, '1 day')::date AS day) near
       CROSS JOIN LATERAL (
         SELECT *, false AS is_sum FROM ${OF_A_DAY('$3')} AS alike
         UNION ALL SELECT *, true FROM ${OF_A_DAY('$4::bigint')} AS sums
         UNION ALL SELECT *, true FROM ${OF_A_DAY('$3', 'batch_amount')} AS parts
       ) AS e JOIN bank_statements s USING (account_id, statement_id)
       WHERE e.statement_id <> $5 AND e.direction = $6 AND e.currency = $7
         AND e.status NOT IN ('replaced', 'withdrawn')
         AND NOT EXISTS (SELECT FROM bank_entry_mentions m WHERE m.account_id = $1
           AND (m.entry_id, m.statement_id) IN ((e.entry_id, $5), ($8, e.statement_id)))
       ORDER BY e.entry_id`,
      [
        accountId,
        bookedOn,
        amount.minor,
        entry.batchAmount?.minor ?? null,
        statementId,
        direction,
        amount.currency,
        id,
      ],
    );
    return rows.flatMap(({ format, own_format: own, is_sum: isSum, ...row }) => {
      const other = toBankEntry(row);
      // Of a batch and its parts the references differ.
      const [one, two] = [
        { ...entry, format: own },
        { ...other, format },
      ].map((twin) => (isSum ? { ...twin, bankReference: null, endToEndId: null } : twin));
      return one && two && isPerhapsSame(one, two) ? [other] : [];
    });
  }
}
