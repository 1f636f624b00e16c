import { Injectable } from '@nestjs/common';
import { assert } from '../../kernel/assert.js';
import type { Uuid } from '../../kernel/ids.js';
import {
  asOneStatement,
  insertLists,
  type SqlStatement,
} from '../../platform/database/sql-statement.js';
import type { Row } from '../../platform/database/row.js';
import type { Tx } from '../../platform/database/tx.js';
import { type BankEntry, firstStatus } from '../domain/bank-entry.js';
import type {
  BankStatementFormat,
  BankStatementSection,
  ToldBankStatement,
  KeyedBankStatement,
} from '../domain/bank-statement.js';
import type { SaidHints } from '../domain/mappings/said-hints.js';
import { BANK_ENTRY_COLUMNS, type BankEntryColumns, toBankEntry } from './bank-entry-columns.js';
import { BankRefusal } from '../domain/refusals.js';

/** A file that is to be kept. */
export interface NewBankStatement {
  accountId: Uuid;
  sha256: Buffer;
  /** Null: the operator. */
  clientId: Uuid | null;
  at: Date;
  /** How it was read, as its caller and its mapping said. */
  hints: SaidHints;
}

/** A file that was imported before, and how it was read. */
export interface KnownBankStatement {
  id: Uuid;
  format: BankStatementFormat;
  hints: SaidHints;
}

type KnownColumns = Pick<
  Row<'bank_statements', { format: BankStatementFormat; hints: SaidHints }>,
  'statement_id' | 'format' | 'hints'
>;

type ToldColumns = Pick<
  Row<'bank_statements', { format: BankStatementFormat }>,
  'format' | 'imported_at' | 'withdrawn_at' | 'entries' | 'known_before' | 'pending' | 'rejected'
> & { sha256: string };

const TOLD = `SELECT format, encode(sha256, 'hex') AS sha256, imported_at, withdrawn_at, entries,
    known_before, pending, rejected
  FROM bank_statements WHERE account_id = $1 AND statement_id = $2`;

/** Of a file, $2: those `bank_entries e` that no other standing file tells of. */
const OWN_ENTRIES = `e.account_id = $1 AND e.statement_id = $2 AND NOT EXISTS (
  SELECT FROM bank_entry_mentions m JOIN bank_statements s USING (account_id, statement_id)
  WHERE (m.account_id, m.entry_id) = (e.account_id, e.entry_id) AND s.withdrawn_at IS NULL)`;

/** Bank statements and their entries for writing. */
@Injectable()
export class BankStatementRepository {
  /** The standing statement of a file that was imported before. */
  async findByFile(
    tx: Tx,
    accountId: Uuid,
    sha256: Buffer,
  ): Promise<KnownBankStatement | undefined> {
    const [row] = await tx.read<KnownColumns>(
      `SELECT statement_id, format, hints FROM bank_statements
       WHERE account_id = $1 AND sha256 = $2 AND withdrawn_at IS NULL`,
      [accountId, sha256],
    );
    return row && { id: row.statement_id, format: row.format, hints: row.hints };
  }

  /**
   * Keeps a file with those of its entries that no other file brought; waits for files that bring
   * the same ones now. Parts of a batch take the place of their sum. The same file at the same time
   * breaks `bank_statements_file`.
   * @returns the id of the statement
   */
  async insert(tx: Tx, statement: NewBankStatement, read: KeyedBankStatement): Promise<Uuid> {
    const { accountId, at } = statement;
    const id = tx.newId();
    const rows = read.sections.flatMap((section) => rowsOf(tx, section, at));
    const known = await this.known(tx, accountId, rows);
    const fresh = rows.filter((row) => !known.has(row.entry_key.toString('hex')));
    // In one order for everybody, so that two files do not wait for each other.
    fresh.sort((one, other) => Buffer.compare(one.entry_key, other.entry_key));
    const both = asOneStatement([
      insertedEntries(accountId, id, fresh),
      insertedStatement(id, statement, read, rows.length),
    ]);
    for (const { text, values } of both) await tx.read(text, values);
    await this.mention(tx, accountId, id, rows);
    const sums = fresh.flatMap((row) => row.batch_key ?? []);
    if (sums.length > 0) await this.replaceSums(tx, accountId, sums, at);
    return id;
  }

