import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AuthModuleOptions, PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy } from 'passport-jwt';
import { uuidOf } from '../../kernel/ids.js';
import type { ApiRequest, Bearer } from '../../platform/http/request.js';
import { type AccessClaims, AccessTokens, VERIFICATION } from '../application/access-tokens.js';
import type { Revocable } from '../application/revocations.js';
import { AddressList } from '../../kernel/address-list.js';

const BEARER = /^bearer +(\S+)$/i;

/** The claims of a token, and the answers that are looked up at each use of it. */
export interface Known extends Revocable {
  bearer: Bearer;
  addresses: AddressList | null;
}

/** The token that the request sends; null if it sends none. */
export function tokenOf({ headers }: Pick<ApiRequest, 'headers'>): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null;
}

/**
 * Passport has one registry a process, whose last entry of a name would judge for all: each
 * application has a name of its own there.
 */
export const aStrategyName = () => ({ defaultStrategy: `bearer ${randomUUID()}` });

/** Verifies access tokens with the same keys and rules as `AccessTokens`. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) implements OnApplicationShutdown {
  private readonly registeredAs: string;

  constructor({ defaultStrategy }: AuthModuleOptions, tokens: AccessTokens) {
    super({
      ...VERIFICATION,
      jwtFromRequest: tokenOf,
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyFound) => {
        const key = tokens.keyOf(token);
        done(key ? null : new Error('no key of ours'), key as never);
      },
    });
    this.registeredAs = String(defaultStrategy);
    passport.unuse(this.name).use(this.registeredAs, this);
  }

  /** Null if they say less than ours do. */
  validate({ sub, account, scope, exp, sid, cv, cidr }: Partial<AccessClaims>): Known | null {
    const clientId = uuidOf('cli', sub ?? '');
    const accountId = uuidOf('acc', account ?? '');
    if (!clientId || !accountId || !scope || !exp || !sid || !cv) return null;
    const expiresAtMs = exp * 1000;
    return {
      bearer: { clientId, clientVersion: cv, accountId, scopes: scope.split(' '), expiresAtMs },
      clientId,
      clientVersion: cv,
      familyId: sid,
      addresses: cidr ? new AddressList(cidr) : null,
    };
  }

  onApplicationShutdown(): void {
    passport.unuse(this.registeredAs);
  }
}

type KeyFound = (error: Error | null, key?: string | Buffer) => void;
