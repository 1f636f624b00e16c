import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, AuthModuleOptions } from '@nestjs/passport';
import { ACCESS, type Access, insufficientScope, type Scope } from '../../platform/http/access.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest, Bearer } from '../../platform/http/request.js';
import { Admissions } from '../application/admissions.js';
import { ApiClientUse } from '../application/api-client-use.js';
import { IssuedTokens } from '../application/issued-tokens.js';
import { AddressList } from '../../kernel/address-list.js';
import { type Known, tokenOf } from './bearer.strategy.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';

const REMEMBERED_TOKENS = 1000;

/** It is global: a route that does not say who may call it is closed to everybody. */
@Injectable()
export class AccessGuard extends AuthGuard() {
  /** Tokens that the strategy verified before, by their Authorization header. */
  private readonly known = new Map<string, Known>();

  constructor(
    options: AuthModuleOptions,
    private readonly reflector: Reflector,
    private readonly admissions: Admissions,
    private readonly use: ApiClientUse,
    private readonly issued: IssuedTokens,
  ) {
    super(options);
  }

  /** @throws HttpProblem 401 `missing_token`, `invalid_token`; 403 `address_not_allowed` */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw RequestRefusal.route_closed.of();
    if (access.by !== 'bearer') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const known = this.known.get(request.headers.authorization ?? '');
    if (!known) return this.authenticated(context, request, access.scope);
    request.user = this.admitted(known, request);
    return isWithin(request.user, access.scope);
  }

  private async authenticated(context: ExecutionContext, request: ApiRequest, scope: Scope) {
    const token = tokenOf(request);
    if (token === null) throw missingToken();
    await super.canActivate(context);
    const ours = request.user as unknown as Known | null;
    // A request has no user before that one is admitted.
    delete request.user;
    const known = ours ?? (await this.issuedElsewhere(token));
    if (!known) throw invalidToken();
    if (this.known.size >= REMEMBERED_TOKENS) this.known.clear();
    this.known.set(request.headers.authorization ?? '', known);
    this.admissions.know(known.bearer, known);
    request.user = this.admitted(known, request);
    return isWithin(request.user, scope);
  }

  private async issuedElsewhere(token: string): Promise<Known | null> {
    const issued = await this.issued.find(token);
    if (!issued) return null;
    const { client, scopes, expiresAtMs } = issued;
    const { clientId, accountId, version: clientVersion, addresses } = client;
    return {
      bearer: { clientId, clientVersion, accountId, scopes, expiresAtMs },
      clientId,
      clientVersion,
      familyId: '',
      addresses: addresses && new AddressList(addresses),
    };
  }

  /** Of the strategy: null for a token that is not ours. */
  override handleRequest(error: unknown, known: Known | false | null) {
    if (error) throw error;
    return (known || null) as never;
  }

  private admitted(known: Known, { ip }: ApiRequest): Bearer {
    const { bearer, addresses } = known;
    if (!this.admissions.admit(bearer)) throw invalidToken();
    if (addresses && !addresses.has(ip)) throw addressNotAllowed(ip);
    this.use.note(bearer.clientId);
    return bearer;
  }
}

function isWithin({ scopes }: Bearer, scope: Scope): boolean {
  if (scopes.includes(scope)) return true;
  throw insufficientScope(scope);
}

function addressNotAllowed(address = 'an unknown address'): HttpProblem {
  return RequestRefusal.address_not_allowed.of(
    `This client may not call from ${address}; the operator sets its addresses.`,
  );
}

function missingToken(): HttpProblem {
  return RequestRefusal.missing_token.with({
    'WWW-Authenticate': 'Bearer realm="quittance"',
  });
}

function invalidToken(): HttpProblem {
  return RequestRefusal.invalid_token.of(
    'The access token is wrong, expired or revoked; get a new one from POST /v1/auth/token.',
    { 'WWW-Authenticate': 'Bearer realm="quittance", error="invalid_token"' },
  );
}
