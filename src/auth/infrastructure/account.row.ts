import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who sends the account's documents. Its shape belongs to the documents module. */
export interface SellerProfile {
  name: string;
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
