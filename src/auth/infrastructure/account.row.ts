import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { IsoDate } from '../../kernel/clock.js';
import type { Uuid } from '../../kernel/ids.js';
import type { AccountMode } from '../domain/account-mode.js';

/** The sender of the account's documents. Its shape belongs to the documents module. */
export interface SellerProfile {
  name: string;
}

@Entity('accounts')
export class AccountRow {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  mode!: AccountMode;

  @Column('jsonb')
  seller!: SellerProfile;

  /** Default currency of new documents, ISO 4217. */
  @Column('text')
  currency!: string;

  /** A rate that nobody told directly is found by way of this currency (ISO 4217). */
  @Column('text', { name: 'base_currency' })
  baseCurrency!: string;

  /** IANA name; decides what "today" is for dates and overdue. */
  @Column('text', { name: 'time_zone' })
  timeZone!: string;

  /** Default language of new documents, BCP 47. */
  @Column('text')
  language!: string;

  /** Days until a new document is due. */
  @Column('integer', { name: 'payment_terms_days' })
  paymentTermsDays!: number;

  /** Notes of new documents. */
  @Column('text', { name: 'document_notes', nullable: true })
  documentNotes!: string | null;

  /** Further particulars of new documents. Their shape belongs to the documents module. */
  @Column('jsonb', { name: 'document_defaults', nullable: true })
  documentDefaults!: object | null;

  /** The first day of the account's books: no document is older. */
  @Column('date', { name: 'books_from' })
  booksFrom!: IsoDate;

  /** The first day of the first open month; the same as `booksFrom` while none is closed. */
  @Column('date', { name: 'books_open_from' })
  booksOpenFrom!: IsoDate;

  /** How far in the future a document may be dated when it is issued. */
  @Column('integer', { name: 'issue_days_ahead' })
  issueDaysAhead!: number;

  /** Whether invoices that lack what the law asks for are refused. */
  @Column('boolean')
  strict!: boolean;

  /** The tax of lines that say nothing of it; it belongs to the documents module. */
  @Column('uuid', { name: 'default_tax_rate_id', nullable: true })
  defaultTaxRateId!: Uuid | null;

  /** Counts the changes of the profile, for `ETag` and `If-Match`. */
  @Column('integer')
  version!: number;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
