import { Injectable } from '@nestjs/common';
import { IdGenerator } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { LedgerEntry } from '../domain/ledger.js';

/** The ledger for writing: it only ever grows. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly ids: IdGenerator) {}

  insert(tx: Tx, { legs, effective, ...entry }: LedgerEntry): void {
    const [first] = legs;
    if (!first) return;
    const { currency } = first.amount;
    const isInstant = effective instanceof Date;
    const rows = legs.map((_, leg) => {
      const at = ENTRY_VALUES + leg * LEG_VALUES;
      return `($${at + 1}::uuid, $${at + 2}, $${at + 3}, $${at + 4}::bigint, $${at + 5}::uuid)`;
    });
    // Rows, not lists as parameters, which cost the caller and the database more.
    tx.write(
      `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
         currency, document_id, customer_id, effective_on, recorded_at)
       SELECT $1, l.transfer_id, $2, $3, l.debit, l.credit, l.amount, $4, l.document_id, $5,
         coalesce($6::date, ($7::timestamptz AT TIME ZONE a.time_zone)::date), $8
       FROM accounts a, (VALUES ${rows.join(', ')})
         AS l (transfer_id, debit, credit, amount, document_id)
       WHERE a.account_id = $1`,
      [
        entry.accountId,
        entry.fact,
        entry.factId,
        currency,
        entry.customerId,
        isInstant ? null : effective,
        isInstant ? effective : null,
        entry.recordedAt,
        ...legs.flatMap(({ debit, credit, amount, documentId }) => [
          this.ids.next(),
          `${debit}/${currency}`,
          `${credit}/${currency}`,
          amount.minor,
          documentId,
        ]),
      ],
    );
  }
}

const ENTRY_VALUES = 8;
const LEG_VALUES = 5;
