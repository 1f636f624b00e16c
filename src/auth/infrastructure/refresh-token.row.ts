import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('refresh_tokens')
export class RefreshTokenRow {
  @PrimaryColumn('bytea', { name: 'token_sha256' })
  tokenSha256!: Buffer;

  @Column('uuid', { name: 'account_id' })
  accountId!: string;

  @Column('uuid', { name: 'client_id' })
  clientId!: string;

  /** All tokens that one exchange of credentials grew into. */
  @Column('uuid', { name: 'family_id' })
  familyId!: string;

  @Column('text', { array: true })
  scopes!: string[];

  @Column('timestamptz', { name: 'issued_at' })
  issuedAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  @Column('timestamptz', { name: 'revoked_at', nullable: true })
  revokedAt!: Date | null;
}
