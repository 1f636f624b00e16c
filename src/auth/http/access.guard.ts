import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { uuidOf } from '../../kernel/ids.js';
import { ACCESS, type Access, insufficientScope } from '../../platform/http/access.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest, Bearer } from '../../platform/http/request.js';
import { AccessTokens } from '../application/access-tokens.js';
import { ApiClientUse } from '../application/api-client-use.js';
import { type Revocable, Revocations } from '../application/revocations.js';
import { AddressList } from '../domain/address-list.js';

const REMEMBERED_TOKENS = 1000;
const BEARER = /^bearer +(\S+)$/i;

/** The claims of a token, and the answers that are looked up at each use of it. */
interface Known extends Revocable {
  bearer: Bearer;
  addresses: AddressList | null;
}

/** It is global: a route that does not say who may call it is closed to everybody. */
@Injectable()
export class AccessGuard implements CanActivate {
  /** Tokens that were verified before, by their Authorization header. */
  private readonly known = new Map<string, Known>();

  constructor(
    private readonly reflector: Reflector,
    private readonly clock: Clock,
    private readonly tokens: AccessTokens,
    private readonly revocations: Revocations,
    private readonly use: ApiClientUse,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw new DomainError('forbidden', 'route_closed', 'Nobody may call this route.');
    if (access.by !== 'bearer') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    request.user = this.bearerOf(request);
    if (request.user.scopes.includes(access.scope)) return true;
    throw insufficientScope(access.scope);
  }

  /** @throws HttpProblem 401 `missing_token`, `invalid_token`; 403 `address_not_allowed` */
  private bearerOf({ headers, ip }: ApiRequest): Bearer {
    const { authorization = '' } = headers;
    const known = this.known.get(authorization) ?? this.verified(authorization);
    const { bearer, addresses } = known;
    const isOver = bearer.expiresAtMs <= this.clock.now().getTime();
    if (isOver || this.revocations.ends(known)) throw invalidToken();
    if (addresses && !addresses.has(ip)) throw addressNotAllowed(ip);
    this.use.note(bearer.clientId);
    return bearer;
  }

  private verified(authorization: string): Known {
    const token = BEARER.exec(authorization)?.[1];
    if (token === undefined) throw missingToken();
    const claims = this.tokens.verified(token);
    if (!claims?.sub || !claims.account || !claims.scope || !claims.exp) throw invalidToken();
    const clientId = uuidOf('cli', claims.sub);
    const accountId = uuidOf('acc', claims.account);
    if (!clientId || !accountId) throw invalidToken();
    const scopes = claims.scope.split(' ');
    const clientVersion = claims.cv ?? 1;
    const known = {
      bearer: { clientId, clientVersion, accountId, scopes, expiresAtMs: claims.exp * 1000 },
      clientId,
      clientVersion,
      familyId: claims.sid ?? null,
      addresses: claims.cidr ? new AddressList(claims.cidr) : null,
    };
    if (this.known.size >= REMEMBERED_TOKENS) this.known.clear();
    this.known.set(authorization, known);
    return known;
  }
}

function addressNotAllowed(address = 'an unknown address'): HttpProblem {
  return new HttpProblem(
    403,
    'address_not_allowed',
    `This client may not call from ${address}; the operator sets its addresses.`,
  );
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
    'The access token is wrong, expired or revoked; get a new one from POST /v1/auth/token.',
    { 'WWW-Authenticate': 'Bearer realm="quittance", error="invalid_token"' },
  );
}
