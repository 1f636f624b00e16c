import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Movement, OpeningBalance } from '../domain/customer-statement.js';

export interface CustomerStatementFilter {
  customerId: Uuid;
  /** Both days belong to it; null: from the beginning. */
  from: IsoDate | null;
  to: IsoDate;
  currency: Currency | null;
}

/**
 * The customer's transfers as the customer's own account has them: what they owe on the debit side,
 * what they paid on the credit side. Money that comes in for what was written off, or goes back from
 * it, stands on both: the receivable comes back, and goes again. $1 is the account, $2 the customer,
 * $3 the currency.
 */
const linesOf = (customer: string) => `
  SELECT t.*, owed_more + credit_less + recovered AS on_debit,
    owed_less + credit_more + recovered AS on_credit
  FROM (
    SELECT transfer_id, fact, fact_id, document_id, currency, effective_on, recorded_at,
      CASE d WHEN 'receivables' THEN amount ELSE 0 END AS owed_more,
      CASE c WHEN 'receivables' THEN amount ELSE 0 END AS owed_less,
      CASE c WHEN 'customer_credit' THEN amount ELSE 0 END AS credit_more,
      CASE d WHEN 'customer_credit' THEN amount ELSE 0 END AS credit_less,
      CASE WHEN 'bad_debt' IN (d, c)
          AND NOT ARRAY[d, c] && ARRAY['receivables', 'customer_credit']
        THEN amount ELSE 0 END AS recovered,
      'payment_differences' IN (d, c) AS is_waiver
    FROM transfers,
      LATERAL (SELECT split_part(debit, '/', 1) AS d, split_part(credit, '/', 1) AS c) sides
    WHERE account_id = $1 AND customer_id = ${customer} AND ($3::text IS NULL OR currency = $3)
      AND effective_on <= $4::date
      -- Between us and the tax office: the customer owes as much as before.
      AND fact <> 'document.tax_relieved'
  ) t
  WHERE owed_more + owed_less + credit_more + credit_less + recovered > 0`;

const LINES = linesOf('$2');

const OPENINGS = `
  SELECT currency, sum(owed_more - owed_less)::bigint AS receivables,
    sum(credit_more - credit_less)::bigint AS "customerCredit"
  FROM (${LINES}) l WHERE l.effective_on < $5::date GROUP BY 1
  HAVING sum(owed_more - owed_less) <> 0 OR sum(credit_more - credit_less) <> 0`;

const MOVEMENTS = `
  SELECT m.currency, m.effective_on AS "effectiveOn", m.recorded_at AS "recordedAt", m.fact,
    m.fact_id AS "factId", f.number AS "factNumber", m.is_waiver AS "isWaiver",
    m.document_id AS "documentId", d.number AS "documentNumber",
    coalesce(p.reference, r.reference) AS reference, m.debit, m.credit, m.receivables,
    m.customer_credit AS "customerCredit"
  FROM (
    SELECT currency, effective_on, fact, fact_id, document_id, is_waiver,
      min(recorded_at) AS recorded_at, min(transfer_id::text) AS place,
      sum(on_debit)::bigint AS debit, sum(on_credit)::bigint AS credit,
      sum(owed_more - owed_less)::bigint AS receivables,
      sum(credit_more - credit_less)::bigint AS customer_credit
    FROM (${LINES}) l WHERE $5::date IS NULL OR l.effective_on >= $5::date
    GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY currency, effective_on, place LIMIT $6
  ) m
  LEFT JOIN documents d ON d.account_id = $1 AND d.document_id = m.document_id
  LEFT JOIN documents f ON f.account_id = $1 AND f.document_id = m.fact_id
  LEFT JOIN payments p ON p.account_id = $1 AND p.payment_id = m.fact_id
  LEFT JOIN refunds r ON r.account_id = $1 AND r.refund_id = m.fact_id
  ORDER BY m.currency, m.effective_on, m.place`;

const WITH_STATEMENTS = `
  SELECT c.customer_id AS id FROM unnest($2::uuid[]) AS c (customer_id)
  WHERE EXISTS (SELECT FROM (${linesOf('c.customer_id')}) l GROUP BY currency
    HAVING bool_or(effective_on >= $5::date) OR sum(owed_more - owed_less) <> 0
      OR sum(credit_more - credit_less) <> 0)`;

/** Reads the movements between a customer and us: no locks. */
@Injectable()
export class CustomerStatementQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** The balances before the first day, and the first `count` movements in order. */
  async read(
    accountId: Uuid,
    { customerId, from, to, currency }: CustomerStatementFilter,
    count: number,
  ): Promise<{ openings: OpeningBalance[]; movements: Movement[] }> {
    const values = [accountId, customerId, currency, to, from];
    return this.snapshots.run(async (read) => ({
      openings: from === null ? [] : await read<OpeningBalance>(OPENINGS, values),
      movements: await read<Movement>(MOVEMENTS, [...values, count]),
    }));
  }

  /** Those of the customers with whom anything moved between the days, or stood open after them. */
  async withStatements(
    tx: Tx,
    accountId: Uuid,
    customers: readonly Uuid[],
    { from, to }: { from: IsoDate; to: IsoDate },
  ): Promise<ReadonlySet<Uuid>> {
    const values = [accountId, customers, null, to, from];
    const rows = await tx.read<{ id: Uuid }>(WITH_STATEMENTS, values);
    return new Set(rows.map(({ id }) => id));
  }
}
