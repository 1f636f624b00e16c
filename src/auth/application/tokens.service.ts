import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { Clock, daysAfter } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { IdGenerator, publicId, type Uuid, uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { matchesDigest, newSecretText, sha256 } from '../domain/secret-text.js';
import { AccessTokens } from './access-tokens.js';
import { ApiClientRow } from '../infrastructure/api-client.row.js';
import { RefreshTokenRow } from '../infrastructure/refresh-token.row.js';

/** RFC 6749 5.1. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

const NOBODY = sha256(newSecretText());

/** Exchanges credentials and refresh tokens for access tokens (RFC 6749, RFC 7009). */
@Injectable()
export class Tokens {
  constructor(
    @InjectRepository(ApiClientRow) private readonly clients: Repository<ApiClientRow>,
    @InjectRepository(RefreshTokenRow) private readonly refreshTokens: Repository<RefreshTokenRow>,
    private readonly accessTokens: AccessTokens,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws DomainError `invalid_client`, `invalid_scope` */
  async exchange(clientId: string, secret: string, scope?: string): Promise<TokenAnswer> {
    const client = await this.authenticate(clientId, secret);
    return this.issue(client, narrowed(client.scopes, scope), this.ids.next());
  }

  /**
   * Rotates: each refresh token works once. One that returns later than a retry would explain was
   * copied, so its whole family ends.
   * @throws DomainError `invalid_grant`, `invalid_scope`
   */
  async refresh(
    token: string,
    scope?: string,
    credentials?: { id: string; secret: string } | null,
  ): Promise<TokenAnswer> {
    const named = credentials && (await this.authenticate(credentials.id, credentials.secret));
    const now = this.clock.now();
    const digest = sha256(token);
    const row = await this.refreshTokens.findOneBy({ tokenSha256: digest });
    if (!row || row.revokedAt || row.expiresAt <= now) throw invalidGrant();
    if (named && named.clientId !== row.clientId) throw invalidGrant();
    const client = await this.clients.findOneBy({ clientId: row.clientId });
    if (!client || client.revokedAt) throw invalidGrant();
    const scopes = narrowed(row.scopes, scope);

    const first = await this.refreshTokens.update(
      { tokenSha256: digest, usedAt: IsNull() },
      { usedAt: now },
    );
    if (first.affected === 0) {
      const used = await this.refreshTokens.findOneByOrFail({ tokenSha256: digest });
      const usedAgoMs = now.getTime() - (used.usedAt?.getTime() ?? 0);
      if (usedAgoMs > this.config.refreshGraceSeconds * 1000) {
        await this.revokeFamily(row.familyId);
        throw invalidGrant();
      }
    }
    return this.issue(client, scopes, row.familyId, row.scopes);
  }

  /** RFC 7009: an unknown token is answered like a known one. */
  async revoke(clientId: string, secret: string, token: string): Promise<void> {
    const client = await this.authenticate(clientId, secret);
    const row = await this.refreshTokens.findOneBy({ tokenSha256: sha256(token) });
    if (row?.clientId === client.clientId) await this.revokeFamily(row.familyId);
  }

  private async authenticate(clientId: string, secret: string): Promise<ApiClientRow> {
    // The same work for an unknown client and a wrong secret: neither shows in the time.
    const uuid = uuidOf('cli', clientId) ?? this.ids.next();
    const client = await this.clients.findOneBy({ clientId: uuid });
    const matches = matchesDigest(secret, client?.secretSha256 ?? NOBODY);
    if (!client || !matches || client.revokedAt) {
      throw new DomainError(
        'forbidden',
        'invalid_client',
        'client_id or client_secret is wrong; `client create` makes a new pair.',
      );
    }
    return client;
  }

  /** @param granted what later refreshes may ask for; a narrowed one narrows only its own token */
  private async issue(
    client: ApiClientRow,
    scopes: string[],
    family: Uuid,
    granted = scopes,
  ): Promise<TokenAnswer> {
    const now = this.clock.now();
    const refreshToken = newSecretText();
    await this.refreshTokens.insert({
      tokenSha256: sha256(refreshToken),
      accountId: client.accountId,
      clientId: client.clientId,
      familyId: family,
      scopes: granted,
      issuedAt: now,
      expiresAt: daysAfter(now, this.config.refreshTokenDays),
      usedAt: null,
      revokedAt: null,
    });
    const scope = scopes.join(' ');
    const issuedAt = Math.floor(now.getTime() / 1000);
    return {
      access_token: await this.accessTokens.sign({
        sub: publicId('cli', client.clientId),
        account: publicId('acc', client.accountId),
        scope,
        iat: issuedAt,
        exp: issuedAt + this.config.accessTokenSeconds,
        jti: this.ids.next(),
      }),
      token_type: 'Bearer',
      expires_in: this.config.accessTokenSeconds,
      refresh_token: refreshToken,
      scope,
    };
  }

  private async revokeFamily(familyId: Uuid): Promise<void> {
    const revokedAt = this.clock.now();
    await this.refreshTokens.update({ familyId, revokedAt: IsNull() }, { revokedAt });
  }
}

function invalidGrant(): DomainError {
  return DomainError.invalid(
    'invalid_grant',
    '/refresh_token',
    'The refresh token is unknown, used, expired or revoked; exchange client_id and client_secret again.',
  );
}

/** The asked scopes, each of which must be granted; all granted ones when none is asked. */
function narrowed(granted: readonly string[], asked: string | undefined): string[] {
  const wanted = asked?.split(' ').filter(Boolean) ?? [];
  if (wanted.length === 0) return [...granted];
  const refused = wanted.filter((scope) => !granted.includes(scope));
  if (refused.length === 0) return [...new Set(wanted)];
  throw DomainError.invalid(
    'invalid_scope',
    '/scope',
    `This client may ask for: ${granted.join(' ')}.`,
  );
}
