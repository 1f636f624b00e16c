import { Injectable } from '@nestjs/common';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import type { Uuid } from '../../kernel/ids.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import type { BankEntry } from '../domain/bank-entry.js';
import { isPerhapsSame, TWIN_DAYS } from '../domain/bank-entry-identity.js';
import type { BankStatementFormat } from '../domain/bank-statement.js';
import { BANK_ENTRY_COLUMNS, type BankEntryColumns, toBankEntry } from './bank-entry-columns.js';

interface TwinColumns extends BankEntryColumns {
  /** @derived */
  format: BankStatementFormat;
  /** That of the entry itself. @derived */
  own_format: BankStatementFormat;
  /** One of both may be a batch, and the other one of its parts. @derived */
  is_sum: boolean;
}

interface Near extends Pick<Row<'bank_entries'>, 'entry_id'> {
  /** @derived */
  is_sum: boolean;
}

/** Of one day; the oldest, so that those of the same file, which are newer, are not looked through. */
const MOST_OF_A_DAY = 30;

const OF_A_DAY = (amount: string, column = 'amount') =>
  `(SELECT entry_id, statement_id FROM bank_entries o WHERE o.account_id = $1
     AND o.booked_on = near.day::date AND o.${column} = ${amount}
     ORDER BY o.entry_id LIMIT ${MOST_OF_A_DAY})`;

const NEAR = (sums = '') =>
  `SELECT DISTINCT e.entry_id, e.is_sum
   FROM generate_series($2::date - ${TWIN_DAYS}, $2::date + ${TWIN_DAYS}, '1 day') near(day)
   CROSS JOIN LATERAL (
     SELECT *, false AS is_sum FROM ${OF_A_DAY('$3')} AS alike
     UNION ALL SELECT *, true FROM ${OF_A_DAY('$3', 'batch_amount')} AS parts ${sums}
   ) e
   WHERE e.statement_id <> $4`;
const NEAR_ANY = NEAR();
const NEAR_PART = NEAR(`UNION ALL SELECT *, true FROM ${OF_A_DAY('$5')} AS sums`);

/** Entries of other files that may be the same movement as one. */
@Injectable()
export class BankEntryTwinsQuery {
  /** Of two files that come at once, one is judged after the other is: neither would see the other's result. */
  async lock(tx: Tx, accountId: Uuid): Promise<void> {
    await tx.read(`SELECT pg_advisory_xact_lock(hashtextextended('bank twins ' || $1::text, 0))`, [
      accountId,
    ]);
  }

  /**
   * Those of files that do not tell of both. Most entries have none: the small statement that says
   * so is planned in a fraction of the time that the whole one takes.
   */
  async of(read: SnapshotRead, entry: BankEntry): Promise<BankEntry[]> {
    const { accountId, statementId, id, bookedOn, amount, direction, batchAmount } = entry;
    const place = [accountId, bookedOn, amount.minor, statementId];
    const near = await (batchAmount
      ? read<Near>(NEAR_PART, [...place, batchAmount.minor])
      : read<Near>(NEAR_ANY, place));
    if (near.length === 0) return [];
    const rows = await read<TwinColumns>(
      `SELECT ${BANK_ENTRY_COLUMNS}, s.format, n.is_sum, (
           SELECT format FROM bank_statements WHERE account_id = $1 AND statement_id = $4
         ) AS own_format
       FROM unnest($2::uuid[], $3::boolean[]) AS n(entry_id, is_sum)
       JOIN bank_entries e ON e.account_id = $1 AND e.entry_id = n.entry_id
       JOIN bank_statements s ON s.account_id = $1 AND s.statement_id = e.statement_id
       WHERE e.direction = $5 AND e.currency = $6 AND e.status NOT IN ('replaced', 'withdrawn')
         AND NOT EXISTS (SELECT FROM bank_entry_mentions m WHERE m.account_id = $1
           AND (m.entry_id, m.statement_id) IN ((e.entry_id, $4), ($7, e.statement_id)))
       ORDER BY e.entry_id`,
      [
        accountId,
        near.map((one) => one.entry_id),
        near.map((one) => one.is_sum),
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
