import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import { type BankFileMapping } from '../domain/mappings/bank-file-mapping.js';
import { MAPPING_COLUMNS, type MappingColumns, toMapping } from './bank-file-mapping.repository.js';
import { BankRefusal } from '../domain/refusals.js';

const MAPPINGS = `SELECT ${MAPPING_COLUMNS} FROM bank_file_mappings m
  WHERE m.account_id = $1 AND ($2::uuid IS NULL OR m.mapping_id < $2)
  ORDER BY m.mapping_id DESC LIMIT $3`;

/** Mappings for reading: no locks. */
@Injectable()
export class BankFileMappingsQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<BankFileMapping> {
    const [row] = await this.database.query<MappingColumns>(
      `SELECT ${MAPPING_COLUMNS} FROM bank_file_mappings m
       WHERE m.account_id = $1 AND m.mapping_id = $2`,
      [accountId, id],
    );
    if (!row) throw BankRefusal.bank_file_mapping_not_found.of();
    return toMapping(row);
  }

  /** The `count` newest behind a place. */
  async list(accountId: Uuid, after: Uuid | null, count: number): Promise<BankFileMapping[]> {
    const values = [accountId, after, count];
    const rows = await this.database.query<MappingColumns>(MAPPINGS, values);
    return rows.map(toMapping);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, most: number): Promise<number> {
    return this.database.countRows(MAPPINGS, [accountId, null, most]);
  }
}
