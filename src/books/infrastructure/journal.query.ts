import { Injectable } from '@nestjs/common';
import { EU_COUNTRIES } from '../../kernel/eu-countries.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import type { JournalTransfer } from '../domain/journal.js';

export interface JournalFilter {
  /** Both days belong to it. */
  from: IsoDate;
  to: IsoDate;
  currency: Currency | null;
}

/** Rows that a file reads at once. */
const ROWS_AT_ONCE = 1000;

type Row = Omit<JournalTransfer, 'taxes'> & {
  taxes: { category: string; rate: string; base: string; tax: string }[];
};

/** Transfers with what an accountant asks of their documents: no locks. */
@Injectable()
export class JournalQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** All of some days, in the order of recording, as they stand when the first are read. */
  all(accountId: Uuid, filter: JournalFilter): AsyncGenerator<JournalTransfer[], void> {
    const { from, to, currency } = filter;
    return this.snapshots.pages<JournalTransfer>(ROWS_AT_ONCE, async (read, last) => {
      const rows = await read<Row>(
        `SELECT t.transfer_id AS id, t.fact, t.fact_id AS "factId",
           split_part(t.debit, '/', 1) AS debit, split_part(t.credit, '/', 1) AS credit, t.amount,
           t.currency, t.effective_on AS "effectiveOn", d.number AS "documentNumber",
           t.customer_id AS "customerId", c.profile->>'name' AS "customerName",
           CASE WHEN w.customer->>'country' = ANY ($5) AND w.seller->>'country' = ANY ($5)
             AND w.customer->>'country' <> w.seller->>'country'
             THEN w.customer->>'country' END AS abroad,
           w.customer->>'tax_id' AS "taxId",
           coalesce((SELECT jsonb_agg(jsonb_build_object('category', g.tax_category,
               'rate', trim_scale(g.tax_rate)::text, 'base', g.base::text, 'tax', g.tax::text)
               ORDER BY g.tax_rate DESC, g.tax_category)
             FROM document_tax_groups g
             WHERE g.account_id = $1 AND g.document_id = t.fact_id
               AND ARRAY['revenue', 'tax_payable']
                 && ARRAY[split_part(t.debit, '/', 1), split_part(t.credit, '/', 1)]),
             '[]') AS taxes
         FROM transfers t
         LEFT JOIN documents d ON d.account_id = $1 AND d.document_id = t.document_id
         LEFT JOIN document_contents w ON w.account_id = $1 AND w.document_id = t.document_id
         LEFT JOIN customers c ON c.account_id = $1 AND c.customer_id = t.customer_id
         WHERE t.account_id = $1 AND t.effective_on BETWEEN $2::date AND $3::date
           AND ($4::text IS NULL OR t.currency = $4) AND ($6::uuid IS NULL OR t.transfer_id > $6)
         ORDER BY t.transfer_id LIMIT $7`,
        [accountId, from, to, currency, EU_COUNTRIES, last?.id ?? null, ROWS_AT_ONCE],
      );
      return rows.map(({ taxes, ...row }) => ({
        ...row,
        taxes: taxes.map((one) => ({ ...one, base: BigInt(one.base), tax: BigInt(one.tax) })),
      }));
    });
  }
}
