import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Position } from '../../../platform/http/paging.js';
import { type TaxRate } from '../../domain/catalogue/tax-rate.js';
import {
  FIND_TAX_RATE,
  TAX_RATE_COLUMNS,
  type TaxRateColumns,
  toTaxRate,
} from './tax-rate.repository.js';
import { DocumentRefusal } from '../../domain/refusals.js';

export interface TaxRateFilter {
  /** Absent: both. */
  archived?: boolean;
  taxCategory?: string;
  country?: string;
}

const LIST = `SELECT ${TAX_RATE_COLUMNS} FROM tax_rates t WHERE t.account_id = $1
    AND ($2::boolean IS NULL OR (t.archived_at IS NOT NULL) = $2)
    AND ($3::text IS NULL OR t.tax_category = $3)
    AND ($4::text IS NULL OR t.country = $4)
    AND ($5::uuid IS NULL OR t.tax_rate_id < $5)
  ORDER BY t.tax_rate_id DESC LIMIT $6`;

/** Tax rates for reading: no locks. */
@Injectable()
export class TaxRatesQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<TaxRate> {
    const [row] = await this.database.query<TaxRateColumns>(FIND_TAX_RATE, [accountId, id]);
    if (!row) throw DocumentRefusal.tax_rate_not_found.of();
    return toTaxRate(row);
  }

  /** The first `count` behind a place, newest first. */
  async list(
    accountId: Uuid,
    filter: TaxRateFilter,
    after: Position | null,
    count: number,
  ): Promise<TaxRate[]> {
    const values = valuesOf(accountId, filter, after, count);
    const rows = await this.database.list<TaxRateColumns>(LIST, values);
    return rows.map(toTaxRate);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, filter: TaxRateFilter, most: number): Promise<number> {
    return this.database.countRows(LIST, valuesOf(accountId, filter, null, most));
  }
}

function valuesOf(
  accountId: Uuid,
  { archived, taxCategory, country }: TaxRateFilter,
  after: Position | null,
  count: number,
): unknown[] {
  return [accountId, archived, taxCategory, country, after?.id, count];
}
