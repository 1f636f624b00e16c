import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { Actor } from '../../kernel/actor.js';
import { Clock, dateIn, type IsoDate, isTimeZone } from '../../kernel/clock.js';
import { minorDigits } from '../../kernel/currency.js';
import { oldestDay } from '../../kernel/fact-dates.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import { Database } from '../../platform/database/database.js';
import type { Tx } from '../../platform/database/tx.js';
import type { AccountMode } from '../domain/account-mode.js';
import { type AuditedTx, AuditedWork } from './audited-work.js';
import {
  findAccount,
  findAccountWithin,
  lockAccount,
} from '../infrastructure/account.repository.js';
import { AccountRow } from '../infrastructure/account.row.js';
import { FieldRefusal } from '../../kernel/field-refusals.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

export interface NewAccount {
  name: string;
  mode: AccountMode;
  currency: string;
  timeZone: string;
  /** Further fields of the seller's profile. */
  seller?: object;
}

/** New documents of an account have these until the account sets its own. */
export const ACCOUNT_DEFAULTS: Pick<
  AccountRow,
  | 'language'
  | 'paymentTermsDays'
  | 'documentNotes'
  | 'documentDefaults'
  | 'issueDaysAhead'
  | 'strict'
  | 'defaultTaxRateId'
> = {
  language: 'en',
  paymentTermsDays: 30,
  documentNotes: null,
  documentDefaults: null,
  issueDaysAhead: 90,
  strict: false,
  defaultTaxRateId: null,
};

/** Tenants. */
@Injectable()
export class Accounts {
  constructor(
    @InjectRepository(AccountRow) private readonly accounts: Repository<AccountRow>,
    private readonly database: Database,
    private readonly audited: AuditedWork,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
  ) {}

  async create(actor: Actor, account: NewAccount): Promise<AccountRow> {
    if (account.name.trim() === '') {
      throw FieldRefusal.required.at('/name', '--name: give the name of the business.');
    }
    minorDigits(account.currency);
    if (!isTimeZone(account.timeZone)) {
      throw FieldRefusal.unknown_time_zone.at(
        '/time_zone',
        `${account.timeZone} is not an IANA time zone; send one such as Europe/Berlin.`,
      );
    }
    const now = this.clock.now();
    const row: AccountRow = {
      ...ACCOUNT_DEFAULTS,
      accountId: this.ids.next(),
      name: account.name,
      mode: account.mode,
      seller: { name: account.name, ...account.seller },
      currency: account.currency,
      baseCurrency: account.currency,
      timeZone: account.timeZone,
      booksFrom: oldestDay(now),
      booksOpenFrom: oldestDay(now),
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    const by = { accountId: row.accountId, actor, origin: null };
    await this.audited.run(by, undefined, async ({ tx, record }) => {
      tx.insert('accounts', {
        account_id: row.accountId,
        name: row.name,
        mode: row.mode,
        seller: row.seller,
        currency: row.currency,
        base_currency: row.baseCurrency,
        time_zone: row.timeZone,
        language: row.language,
        payment_terms_days: row.paymentTermsDays,
        document_notes: row.documentNotes,
        document_defaults: row.documentDefaults,
        books_from: row.booksFrom,
        books_open_from: row.booksOpenFrom,
        issue_days_ahead: row.issueDaysAhead,
        strict: row.strict,
        version: row.version,
        created_at: now,
        updated_at: now,
      });
      const [subject, after] = [publicId('acc', row.accountId), profileOf(row)];
      record({ action: 'account.created', subject, before: null, after });
    });
    return row;
  }

  /** The day in the account's time zone. */
  async today(accountId: Uuid): Promise<IsoDate> {
    return this.todayOf(await this.find(accountId));
  }

  /** The same for an account that is read already. */
  todayOf({ timeZone }: Pick<AccountRow, 'timeZone'>): IsoDate {
    return dateIn(timeZone, this.clock.now());
  }

  /** Of all tenants, oldest first: for the operator alone. */
  async list(): Promise<AccountRow[]> {
    return this.accounts.find({ order: { createdAt: 'ASC', accountId: 'ASC' } });
  }

  async find(accountId: Uuid): Promise<AccountRow> {
    const row = await findAccount(this.database, accountId);
    if (!row) throw AuthRefusal.account_not_found.of();
    return row;
  }

  /** Finds it in a transaction, which needs no further connection. */
  async findWithin(tx: Tx, accountId: Uuid): Promise<AccountRow> {
    const row = await findAccountWithin(tx, accountId);
    if (!row) throw AuthRefusal.account_not_found.of();
    return row;
  }

  /** Locks the row against other changes of it; rows that refer to it are written meanwhile. */
  async getForUpdate(tx: Tx, accountId: Uuid): Promise<AccountRow> {
    const row = await lockAccount(tx, accountId);
    if (!row) throw AuthRefusal.account_not_found.of();
    return row;
  }

  /** From now on nothing is booked before that day. The row must be locked. */
  openBooksFrom(tx: Tx, accountId: Uuid, day: IsoDate): void {
    tx.update('accounts', { account_id: accountId }, { books_open_from: day });
  }

  /** Writes a changed profile as its next version. The row must be locked. */
  save({ tx, record }: AuditedTx, stored: AccountRow, changed: AccountRow): AccountRow {
    const account = { ...changed, version: stored.version + 1, updatedAt: tx.now() };
    tx.update(
      'accounts',
      { account_id: account.accountId },
      {
        seller: account.seller,
        currency: account.currency,
        base_currency: account.baseCurrency,
        time_zone: account.timeZone,
        language: account.language,
        payment_terms_days: account.paymentTermsDays,
        document_notes: account.documentNotes,
        document_defaults: account.documentDefaults,
        books_from: account.booksFrom,
        books_open_from: account.booksOpenFrom,
        issue_days_ahead: account.issueDaysAhead,
        strict: account.strict,
        default_tax_rate_id: account.defaultTaxRateId,
        version: account.version,
        updated_at: account.updatedAt,
      },
    );
    const [before, after] = [profileOf(stored), profileOf(account)];
    record({ action: 'seller.updated', subject: null, before, after });
    return account;
  }
}

/** The account's own settings, as the API names them. */
function profileOf(account: AccountRow): Record<string, unknown> {
  return {
    ...account.seller,
    mode: account.mode,
    currency: account.currency,
    base_currency: account.baseCurrency,
    time_zone: account.timeZone,
    language: account.language,
    payment_terms_days: account.paymentTermsDays,
    document_notes: account.documentNotes,
    document_defaults: account.documentDefaults,
    books_from: account.booksFrom,
    issue_days_ahead: account.issueDaysAhead,
    strict: account.strict,
    default_tax_rate_id: account.defaultTaxRateId && publicId('txr', account.defaultTaxRateId),
  };
}
