import { Injectable } from '@nestjs/common';
import { EU_COUNTRIES } from '../../kernel/eu-countries.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { type SnapshotRead, Snapshots } from '../../platform/database/snapshots.js';
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

/** Account, name and side of a transfer, apart from its currency. */
const ACCOUNTS = `split_part(debit, '/', 1) AS debit, split_part(credit, '/', 1) AS credit`;

const ON_THESE_DAYS = `account_id = $1 AND effective_on BETWEEN $2::date AND $3::date
  AND ($4::text IS NULL OR currency = $4)`;

/** Of rows `g` with base and tax. */
const TAXES = `jsonb_agg(jsonb_build_object('category', g.tax_category,
  'rate', trim_scale(g.tax_rate)::text, 'base', g.base::text, 'tax', g.tax::text)
  ORDER BY g.tax_rate DESC, g.tax_category)`;

/**
 * The place that money of `cash` moved on, of rows `t`. An entry of a bank that booked it stands in its fact, in
 * its payment, or took that back: all three are written with the fact, and stay. One that somebody
 * says later to be a payment by hand changes nothing.
 */
const MOVED_ON = `
  LEFT JOIN payments p ON p.account_id = $1 AND p.payment_id = t.fact_id
    AND t.fact IN ('payment.recorded', 'payment.reversed') AND 'cash' IN (t.debit, t.credit)
  LEFT JOIN refunds r ON r.account_id = $1 AND r.refund_id = t.fact_id
    AND t.fact IN ('payment.refunded', 'receipt.refunded', 'refund.returned', 'refund.reversed')
    AND 'cash' IN (t.debit, t.credit)
  LEFT JOIN bank_entries back ON back.account_id = $1 AND back.payment_id = p.payment_id
    AND back.status = 'returned' AND t.fact = 'payment.reversed'
  LEFT JOIN bank_entries e ON e.account_id = $1 AND e.entry_id = CASE
    WHEN t.fact IN ('bank_entry.booked', 'bank_entry.unbooked') THEN t.fact_id
    ELSE coalesce(back.entry_id, p.bank_entry_id) END`;

const TRANSFERS = `
  SELECT transfer_id AS id, fact, fact_id, ${ACCOUNTS}, amount, currency, effective_on,
    document_id, customer_id, NULL AS loss, NULL::jsonb AS taxes
  FROM transfers
  WHERE ${ON_THESE_DAYS} AND fact <> 'document.tax_relieved'
    AND ($6::uuid IS NULL OR transfer_id > $6)`;

/** Tax that is claimed back, with its base by rate: transfers have neither, nor those without tax. */
const RELIEFS = `
  SELECT r.relief_id, 'document.tax_relieved', r.relief_id, 'tax_payable',
    CASE r.loss WHEN 'write_off' THEN 'bad_debt' ELSE 'payment_differences' END, 0::bigint, r.currency,
    r.effective_on, r.document_id, d.customer_id, r.loss, r.taxes
  FROM (
    SELECT g.account_id, g.relief_id, g.document_id, g.currency, g.effective_on,
      g.loss, ${TAXES} AS taxes
    FROM tax_reliefs g WHERE ${ON_THESE_DAYS} AND ($6::uuid IS NULL OR g.relief_id > $6)
    GROUP BY 1, 2, 3, 4, 5, 6
  ) r JOIN documents d USING (account_id, document_id)`;

/** Transfers with what an accountant asks of their documents: no locks. */
@Injectable()
export class JournalQuery {
  constructor(private readonly snapshots: Snapshots) {}

  /** The first `count` transfers behind a place, in the order of recording. */
  async list(
    accountId: Uuid,
    filter: JournalFilter,
    after: Uuid | null,
    count: number,
  ): Promise<JournalTransfer[]> {
    return this.snapshots.run(async (read) => page(read, accountId, filter, after, count));
  }

  /** All of some days, in the order of recording, as they stand when the first are read. */
  all(accountId: Uuid, filter: JournalFilter): AsyncGenerator<JournalTransfer[], void> {
    return this.snapshots.pages<JournalTransfer>(ROWS_AT_ONCE, async (read, last) =>
      page(read, accountId, filter, last?.id ?? null, ROWS_AT_ONCE),
    );
  }
}

async function page(
  read: SnapshotRead,
  accountId: Uuid,
  { from, to, currency }: JournalFilter,
  after: Uuid | null,
  count: number,
): Promise<JournalTransfer[]> {
  const rows = await read<Row>(
    `SELECT t.id, t.fact, t.fact_id AS "factId", t.debit, t.credit, t.amount,
           t.currency, t.effective_on AS "effectiveOn", d.number AS "documentNumber",
           t.customer_id AS "customerId", c.profile->>'name' AS "customerName",
           CASE WHEN w.customer->>'country' = ANY ($5) AND w.seller->>'country' = ANY ($5)
             AND w.customer->>'country' <> w.seller->>'country'
             THEN w.customer->>'country' END AS abroad,
           w.customer->>'tax_id' AS "taxId", b.place AS debtor,
           coalesce(w.details->>'supply_date', w.details->'service_period'->>'end')::date
             AS "suppliedOn",
           w.lines->0->>'description' AS sold, t.loss, e.bank_account AS "bankAccount",
           CASE WHEN e.entry_id IS NULL THEN coalesce(p.method, r.method)
             ELSE 'bank_transfer' END AS method,
           coalesce(t.taxes, (SELECT ${TAXES}
             FROM document_tax_groups g
             WHERE g.account_id = $1 AND g.document_id = t.fact_id
               AND ARRAY['revenue', 'tax_payable'] && ARRAY[t.debit, t.credit]),
             '[]') AS taxes
         FROM (SELECT * FROM (${TRANSFERS} UNION ALL ${RELIEFS}) lines ORDER BY id LIMIT $7) t
         LEFT JOIN documents d ON d.account_id = $1 AND d.document_id = t.document_id
         LEFT JOIN document_contents w ON w.account_id = $1 AND w.document_id = t.document_id
         LEFT JOIN customers c ON c.account_id = $1 AND c.customer_id = t.customer_id
         LEFT JOIN debtors b ON b.account_id = $1 AND b.customer_id = t.customer_id
         ${MOVED_ON}
         ORDER BY t.id`,
    [accountId, from, to, currency, EU_COUNTRIES, after, count],
  );
  return rows.map(({ taxes, ...row }) => ({
    ...row,
    taxes: taxes.map((one) => ({ ...one, base: BigInt(one.base), tax: BigInt(one.tax) })),
  }));
}
