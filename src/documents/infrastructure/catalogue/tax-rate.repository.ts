import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../../kernel/ids.js';
import { Database } from '../../../platform/database/database.js';
import type { Row } from '../../../platform/database/row.js';
import type { Tx } from '../../../platform/database/tx.js';
import { type TaxRate } from '../../domain/catalogue/tax-rate.js';
import { DocumentRefusal } from '../../domain/refusals.js';

export const TAX_RATE_COLUMNS = `t.tax_rate_id, t.name, t.description, trim_scale(t.tax_rate)::text AS rate,
  t.tax_category, t.exemption_reason, t.exemption_code, t.country, t.metadata, t.archived_at,
  t.created_at, t.updated_at, t.version`;

export interface TaxRateColumns extends Omit<
  Row<'tax_rates', { metadata: Record<string, string> }>,
  'account_id' | 'tax_rate'
> {
  /** @derived @notNull */
  rate: string;
}

export const FIND_TAX_RATE = `SELECT ${TAX_RATE_COLUMNS} FROM tax_rates t WHERE t.account_id = $1 AND t.tax_rate_id = $2`;
const NAMED = `SELECT ${TAX_RATE_COLUMNS} FROM tax_rates t
  WHERE t.account_id = $1 AND t.tax_rate_id = ANY ($2::uuid[])`;

@Injectable()
export class TaxRateRepository {
  constructor(private readonly database: Database) {}

  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<TaxRate> {
    const [row] = await tx.read<TaxRateColumns>(`${FIND_TAX_RATE} FOR NO KEY UPDATE`, [
      accountId,
      id,
    ]);
    if (!row) throw DocumentRefusal.tax_rate_not_found.of();
    return toTaxRate(row);
  }

  /** All of them at once, and without a lock: lines copy what never changes. */
  async named(tx: Tx | null, accountId: Uuid, ids: readonly Uuid[]): Promise<TaxRate[]> {
    if (ids.length === 0) return [];
    const values = [accountId, [...new Set(ids)]];
    const rows = await this.database.queryIn<TaxRateColumns>(tx, NAMED, values);
    return rows.map(toTaxRate);
  }

  insert(tx: Tx, accountId: Uuid, rate: TaxRate): void {
    tx.insert('tax_rates', {
      account_id: accountId,
      tax_rate_id: rate.id,
      name: rate.name,
      description: rate.description,
      tax_rate: rate.taxRate,
      tax_category: rate.taxCategory,
      exemption_reason: rate.exemptionReason,
      exemption_code: rate.exemptionCode,
      country: rate.country,
      metadata: rate.metadata,
      version: rate.version,
      created_at: rate.createdAt,
      updated_at: rate.updatedAt,
    });
  }

  /** The row must be locked. A trigger keeps the tax itself. */
  update(tx: Tx, accountId: Uuid, rate: TaxRate): void {
    tx.update(
      'tax_rates',
      { account_id: accountId, tax_rate_id: rate.id },
      {
        name: rate.name,
        description: rate.description,
        metadata: rate.metadata,
        archived_at: rate.archivedAt,
        updated_at: rate.updatedAt,
        version: rate.version,
      },
    );
  }
}

export function toTaxRate(row: TaxRateColumns): TaxRate {
  return {
    id: row.tax_rate_id,
    name: row.name,
    description: row.description,
    taxRate: row.rate,
    taxCategory: row.tax_category,
    exemptionReason: row.exemption_reason,
    exemptionCode: row.exemption_code,
    country: row.country,
    metadata: row.metadata,
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  };
}
