import { Injectable } from '@nestjs/common';
import { EU_COUNTRIES } from '../../kernel/eu-countries.js';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { billedAndRelieved } from './billed-sql.js';
import type { OssLine } from '../domain/oss.js';

/** Sales to other member states, less the tax of losses that is claimed back, from the ledger: no locks. */
@Injectable()
export class OssQuery {
  constructor(private readonly database: Database) {}

  /** Both days belong to it. */
  async read(accountId: Uuid, from: IsoDate, to: IsoDate): Promise<OssLine[]> {
    return this.database.list<OssLine>(
      `SELECT c.customer->>'country' AS country, f.currency, trim_scale(f.tax_rate)::text AS rate,
         sum(f.base)::bigint AS base, sum(f.tax)::bigint AS tax
       FROM (${billedAndRelieved('$2::date', '$3::date')}) f
       JOIN document_contents c ON c.account_id = $1 AND c.document_id = f.document_id
       WHERE f.tax_category = 'S' AND c.customer->>'country' = ANY ($4)
         AND c.seller->>'country' = ANY ($4)
         AND c.customer->>'country' <> c.seller->>'country' AND c.customer->>'tax_id' IS NULL
       GROUP BY 1, 2, f.tax_rate
       HAVING sum(f.base) <> 0 OR sum(f.tax) <> 0
       ORDER BY 1, 2, f.tax_rate DESC`,
      [accountId, from, to, EU_COUNTRIES],
    );
  }
}
