import { Injectable } from '@nestjs/common';
import type { By, RequestOrigin } from '../../kernel/actor.js';
import { publicId } from '../../kernel/ids.js';
import type { Tx } from '../../platform/database/tx.js';
import type { ApiClient } from '../domain/api-client.js';
import { AccessTokens } from './access-tokens.js';
import { AuditLog } from './audit-log.js';
import { ClientAuthentication, type Credentials } from './client-authentication.js';
import { RefreshTokens } from './refresh-tokens.js';
import { Revocations } from './revocations.js';

/** Clients end their own tokens (RFC 7009). */
@Injectable()
export class TokenRevocation {
  constructor(
    private readonly authentication: ClientAuthentication,
    private readonly refreshTokens: RefreshTokens,
    private readonly accessTokens: AccessTokens,
    private readonly revocations: Revocations,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Ends the family of a refresh or access token; access tokens of it end within seconds.
   * RFC 7009: an unknown token is answered like a known one.
   */
  async revoke(credentials: Credentials, token: string, from: RequestOrigin): Promise<void> {
    const familyId = this.accessTokens.verified(token)?.sid ?? null;
    const family = await this.authentication.run(credentials, from, async (tx, client) => {
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
}
