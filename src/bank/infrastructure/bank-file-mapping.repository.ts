import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { Row } from '../../platform/database/row.js';
import { type BankFileMapping, type KeptHints } from '../domain/mappings/bank-file-mapping.js';
import type { SaidHints } from '../domain/mappings/said-hints.js';
import { BankRefusal } from '../domain/refusals.js';

export const MAPPING_COLUMNS = `m.mapping_id, m.bank_account, m.header, m.hints, m.told_at,
  m.client_id`;

export type MappingColumns = Omit<Row<'bank_file_mappings', { hints: SaidHints }>, 'account_id'>;

/** Mappings for writing, and for the import of a file. */
@Injectable()
export class BankFileMappingRepository {
  async all(tx: Tx, accountId: Uuid): Promise<KeptHints[]> {
    const rows = await tx.read<MappingColumns>(
      `SELECT ${MAPPING_COLUMNS} FROM bank_file_mappings m WHERE m.account_id = $1
       ORDER BY m.mapping_id`,
      [accountId],
    );
    return rows.map(toMapping);
  }

  /** Locks the row, if there is one. */
  async ofAccountForUpdate(
    tx: Tx,
    accountId: Uuid,
    bankAccount: string,
  ): Promise<BankFileMapping | undefined> {
    const [row] = await tx.read<MappingColumns>(
      `SELECT ${MAPPING_COLUMNS} FROM bank_file_mappings m
       WHERE m.account_id = $1 AND m.bank_account = $2 FOR UPDATE`,
      [accountId, bankAccount],
    );
    return row && toMapping(row);
  }

  /** Locks the row. */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<BankFileMapping> {
    const [row] = await tx.read<MappingColumns>(
      `SELECT ${MAPPING_COLUMNS} FROM bank_file_mappings m
       WHERE m.account_id = $1 AND m.mapping_id = $2 FOR UPDATE`,
      [accountId, id],
    );
    if (!row) throw BankRefusal.bank_file_mapping_not_found.of();
    return toMapping(row);
  }

  async count(tx: Tx, accountId: Uuid): Promise<number> {
    const [row] = await tx.read<{ count: bigint }>(
      'SELECT count(*) FROM bank_file_mappings WHERE account_id = $1',
      [accountId],
    );
    return Number(row?.count ?? 0n);
  }

  /** The same bank account at the same time breaks `bank_file_mappings_account`. */
  insert(tx: Tx, accountId: Uuid, mapping: BankFileMapping): void {
    tx.insert('bank_file_mappings', {
      account_id: accountId,
      mapping_id: mapping.id,
      bank_account: mapping.bankAccount,
      ...told(mapping),
    });
  }

  /** The row must be locked. */
  update(tx: Tx, accountId: Uuid, mapping: BankFileMapping): void {
    const key = { account_id: accountId, mapping_id: mapping.id };
    tx.update('bank_file_mappings', key, told(mapping));
  }

  delete(tx: Tx, accountId: Uuid, id: Uuid): void {
    tx.write('DELETE FROM bank_file_mappings WHERE account_id = $1 AND mapping_id = $2', [
      accountId,
      id,
    ]);
  }
}

function told({ header, hints, toldAt, clientId }: BankFileMapping) {
  return { header, hints: JSON.stringify(hints), told_at: toldAt, client_id: clientId };
}

export function toMapping(row: MappingColumns): BankFileMapping {
  return {
    id: row.mapping_id,
    bankAccount: row.bank_account,
    header: row.header,
    hints: row.hints,
    toldAt: row.told_at,
    clientId: row.client_id,
  };
}
