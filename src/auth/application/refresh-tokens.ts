import { Injectable } from '@nestjs/common';
import { Clock, daysAfter } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import type { Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import type { Tx } from '../../platform/database/tx.js';
import { Keyring } from '../../platform/keyring.js';
import type { ApiClient } from '../domain/api-client.js';
import { narrowed } from '../domain/scope.js';
import { newClientSecret, sha256, successorOf } from '../domain/secret-text.js';
import { ApiClientRepository } from '../infrastructure/api-client.repository.js';
import {
  type TokenFamily,
  TokenFamilyRepository,
} from '../infrastructure/token-family.repository.js';
import { AuthRefusal } from '../domain/auth-refusals.js';

/** Ended families of one client that each process has in its memory. */
const MOST_REMEMBERED = 1000;

/** A refresh token as its client gets it, and what an access token beside it may do. */
export interface IssuedRefreshToken {
  family: TokenFamily;
  /** None where the service only reads: its family is not stored, either. */
  text?: string;
  scopes: string[];
}

/** The one that came too late, and whose family ends for it. */
export interface ReusedRefreshToken {
  reused: TokenFamily;
}

/** Refresh tokens work once (RFC 9700 4.14.2). Every method runs in a transaction of its caller. */
@Injectable()
export class RefreshTokens {
  private readonly keyring: Keyring;

  constructor(
    private readonly families: TokenFamilyRepository,
    private readonly clients: ApiClientRepository,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.keyring = Keyring.derived(config.secrets, 'quittance refresh tokens');
  }

  /** The first token of a new family. */
  start(tx: Tx, client: ApiClient, scopes: string[]): IssuedRefreshToken {
    const startedAt = this.clock.serverNow();
    const family = {
      familyId: tx.newId(),
      accountId: client.accountId,
      clientId: client.clientId,
      scopes,
      startedAt,
      endsAt: daysAfter(startedAt, this.config.refreshFamilyDays),
      revokedAt: null,
    };
    if (this.config.readOnly) return { family, scopes };
    const text = newClientSecret(client.mode);
    this.families.insert(tx, family, this.row(text, family));
    return { family, text, scopes };
  }

  /**
   * The token that follows, always the same one: a repeat within the grace is an answer that was
   * lost, or two requests at once. One that comes later was copied, so its whole family ends.
   */
  async rotate(
    tx: Tx,
    client: ApiClient,
    text: string,
    asked: string | undefined,
  ): Promise<IssuedRefreshToken | ReusedRefreshToken> {
    const now = this.clock.serverNow();
    const digest = sha256(text);
    const family = await this.families.findForUpdate(tx, digest);
    const isLive = family?.clientId === client.clientId && !family.revokedAt && family.endsAt > now;
    const use = isLive ? await this.families.lastUse(tx, digest) : undefined;
    if (!isLive || !use) throw invalidGrant();
    // One that was used is a sign of theft whenever it returns: its end does not matter any more.
    if (use.usedAt === null && use.expiresAt <= now) throw invalidGrant();
    const left = family.scopes.filter((scope) => client.scopes.includes(scope));
    if (left.length === 0) throw invalidGrant();
    const scopes = narrowed(left, asked);

    if (use.usedAt === null) {
      const next = successorOf(text, this.keyring.newest.key);
      this.families.rotate(tx, family, digest, this.row(next, family));
      return { family, text: next, scopes };
    }
    if (now.getTime() - use.usedAt.getTime() > this.config.refreshGraceSeconds * 1000) {
      await this.end(tx, family);
      return { reused: family };
    }
    const next = await this.successor(tx, family, text);
    if (next === undefined) throw invalidGrant();
    return { family, text: next, scopes };
  }

  /** Ends one family, found by a refresh token or by its id; undefined if there is none. */
  async revoke(
    tx: Tx,
    client: ApiClient,
    token: string,
    familyId: Uuid | null,
  ): Promise<TokenFamily | undefined> {
    const family =
      familyId === null
        ? await this.families.findForUpdate(tx, sha256(token))
        : await this.families.findByIdForUpdate(tx, familyId);
    if (family?.clientId !== client.clientId || family.revokedAt) return undefined;
    await this.end(tx, family);
    return family;
  }

  /**
   * Every process remembers each family that ended: of a client that ends very many, all access
   * tokens end, which is one thing to remember.
   */
  private async end(tx: Tx, family: TokenFamily): Promise<void> {
    const { accountId, clientId } = family;
    const now = this.clock.serverNow();
    this.families.revoke(tx, family, now);
    if (!(await this.families.hasEnded(tx, clientId, MOST_REMEMBERED))) return;
    const client = await this.clients.findForUpdate(tx, accountId, clientId);
    if (!client) return;
    const next = { ...client, version: client.version + 1 };
    this.clients.save(tx, next);
    this.clients.endTokens(tx, next, now);
    this.families.forget(tx, clientId);
  }

  /**
   * Any of our secrets may have made it: another process may have another one as its newest
   * (decision 44).
   */
  private async successor(tx: Tx, { familyId }: TokenFamily, text: string) {
    const texts = this.keyring.keys.map(({ key }) => successorOf(text, key));
    const digest = await this.families.known(tx, familyId, texts.map(sha256));
    return texts.find((one) => digest?.equals(sha256(one)));
  }

  private row(text: string, { endsAt }: TokenFamily) {
    const issuedAt = this.clock.serverNow();
    const unused = daysAfter(issuedAt, this.config.refreshTokenDays);
    return {
      tokenSha256: sha256(text),
      issuedAt,
      expiresAt: unused < endsAt ? unused : endsAt,
    };
  }
}

export function invalidGrant(): DomainError {
  return AuthRefusal.invalid_grant.at(
    '/refresh_token',
    'The refresh token is unknown, used, expired or revoked; exchange client_id and client_secret again.',
  );
}