  /** The keys of entries of a file that other files brought: the same, or as parts of it. */
  private async known(
    tx: Tx,
    accountId: Uuid,
    rows: readonly EntryRow[],
  ): Promise<ReadonlySet<string>> {
    const found = await tx.read<{ key: string }>(
      `SELECT encode(entry_key, 'hex') AS key FROM bank_entries
       WHERE account_id = $1 AND entry_key = ANY ($2::bytea[]) AND status <> 'withdrawn'
       UNION SELECT encode(batch_key, 'hex') FROM bank_entries
       WHERE account_id = $1 AND batch_key = ANY ($2::bytea[]) AND status <> 'withdrawn'`,
      [accountId, rows.map((row) => row.entry_key)],
    );
    return new Set(found.map(({ key }) => key));
  }

  /** After its own entries are kept: files that brought the same in this moment are seen now. */
  private async mention(tx: Tx, accountId: Uuid, id: Uuid, rows: readonly EntryRow[]) {
    const [statement] = await tx.read<{ known_before: number }>(
      'SELECT known_before FROM bank_statements WHERE account_id = $1 AND statement_id = $2',
      [accountId, id],
    );
    if (!statement || statement.known_before === 0) return;
    await tx.read(
      `INSERT INTO bank_entry_mentions (account_id, statement_id, entry_id)
       SELECT $1, $2, entry_id FROM bank_entries
       WHERE account_id = $1 AND statement_id <> $2 AND status <> 'withdrawn'
         AND (entry_key = ANY ($3::bytea[]) OR batch_key = ANY ($3::bytea[]))`,
      [accountId, id, rows.map((row) => row.entry_key)],
    );
  }

  /** A sum of which nobody said anything yet. One that is booked stays, and its parts are proposed. */
  private async replaceSums(tx: Tx, accountId: Uuid, keys: readonly Buffer[], at: Date) {
    await tx.read(
      `UPDATE bank_entries SET status = 'replaced', judged_at = $3
       WHERE account_id = $1 AND entry_key = ANY ($2::bytea[])
         AND status IN ('unmatched', 'proposed', 'debit')`,
      [accountId, keys, at],
    );
  }

  /** Locks the row of a file until the transaction ends. @throws `bank_statement_not_found` */
  async statementForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<{ isWithdrawn: boolean }> {
    const [row] = await tx.read<{ is_withdrawn: boolean }>(
      `SELECT withdrawn_at IS NOT NULL AS is_withdrawn FROM bank_statements
       WHERE account_id = $1 AND statement_id = $2 FOR UPDATE`,
      [accountId, id],
    );
    if (!row) throw BankRefusal.bank_statement_not_found.of();
    return { isWithdrawn: row.is_withdrawn };
  }

  /** A file as events tell of it, whose entries are told one by one. */
  async told(tx: Tx, accountId: Uuid, id: Uuid): Promise<ToldBankStatement> {
    const [row] = await tx.read<ToldColumns>(TOLD, [accountId, id]);
    assert(row, 'a statement is told where it is');
    return {
      id,
      format: row.format,
      sha256: row.sha256,
      importedAt: row.imported_at,
      withdrawnAt: row.withdrawn_at,
      entries: row.entries,
      knownBefore: row.known_before,
      pending: row.pending,
      rejected: row.rejected,
    };
  }

  /** Entries that are something in the books, and that no other file tells of. */
  async settledOf(tx: Tx, accountId: Uuid, id: Uuid): Promise<Pick<BankEntry, 'id' | 'status'>[]> {
    const rows = await tx.read<Pick<BankEntryColumns, 'entry_id' | 'status'>>(
      `SELECT e.entry_id, e.status FROM bank_entries e WHERE ${OWN_ENTRIES}
         AND e.status IN ('booked', 'recorded', 'returned', 'posted') ORDER BY e.entry_id`,
      [accountId, id],
    );
    return rows.map(({ entry_id: entryId, status }) => ({ id: entryId, status }));
  }

  /** Its open entries count no more, and the sums whose parts they are count again. */
  async withdraw(tx: Tx, accountId: Uuid, id: Uuid, at: Date): Promise<void> {
    await tx.read(
      `UPDATE bank_entries e SET status = 'withdrawn', judged_at = $3 WHERE ${OWN_ENTRIES}`,
      [accountId, id, at],
    );
    await tx.read(
      `UPDATE bank_entries e SET judged_at = NULL,
         status = CASE e.direction WHEN 'debit' THEN 'debit' ELSE 'unmatched' END
       WHERE e.account_id = $1 AND e.status = 'replaced' AND e.entry_key IN (
           SELECT p.batch_key FROM bank_entries p WHERE p.account_id = $1 AND p.statement_id = $2)
         AND NOT EXISTS (SELECT FROM bank_entries p WHERE p.account_id = $1
           AND p.batch_key = e.entry_key AND p.status <> 'withdrawn')`,
      [accountId, id],
    );
    tx.update('bank_statements', { account_id: accountId, statement_id: id }, { withdrawn_at: at });
  }

