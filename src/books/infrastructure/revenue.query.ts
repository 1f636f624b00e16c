import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Currency } from '../../kernel/currency.js';
import type { Uuid } from '../../kernel/ids.js';
import { Snapshots } from '../../platform/database/snapshots.js';
import { billed } from './billed-sql.js';
import { flowsBetween, summedThrough } from './summed-transfers.js';
import type { RevenueInterval, PeriodFlow, PeriodTax } from '../domain/revenue.js';

export interface RevenueFilter {
  /** Both days belong to it. */
  from: IsoDate;
  to: IsoDate;
  interval: RevenueInterval;
  currency: Currency | null;
}

/** $1 is the account, $2 and $3 the first and the last day, $4 the interval, $5 the currency. */
const WITHIN = `account_id = $1 AND effective_on BETWEEN $2::date AND $3::date
  AND ($5::text IS NULL OR currency = $5)`;

/** $6 is how far there are sums. */
const FLOWS = `
  SELECT date_trunc($4, day)::date AS period, right(debit, 3) AS currency, fact,
    split_part(debit, '/', 1) AS debit, split_part(credit, '/', 1) AS credit,
    sum(amount)::bigint AS amount
  FROM (${flowsBetween('$2::date', '$3::date', '$6')}) days
  WHERE $5::text IS NULL OR right(debit, 3) = $5
  GROUP BY 1, 2, 3, 4, 5`;

/** The taxes of a document count on the day on which its revenue does. */
const TAXES = `
  SELECT date_trunc($4, f.day)::date AS period, f.currency, g.tax_category AS category,
    trim_scale(g.tax_rate)::text AS rate, sum(f.sign * g.base)::bigint AS base,
    sum(f.sign * g.tax)::bigint AS tax
  FROM (${billed(WITHIN)}) f
  JOIN document_tax_groups g ON g.account_id = $1 AND g.document_id = f.fact_id
  GROUP BY 1, 2, 3, g.tax_rate
  ORDER BY g.tax_rate DESC, 3`;

/** Revenue and tax from the ledger, by period: no locks. */
@Injectable()
export class RevenueQuery {
  constructor(private readonly snapshots: Snapshots) {}

  async read(
    accountId: Uuid,
    { from, to, interval, currency }: RevenueFilter,
  ): Promise<{ flows: PeriodFlow[]; taxes: PeriodTax[] }> {
    const values = [accountId, from, to, interval, currency];
    return this.snapshots.run(async (read) => ({
      flows: await read<PeriodFlow>(FLOWS, [...values, await summedThrough(read)]),
      taxes: await read<PeriodTax>(TAXES, values),
    }));
  }
}
