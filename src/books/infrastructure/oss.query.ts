import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { billed } from './billed-sql.js';
import { EU_COUNTRIES, type OssLine } from '../domain/oss.js';

const WITHIN = 'account_id = $1 AND effective_on BETWEEN $2::date AND $3::date';

/** Sales to other member states, from the ledger and the tax groups of its documents: no locks. */
@Injectable()
export class OssQuery {
  constructor(private readonly database: Database) {}

  /** Both days belong to it. */
  async read(accountId: Uuid, from: IsoDate, to: IsoDate): Promise<OssLine[]> {
    return this.database.queryOnce<OssLine>(
      `SELECT d.customer->>'country' AS country, f.currency, trim_scale(g.tax_rate)::text AS rate,
         sum(f.sign * g.base)::bigint AS base, sum(f.sign * g.tax)::bigint AS tax
       FROM (${billed(WITHIN)}) f
       JOIN documents d ON d.account_id = $1 AND d.document_id = f.fact_id
       JOIN document_tax_groups g ON g.account_id = $1 AND g.document_id = f.fact_id
       WHERE g.tax_category = 'S' AND d.customer->>'country' = ANY ($4)
         AND d.seller->>'country' = ANY ($4)
         AND d.customer->>'country' <> d.seller->>'country' AND d.customer->>'tax_id' IS NULL
       GROUP BY 1, 2, g.tax_rate
       HAVING sum(f.sign * g.base) <> 0 OR sum(f.sign * g.tax) <> 0
       ORDER BY 1, 2, g.tax_rate DESC`,
      [accountId, from, to, EU_COUNTRIES],
    );
  }
}