  /** Locks the entry's row until the transaction ends. @throws `bank_entry_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<BankEntry> {
    const [row] = await tx.read<BankEntryColumns>(
      `SELECT ${BANK_ENTRY_COLUMNS} FROM bank_entries e
       WHERE e.account_id = $1 AND e.entry_id = $2 FOR UPDATE`,
      [accountId, id],
    );
    if (!row) throw BankRefusal.bank_entry_not_found.of();
    return toBankEntry(row);
  }

  /** Writes the result of an entry. Its row must be locked. */
  settle(
    tx: Tx,
    { accountId, id }: BankEntry,
    {
      status,
      paymentId,
      payoutId,
      ledgerAccount,
      at,
    }: Pick<BankEntry, 'status' | 'paymentId' | 'payoutId' | 'ledgerAccount'> & { at: Date },
  ): void {
    tx.update(
      'bank_entries',
      { account_id: accountId, entry_id: id },
      {
        status,
        payment_id: paymentId,
        payout_id: payoutId,
        ledger_account: ledgerAccount,
        judged_at: at,
      },
    );
  }
}

type EntryRow = ReturnType<typeof rowsOf>[number];

function rowsOf(tx: Tx, section: KeyedBankStatement['sections'][number], at: Date) {
  return section.entries.map((one, index) => ({
    entry_id: tx.newId(),
    entry_key: section.keys[index]?.key ?? Buffer.alloc(0),
    direction: one.direction,
    is_reversal: one.isReversal,
    amount: one.amount.minor,
    currency: one.amount.currency,
    booked_on: one.bookedOn,
    value_on: one.valueOn,
    bank_account: section.account,
    counterparty_name: one.counterpartyName,
    counterparty_iban: one.counterpartyIban,
    remittance: one.remittance,
    structured_reference: one.structuredReference,
    end_to_end_id: one.endToEndId,
    bank_reference: one.bankReference,
    fee: one.fee.minor,
    transaction_type: one.transactionType,
    return_reason: one.returnReason,
    batch_key: section.keys[index]?.batchKey ?? null,
    batch_amount: one.batch?.amount.minor ?? null,
    status: firstStatus(one),
    judged_at: firstStatus(one) === 'ignored' ? at : null,
  }));
}

function insertedEntries(accountId: Uuid, id: Uuid, rows: readonly EntryRow[]): SqlStatement {
  if (rows.length === 0) return { text: 'SELECT FROM bank_entries LIMIT 0', values: [] };
  const entries = insertLists('bank_entries', { account_id: accountId, statement_id: id }, rows);
  const once = "ON CONFLICT (account_id, entry_key) WHERE status <> 'withdrawn' DO NOTHING";
  return { text: `${entries.text} ${once} RETURNING 1`, values: entries.values };
}

function insertedStatement(
  id: Uuid,
  { accountId, sha256, clientId, at, hints }: NewBankStatement,
  { format, sections, pending, rejected, unused, mappingId }: KeyedBankStatement,
  all: number,
): SqlStatement {
  return {
    // Of the entries, w0, those that were brought meanwhile are not there.
    text: `INSERT INTO bank_statements (account_id, statement_id, sha256, client_id,
        imported_at, hints, format, sections, pending, rejected, unused_columns, entries,
        known_before, mapping_id)
      SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::text[], $12,
        $12::integer - (SELECT count(*) FROM w0), $13`,
    values: [
      accountId,
      id,
      sha256,
      clientId,
      at,
      JSON.stringify(hints),
      format,
      JSON.stringify(sections.map(storedSection)),
      pending,
      rejected,
      unused,
      all,
      mappingId ?? null,
    ],
  };
}

/** A section as it is stored: amounts as text, so that none is a float on its way. */
export interface StoredBankSection {
  reference: string | null;
  account: string | null;
  currency: string | null;
  opening: StoredBalance | null;
  closing: StoredBalance | null;
}

interface StoredBalance {
  amount: string;
  currency: string;
  date: string;
}

function storedSection(section: BankStatementSection): StoredBankSection {
  const { reference, account, currency } = section;
  const [opening = null, closing = null] = [section.opening, section.closing].map(
    (balance) =>
      balance && {
        amount: `${balance.amount.minor}`,
        currency: balance.amount.currency,
        date: balance.date,
      },
  );
  return { reference, account, currency, opening, closing };
}
