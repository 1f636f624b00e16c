import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who sends the account's documents; copied into each document when it is issued. */
export interface SellerProfile {
  name: string;
  email: string | null;
  address: string[];
  country: string | null;
  tax_id: string | null;
}

@Entity('accounts')
export class AccountRow {
  @PrimaryColumn('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('jsonb')
  seller!: SellerProfile;

  /** Default currency of new documents, ISO 4217. */
  @Column('text')
  currency!: string;

  /** IANA name; decides what "today" is for dates and overdue. */
  @Column('text', { name: 'time_zone' })
  timeZone!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
