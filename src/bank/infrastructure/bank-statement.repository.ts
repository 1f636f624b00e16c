import { Injectable } from '@nestjs/common';
import { IdGenerator, type Uuid } from '../../kernel/ids.js';
import { asOneStatement, insertLists } from '../../platform/database/sql-statement.js';
import type { SnapshotRead } from '../../platform/database/snapshots.js';
import type { Tx } from '../../platform/database/tx.js';
import { type BankEntry, bankEntryNotFound, firstStatus } from '../domain/bank-entry.js';
import type { KeyedBankStatement, BankStatementSection } from '../domain/bank-statement.js';
import { BANK_ENTRY_COLUMNS, type BankEntryColumns, toBankEntry } from './bank-entry-columns.js';

/** A file that is to be kept. */
export interface NewBankStatement {
  accountId: Uuid;
  id: Uuid;
  sha256: Buffer;
  /** Null: the operator. */
  clientId: Uuid | null;
  at: Date;
}

/** Formats tell the day of an entry differently by so many days: bookings over a weekend. */
const TWIN_DAYS = 3;

/** Bank statements and their entries for writing. */
@Injectable()
export class BankStatementRepository {
  constructor(private readonly ids: IdGenerator) {}

  /** The statement of a file that was imported before. */
  async findByFile(tx: Tx, accountId: Uuid, sha256: Buffer): Promise<Uuid | undefined> {
    const [row] = await tx.read<{ statement_id: Uuid }>(
      'SELECT statement_id FROM bank_statements WHERE account_id = $1 AND sha256 = $2',
      [accountId, sha256],
    );
    return row?.statement_id;
  }

  /**
   * Keeps a file with those of its entries that no other file brought; waits for files that bring
   * the same ones now. The same file at the same time breaks `bank_statements_file`.
   */
  async insert(tx: Tx, statement: NewBankStatement, read: KeyedBankStatement): Promise<void> {
    const { accountId, id, sha256, clientId, at } = statement;
    const rows = read.sections.flatMap((section) => rowsOf(section, this.ids, at));
    // In one order for everybody, so that two files do not wait for each other.
    rows.sort((one, other) => Buffer.compare(one.entry_key, other.entry_key));
    const lists = ENTRY_TYPES.map(([name, type]) => [name, [type, rows.map((row) => row[name])]]);
    const entries = insertLists(
      'bank_entries',
      { account_id: accountId, statement_id: id },
      Object.fromEntries(lists),
    );
    const both = asOneStatement([
      {
        text: `${entries.text} ON CONFLICT (account_id, entry_key) DO NOTHING RETURNING 1`,
        values: entries.values,
      },
      {
        // Of the entries, w0, those that were brought before are not there.
        text: `INSERT INTO bank_statements (account_id, statement_id, sha256, client_id,
            imported_at, format, sections, pending, rejected, entries, known_before,
            unused_columns)
          SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10::integer - (SELECT count(*) FROM w0), $11::text[]`,
        values: [
          accountId,
          id,
          sha256,
          clientId,
          at,
          read.format,
          JSON.stringify(read.sections.map(storedSection)),
          read.pending,
          read.rejected,
          rows.length,
          read.unused,
        ],
      },
    ]);
    for (const { text, values } of both) await tx.read(text, values);
  }

  /** Locks the entry's row until the transaction ends. @throws `bank_entry_not_found` */
  async getForUpdate(tx: Tx, accountId: Uuid, id: Uuid): Promise<BankEntry> {
    const [row] = await tx.read<BankEntryColumns>(
      `SELECT ${BANK_ENTRY_COLUMNS} FROM bank_entries e
       WHERE e.account_id = $1 AND e.entry_id = $2 FOR UPDATE`,
      [accountId, id],
    );
    if (!row) throw bankEntryNotFound();
    return toBankEntry(row);
  }

  /**
   * Whether a file in another format, or one that named the account otherwise, brought the same
   * amount within a few days, and it is booked. Their keys differ, so this entry may be that one.
   */
  async mayBeBooked(read: SnapshotRead, entry: BankEntry): Promise<boolean> {
    const [row] = await read<{ found: boolean }>(
      `SELECT EXISTS (
         SELECT FROM bank_entries e JOIN bank_statements s USING (account_id, statement_id)
         WHERE e.account_id = $1 AND e.booked_on BETWEEN $2::date - ${TWIN_DAYS} AND $2::date + ${TWIN_DAYS} AND e.amount = $3 AND e.currency = $4
           AND e.payment_id IS NOT NULL AND e.direction = $6 AND (s.format <> (
             SELECT format FROM bank_statements WHERE account_id = $1 AND statement_id = $5)
             OR num_nulls(e.bank_account, $7::text) = 1)
       ) AS found`,
      [
        entry.accountId,
        entry.bookedOn,
        entry.amount.minor,
        entry.amount.currency,
        entry.statementId,
        entry.direction,
        entry.bankAccount,
      ],
    );
    return row?.found ?? false;
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

const ENTRY_TYPES: readonly [column: keyof EntryRow, type: string][] = [
  ['entry_id', 'uuid'],
  ['entry_key', 'bytea'],
  ['direction', 'text'],
  ['is_reversal', 'boolean'],
  ['amount', 'bigint'],
  ['currency', 'text'],
  ['booked_on', 'date'],
  ['value_on', 'date'],
  ['bank_account', 'text'],
  ['counterparty_name', 'text'],
  ['counterparty_iban', 'text'],
  ['remittance', 'text'],
  ['structured_reference', 'text'],
  ['end_to_end_id', 'text'],
  ['bank_reference', 'text'],
  ['fee', 'bigint'],
  ['transaction_type', 'text'],
  ['return_reason', 'text'],
  ['status', 'text'],
  ['judged_at', 'timestamptz'],
];

function rowsOf(section: KeyedBankStatement['sections'][number], ids: IdGenerator, at: Date) {
  return section.entries.map((one, index) => ({
    entry_id: ids.next(),
    entry_key: section.keys[index] ?? Buffer.alloc(0),
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
    status: firstStatus(one),
    judged_at: firstStatus(one) === 'ignored' ? at : null,
  }));
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
