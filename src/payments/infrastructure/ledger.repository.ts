import { Injectable } from '@nestjs/common';
import { IdGenerator } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/unit-of-work.js';
import type { Entry } from '../domain/ledger.js';

/** The ledger for writing: it only ever grows. */
@Injectable()
export class LedgerRepository {
  constructor(private readonly ids: IdGenerator) {}

  insert(tx: Tx, { legs, effective, ...entry }: Entry): void {
    const [first] = legs;
    if (!first) return;
    const { currency } = first.amount;
    const isInstant = effective instanceof Date;
    const day = isInstant ? null : effective;
    const instant = isInstant ? effective : null;
    if (legs.length === 1) {
      // Nine of ten payments: without lists, which cost the caller and the database more.
      tx.write(
        `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
           currency, document_id, customer_id, effective_on, recorded_at)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
           coalesce($11::date, ($12::timestamptz AT TIME ZONE a.time_zone)::date), $13
         FROM accounts a WHERE a.account_id = $1`,
        [
          entry.accountId,
          this.ids.next(),
          entry.fact,
          entry.factId,
          `${first.debit}/${currency}`,
          `${first.credit}/${currency}`,
          first.amount.minor,
          currency,
          first.documentId,
          entry.customerId,
          day,
          instant,
          entry.recordedAt,
        ],
      );
      return;
    }
    tx.write(
      `INSERT INTO transfers (account_id, transfer_id, fact, fact_id, debit, credit, amount,
         currency, document_id, customer_id, effective_on, recorded_at)
       SELECT $1, l.transfer_id, $2, $3, l.debit, l.credit, l.amount, $4, l.document_id, $5,
         coalesce($6::date, ($7::timestamptz AT TIME ZONE a.time_zone)::date), $8
       FROM accounts a, unnest($9::uuid[], $10::text[], $11::text[], $12::bigint[], $13::uuid[])
         AS l (transfer_id, debit, credit, amount, document_id)
       WHERE a.account_id = $1`,
      [
        entry.accountId,
        entry.fact,
        entry.factId,
        currency,
        entry.customerId,
        day,
        instant,
        entry.recordedAt,
        legs.map(() => this.ids.next()),
        legs.map(({ debit }) => `${debit}/${currency}`),
        legs.map(({ credit }) => `${credit}/${currency}`),
        legs.map(({ amount }) => amount.minor),
        legs.map(({ documentId }) => documentId),
      ],
    );
  }
}
