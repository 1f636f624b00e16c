import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { uuidOf } from '../../kernel/ids.js';
import { ACCESS, type Access } from '../../platform/http/access.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest, Bearer } from '../../platform/http/request.js';
import { AccessTokens } from '../application/access-tokens.js';

const REMEMBERED_TOKENS = 1000;
const BEARER = /^bearer +(\S+)$/i;

/** Global: a route that does not say who may call it is closed to everybody. */
@Injectable()
export class AccessGuard implements CanActivate {
  /** Callers of tokens that verified before, by Authorization header. */
  private readonly known = new Map<string, Bearer>();

  constructor(
    private readonly reflector: Reflector,
    private readonly clock: Clock,
    private readonly tokens: AccessTokens,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw new DomainError('forbidden', 'route_closed', 'Nobody may call this route.');
    if (access.by !== 'bearer') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.user = this.callerOf(request.headers.authorization);
    if (request.user.scopes.includes(access.scope)) return true;
    throw new HttpProblem(
      403,
      'insufficient_scope',
      `This call needs the scope ${access.scope}; ask for a token that has it.`,
      { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${access.scope}"` },
      { scope: access.scope },
    );
  }

  /** @throws HttpProblem 401 `missing_token`, `invalid_token` */
  private callerOf(authorization = ''): Bearer {
    const caller = this.known.get(authorization) ?? this.verified(authorization);
    if (caller.expiresAtMs <= this.clock.now().getTime()) throw invalidToken();
    return caller;
  }

  private verified(authorization: string): Bearer {
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw missingToken();
    const claims = this.tokens.verified(token);
    if (!claims?.sub || !claims.account || !claims.scope || !claims.exp) throw invalidToken();
    const clientId = uuidOf('cli', claims.sub);
    const accountId = uuidOf('acc', claims.account);
    if (!clientId || !accountId) throw invalidToken();
    const expiresAtMs = claims.exp * 1000;
    const caller = { clientId, accountId, scopes: claims.scope.split(' '), expiresAtMs };
    if (this.known.size >= REMEMBERED_TOKENS) this.known.clear();
    this.known.set(authorization, caller);
    return caller;
  }
}

function missingToken(): HttpProblem {
  return new HttpProblem(
    401,
    'missing_token',
    'Send Authorization: Bearer <access token>; POST /v1/auth/token gives one.',
    { 'WWW-Authenticate': 'Bearer realm="quittance"' },
  );
}

function invalidToken(): HttpProblem {
  return new HttpProblem(
    401,
    'invalid_token',
    'The access token is wrong or expired; get a new one from POST /v1/auth/token.',
    { 'WWW-Authenticate': 'Bearer realm="quittance", error="invalid_token"' },
  );
}
