import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('portal_tokens')
export class PortalTokenRow {
  @PrimaryColumn('bytea', { name: 'token_sha256' })
  tokenSha256!: Buffer;

  @Column('uuid', { name: 'portal_token_id' })
  portalTokenId!: string;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'document_id' })
  documentId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'first_viewed_at', nullable: true })
  firstViewedAt!: Date | null;

  @Column('timestamptz', { name: 'last_viewed_at', nullable: true })
  lastViewedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
