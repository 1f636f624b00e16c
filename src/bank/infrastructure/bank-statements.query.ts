import { Injectable } from '@nestjs/common';
import type { Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Row } from '../../platform/database/row.js';
import { BANK_ENTRY_STATUSES, type BankEntry, type BankEntryStatus } from '../domain/bank-entry.js';
import type { BankStatementFormat } from '../domain/bank-statement.js';
import { BANK_ENTRY_COLUMNS, type BankEntryColumns, toBankEntry } from './bank-entry-columns.js';
import type { StoredBankSection } from './bank-statement.repository.js';

/** A file, and what became of its entries. */
export interface BankStatement {
  id: Uuid;
  format: BankStatementFormat;
  sha256: string;
  importedAt: Date;
  /** When it was taken back. */
  withdrawnAt: Date | null;
  sections: StoredBankSection[];
  /** All of the file's, with those that another file brought before. */
  entries: number;
  knownBefore: number;
  pending: number;
  rejected: number;
  /** Columns, fields and labels that no rule took. */
  unused: readonly string[];
  /** The mapping that it was read by; it may be gone. */
  mappingId: Uuid | null;
  /** Of those that this file brought. */
  counts: Record<BankEntryStatus, number>;
}

interface BankStatementColumns extends Omit<
  Row<'bank_statements', { format: BankStatementFormat; sections: StoredBankSection[] }>,
  'account_id' | 'client_id' | 'hints' | 'sha256' | 'xact'
> {
  /** In hex. @derived */
  sha256: string;
  /** @derived */
  counts: Record<string, number> | null;
}

export interface BankEntryFilter {
  status: BankEntryStatus | null;
  statementId: Uuid | null;
}

const BANK_STATEMENT_COLUMNS = `s.statement_id, s.format, encode(s.sha256, 'hex') AS sha256,
  s.imported_at, s.withdrawn_at, s.sections, s.entries, s.known_before, s.pending, s.rejected,
  s.unused_columns, s.mapping_id,
  (SELECT json_object_agg(status, count) FROM (
    SELECT e.status, count(*) FROM bank_entries e
    WHERE (e.account_id, e.statement_id) = (s.account_id, s.statement_id) GROUP BY 1
  ) by_status) AS counts`;

const STATEMENTS = `SELECT ${BANK_STATEMENT_COLUMNS} FROM bank_statements s
  WHERE s.account_id = $1 AND ($2::uuid IS NULL OR s.statement_id < $2)
  ORDER BY s.statement_id DESC LIMIT $3`;

const ENTRIES = `SELECT ${BANK_ENTRY_COLUMNS} FROM bank_entries e
  WHERE e.account_id = $1 AND ($2::text IS NULL OR e.status = $2)
    AND ($3::uuid IS NULL OR e.statement_id = $3)
    AND ($4::uuid IS NULL OR e.entry_id < $4)
  ORDER BY e.entry_id DESC LIMIT $5`;

/** Bank statements and entries for reading: one statement each, no locks. */
@Injectable()
export class BankStatementsQuery {
  constructor(private readonly database: Database) {}

  async find(accountId: Uuid, id: Uuid): Promise<BankStatement | undefined> {
    const [row] = await this.database.query<BankStatementColumns>(
      `SELECT ${BANK_STATEMENT_COLUMNS} FROM bank_statements s
       WHERE s.account_id = $1 AND s.statement_id = $2`,
      [accountId, id],
    );
    return row && toBankStatement(row);
  }

  /** The `count` newest behind a place. */
  async list(accountId: Uuid, after: Uuid | null, count: number): Promise<BankStatement[]> {
    const values = [accountId, after, count];
    const rows = await this.database.query<BankStatementColumns>(STATEMENTS, values);
    return rows.map(toBankStatement);
  }

  /** How many there are, up to `most`. */
  async count(accountId: Uuid, most: number): Promise<number> {
    return this.database.countRows(STATEMENTS, [accountId, null, most]);
  }

  async entry(accountId: Uuid, id: Uuid): Promise<BankEntry | undefined> {
    const [row] = await this.database.query<BankEntryColumns>(
      `SELECT ${BANK_ENTRY_COLUMNS} FROM bank_entries e
       WHERE e.account_id = $1 AND e.entry_id = $2`,
      [accountId, id],
    );
    return row && toBankEntry(row);
  }

  /** The `count` newest behind a place. */
  async entries(
    accountId: Uuid,
    { status, statementId }: BankEntryFilter,
    after: Uuid | null,
    count: number,
  ): Promise<BankEntry[]> {
    const values = [accountId, status, statementId, after, count];
    const rows = await this.database.list<BankEntryColumns>(ENTRIES, values);
    return rows.map(toBankEntry);
  }

  /** How many there are, up to `most`. */
  async countEntries(
    accountId: Uuid,
    { status, statementId }: BankEntryFilter,
    most: number,
  ): Promise<number> {
    return this.database.countRows(ENTRIES, [accountId, status, statementId, null, most]);
  }

  /** Entries of a statement for which nobody looked for documents yet, in their order. */
  async unjudged(accountId: Uuid, statementId: Uuid): Promise<Uuid[]> {
    const rows = await this.database.query<{ entry_id: Uuid }>(
      `SELECT entry_id FROM bank_entries
       WHERE account_id = $1 AND statement_id = $2 AND status = 'unmatched' AND judged_at IS NULL
       ORDER BY entry_id`,
      [accountId, statementId],
    );
    return rows.map((row) => row.entry_id);
  }
}

function toBankStatement(row: BankStatementColumns): BankStatement {
  return {
    id: row.statement_id,
    format: row.format,
    sha256: row.sha256,
    importedAt: row.imported_at,
    withdrawnAt: row.withdrawn_at,
    sections: row.sections,
    entries: row.entries,
    knownBefore: row.known_before,
    pending: row.pending,
    rejected: row.rejected,
    unused: row.unused_columns,
    mappingId: row.mapping_id,
    counts: countsOf(row.counts ?? {}),
  };
}

function countsOf(counts: Record<string, number>): Record<BankEntryStatus, number> {
  const all = BANK_ENTRY_STATUSES.map((status) => [status, counts[status] ?? 0]);
  return Object.fromEntries(all) as Record<BankEntryStatus, number>;
}
