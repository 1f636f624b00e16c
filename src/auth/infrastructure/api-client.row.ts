import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('api_clients')
export class ApiClientRow {
  @PrimaryColumn('uuid', { name: 'client_id' })
  clientId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('text')
  name!: string;

  @Column('bytea', { name: 'secret_sha256' })
  secretSha256!: Buffer;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
