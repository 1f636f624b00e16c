import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../kernel/actor.js';
import { onlyReads } from '../../kernel/common-refusals.js';
import { publicId } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import type { ApiClient } from '../domain/api-client.js';
import { narrowed } from '../domain/scope.js';
import { AccessTokens } from './access-tokens.js';
import { ClientAuthentication, type Credentials } from './client-authentication.js';
import { invalidGrant, type IssuedRefreshToken, RefreshTokens } from './refresh-tokens.js';
import { RefusalLog } from './refusal-log.js';
import { Revocations } from './revocations.js';

/** RFC 6749 5.1. */
export interface TokenAnswer {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  /** Not where the service only reads. */
  refresh_token?: string;
  scope: string;
}

/** Exchanges credentials and refresh tokens for access tokens (RFC 6749). */
@Injectable()
export class Tokens {
  constructor(
    private readonly authentication: ClientAuthentication,
    private readonly refreshTokens: RefreshTokens,
    private readonly accessTokens: AccessTokens,
    private readonly revocations: Revocations,
    private readonly refusals: RefusalLog,
    private readonly config: Config,
  ) {}

  async exchange(credentials: Credentials, asked: string | undefined, from: RequestOrigin) {
    const { client, issued } = await this.authentication.run(credentials, from, (tx, client) => {
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
    if (this.config.readOnly) throw onlyReads();
    const { client, issued } = await this.authentication.run(
      credentials,
      from,
      async (tx, client) => {
        const issued = await this.refreshTokens.rotate(tx, client, token, asked);
        return { client, issued };
      },
    );
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

  private async answer(client: ApiClient, issued: IssuedRefreshToken): Promise<TokenAnswer> {
    const { family, scopes, text } = issued;
    const { token, seconds } = await this.accessTokens.issue(client, family, scopes);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: seconds,
      ...(text !== undefined && { refresh_token: text }),
      scope: scopes.join(' '),
    };
  }
}
