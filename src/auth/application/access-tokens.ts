import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../../kernel/clock.js';
import { IdGenerator, publicId, type Uuid } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import { Keyring } from '../../platform/keyring.js';
import type { ApiClient } from '../domain/api-client.js';
import type { TokenFamily } from '../infrastructure/token-family.repository.js';

/** RFC 9068 3: what a token of ours carries; a token for something else is refused. */
const TYPE = 'at+jwt';
/**
 * Not the base URL: a service that moves keeps its tokens, and the key is its own (decision 10).
 */
const ISSUER = 'quittance';
const AUDIENCE = 'quittance';

/** The rules by which an access token is one of ours. */
export const VERIFICATION = {
  algorithms: ['HS256' as const],
  issuer: ISSUER,
  audience: AUDIENCE,
  // Judged by whoever asks, by the clock that dated the token.
  ignoreExpiration: true,
};

/** The claims of an access token (RFC 9068). */
export interface AccessClaims {
  sub: string;
  account: string;
  scope: string;
  /** Seconds since 1970. */
  iat: number;
  exp: number;
  jti: string;
  /** The family, which can be revoked. */
  sid: Uuid;
  /** The version of the client for which it was issued. */
  cv: number;
  /** From where it may be used, in CIDR notation. */
  cidr?: readonly string[];
}

/** Signs access tokens with the newest secret, and reads those of every secret that we have. */
@Injectable()
export class AccessTokens {
  private readonly keyring: Keyring;

  constructor(
    private readonly jwt: JwtService,
    private readonly ids: IdGenerator,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    this.keyring = Keyring.plain(config.secrets);
  }

  /** The token ends with its time, with its client or with its family, whichever is first. */
  async issue(
    client: ApiClient,
    family: TokenFamily,
    scopes: readonly string[],
  ): Promise<{ token: string; seconds: number }> {
    const iat = secondsOf(this.clock.serverNow());
    const ends = [client.expiresAt, family.endsAt].flatMap((end) => (end ? secondsOf(end) : []));
    const exp = Math.min(iat + this.config.accessTokenSeconds, ...ends);
    const token = await this.sign({
      sub: publicId('cli', client.clientId),
      account: publicId('acc', client.accountId),
      scope: scopes.join(' '),
      iat,
      exp,
      jti: this.ids.next(),
      sid: family.familyId,
      cv: client.version,
      ...(client.addresses && { cidr: client.addresses }),
    });
    return { token, seconds: exp - iat };
  }

  private async sign(claims: AccessClaims): Promise<string> {
    const { id, key } = this.keyring.newest;
    return this.jwt.signAsync(
      { ...claims },
      {
        // A KeyObject: with a string, every signature would derive the key again.
        secret: key as never,
        algorithm: 'HS256',
        header: { alg: 'HS256', typ: TYPE, kid: id },
        issuer: ISSUER,
        audience: AUDIENCE,
      },
    );
  }

  /** The claims of a token of ours, whether it has ended or not; null for anything else. */
  verified(token: string): AccessClaims | null {
    const key = this.keyOf(token);
    if (!key) return null;
    try {
      return this.jwt.verify<AccessClaims>(token, { ...VERIFICATION, secret: key as never });
    } catch {
      return null;
    }
  }

  /** The key that a token of ours names; it is not verified yet. */
  keyOf(token: string): KeyObject | undefined {
    const header = headerIn(token.split('.', 1)[0] ?? '');
    return header?.typ === TYPE ? this.keyring.byId(String(header.kid))?.key : undefined;
  }
}

function secondsOf(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}

function headerIn(head: string): { typ?: unknown; kid?: unknown } | null {
  try {
    return JSON.parse(Buffer.from(head, 'base64url').toString()) as object | null;
  } catch {
    return null;
  }
}
