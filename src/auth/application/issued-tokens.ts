import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { ApiClient } from '../domain/api-client.js';
import { TokenIssuer } from '../domain/token-issuer.js';
import { ApiClientRepository } from '../infrastructure/api-client.repository.js';

/** A token of another issuer, with the client of ours that bounds it. */
export interface IssuedToken {
  client: ApiClient;
  scopes: readonly string[];
  expiresAtMs: number;
}

/** Tokens of another issuer. A client of ours that ended, or may less, bounds what they may. */
@Injectable()
export class IssuedTokens {
  constructor(
    private readonly issuer: TokenIssuer,
    private readonly clients: ApiClientRepository,
    private readonly uow: UnitOfWork,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  async find(token: string): Promise<IssuedToken | null> {
    const issued = await this.issuer.verify(token);
    const clientId = issued && uuidOf('cli', issued.clientId);
    if (!issued || !clientId) return null;
    const client = await this.uow.run(async (tx) => this.clients.find(tx, clientId));
    if (!client || client.revokedAt) return null;
    const remembered = this.clock.serverNow().getTime() + this.config.accessTokenSeconds * 1000;
    const ends = [issued.expiresAt, client.expiresAt].flatMap((end) => end?.getTime() ?? []);
    const scopes = issued.scopes.filter((scope) => client.scopes.includes(scope));
    return { client, scopes, expiresAtMs: Math.min(remembered, ...ends) };
  }
}
