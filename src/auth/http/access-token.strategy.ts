import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Clock } from '../../kernel/clock.js';
import { uuidOf } from '../../kernel/ids.js';
import { Config } from '../../platform/config/config.js';
import type { Bearer } from '../../platform/http/request.js';
import type { AccessClaims } from '../application/tokens.service.js';

/** RFC 9068 3: what a token of ours carries; a token for something else is refused. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';
export const ACCESS_TOKEN_AUDIENCE = 'quittance';
/** Not the base URL: a service that moves keeps its tokens, and the key is its own. */
export const ACCESS_TOKEN_ISSUER = 'quittance';

@Injectable()
export class AccessTokenStrategy extends PassportStrategy(Strategy, 'access-token') {
  constructor(
    config: Config,
    private readonly clock: Clock,
  ) {
    // A KeyObject: with a string, every verification would derive the key again (50 times slower).
    const key = createSecretKey(Buffer.from(config.secret));
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: ['HS256'],
      // Judged in `validate`, by the same clock that dated the token.
      ignoreExpiration: true,
      issuer: ACCESS_TOKEN_ISSUER,
      audience: ACCESS_TOKEN_AUDIENCE,
      // The header's type is checked here: passport-jwt shows the raw token nowhere else.
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyCallback) =>
        done(null, isAccessToken(token) ? (key as never) : undefined),
    });
  }

  validate(claims: Partial<AccessClaims> & { exp?: number }): Bearer | false {
    const { sub, account, scope, exp } = claims;
    if (!sub || !account || !scope || !exp) return false;
    const clientId = uuidOf('cli', sub);
    const accountId = uuidOf('acc', account);
    const expiresAtMs = exp * 1000;
    if (!clientId || !accountId || expiresAtMs <= this.clock.now().getTime()) return false;
    return { clientId, accountId, scopes: scope.split(' '), expiresAtMs };
  }
}

/** Typed for strings and buffers; jsonwebtoken takes a KeyObject as well. */
type KeyCallback = (error: unknown, key?: string | Buffer) => void;

function isAccessToken(token: string): boolean {
  try {
    const header = Buffer.from(token.split('.', 1)[0] ?? '', 'base64url').toString();
    return (JSON.parse(header) as { typ?: unknown }).typ === ACCESS_TOKEN_TYPE;
  } catch {
    return false;
  }
}
