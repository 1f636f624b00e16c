import { Injectable } from '@nestjs/common';
import type { IsoDate } from '../../kernel/clock.js';
import { EU_COUNTRIES } from '../../kernel/eu-countries.js';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { EC_SALE_CATEGORIES, type EcSalesLine } from '../domain/ec-sales.js';
import { billedAndRelieved } from './billed-sql.js';

/** Sales to businesses of other member states, from the ledger and the documents: no locks. */
@Injectable()
export class EcSalesQuery {
  constructor(private readonly database: Database) {}

  /** Both days belong to it. */
  async read(accountId: Uuid, from: IsoDate, to: IsoDate): Promise<EcSalesLine[]> {
    return this.database.list<EcSalesLine>(
      `SELECT c.customer->>'country' AS country, c.customer->>'tax_id' AS "taxId",
         f.tax_category AS category, f.currency, sum(f.base)::bigint AS base
       FROM (${billedAndRelieved('$2::date', '$3::date')}) f
       JOIN document_contents c ON c.account_id = $1 AND c.document_id = f.document_id
       WHERE f.tax_category = ANY ($5) AND c.customer->>'country' = ANY ($4)
         AND c.seller->>'country' = ANY ($4)
         AND c.customer->>'country' <> c.seller->>'country'
       GROUP BY 1, 2, 3, 4
       HAVING sum(f.base) <> 0
       ORDER BY 1, 2 NULLS FIRST, 3 DESC, 4`,
      [accountId, from, to, EU_COUNTRIES, EC_SALE_CATEGORIES],
    );
  }
}
