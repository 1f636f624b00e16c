import { Injectable } from '@nestjs/common';
import type { By, RequestOrigin } from '../../kernel/actor.js';
import { publicId } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { ApiClient } from '../domain/api-client.js';
import { narrowed } from '../domain/scope.js';
import { AccessTokens } from './access-tokens.js';
import { AuditLog } from './audit-log.js';
import { ClientAuthentication, type Credentials } from './client-authentication.js';
import { invalidGrant, type IssuedRefreshToken, RefreshTokens } from './refresh-tokens.js';
import { RefusalLog } from './refusal-log.js';
import { Revocations } from './revocations.js';

/** RFC 6749 5.1. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

/** Exchanges credentials and refresh tokens for access tokens (RFC 6749, RFC 7009). */
@Injectable()
export class Tokens {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly authentication: ClientAuthentication,
    private readonly refreshTokens: RefreshTokens,
    private readonly accessTokens: AccessTokens,
    private readonly revocations: Revocations,
    private readonly refusals: RefusalLog,
    private readonly audit: AuditLog,
  ) {}

  async exchange(credentials: Credentials, asked: string | undefined, from: RequestOrigin) {
    const { client, issued } = await this.uow.run(async (tx) => {
      const client = await this.authentication.authenticate(tx, credentials, from);
      const issued = this.refreshTokens.start(tx, client, narrowed(client.scopes, asked));
      return { client, issued };
    });
    return this.answer(client, issued);
  }

  async refresh(
    credentials: Credentials,
    token: string,
    asked: string | undefined,
    from: RequestOrigin,
  ): Promise<TokenAnswer> {
    const { client, issued } = await this.uow.run(async (tx) => {
      const client = await this.authentication.authenticate(tx, credentials, from);
      return { client, issued: await this.refreshTokens.rotate(tx, client, token, asked) };
    });
    if ('reused' in issued) {
      // Only now: the end of the family had to be committed.
      const { accountId, clientId } = issued.reused;
      const subject = publicId('cli', clientId);
      this.refusals.note({ action: 'refresh_token.reused', accountId, subject, ...from });
      await this.revocations.refresh();
      throw invalidGrant();
    }
    return this.answer(client, issued);
  }

  /**
   * Ends the family of a refresh or access token; access tokens of it end within seconds.
   * RFC 7009: an unknown token is answered like a known one.
   */
  async revoke(credentials: Credentials, token: string, from: RequestOrigin): Promise<void> {
    const familyId = this.accessTokens.verified(token)?.sid ?? null;
    const family = await this.uow.run(async (tx) => {
      const client = await this.authentication.authenticate(tx, credentials, from);
      const family = await this.refreshTokens.revoke(tx, client, token, familyId);
      if (family) this.record(tx, client, from);
      return family;
    });
    if (family) await this.revocations.refresh();
  }

  private record(tx: Tx, { accountId, clientId }: ApiClient, origin: RequestOrigin): void {
    const id = publicId('cli', clientId);
    const by: By = { accountId, actor: { type: 'client', id }, origin };
    const change = { subject: id, before: null, after: null };
    this.audit.record(tx, by, { action: 'token.revoked', ...change });
  }

  private async answer(client: ApiClient, issued: IssuedRefreshToken): Promise<TokenAnswer> {
    const { family, scopes, text } = issued;
    const { token, seconds } = await this.accessTokens.issue(client, family, scopes);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: seconds,
      refresh_token: text,
      scope: scopes.join(' '),
    };
  }
}
