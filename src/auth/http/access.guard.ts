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
import { ApiClientsQuery } from '../infrastructure/api-clients.query.js';
import { type Known, tokenOf } from './bearer.strategy.js';
import { RequestRefusal } from '../../platform/http/request-refusals.js';

const REMEMBERED_TOKENS = 1000;
/** A database that was restored, or a server that took over, may not have its client any more. */
const REMEMBERED_MS = 60_000;

/** It is global: a route that does not say who may call it is closed to everybody. */
@Injectable()
export class AccessGuard extends AuthGuard() {
  /** Tokens that the strategy verified before, by their Authorization header. */
  private readonly known = new Map<string, { known: Known; at: number }>();

  constructor(
    options: AuthModuleOptions,
    private readonly reflector: Reflector,
    private readonly admissions: Admissions,
    private readonly use: ApiClientUse,
    private readonly issued: IssuedTokens,
    private readonly clients: ApiClientsQuery,
  ) {
    super(options);
  }

  /** @throws HttpProblem 401 `missing_token`, `invalid_token`; 403 `address_not_allowed` */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw RequestRefusal.route_closed.of();
    if (access.by !== 'bearer') return true;
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const remembered = this.known.get(request.headers.authorization ?? '');
    if (!remembered || performance.now() - remembered.at > REMEMBERED_MS) {
      return this.authenticated(context, request, access.scope);
    }
    request.user = this.admitted(remembered.known, request);
    return isWithin(request.user, access.scope);
  }

  private async authenticated(context: ExecutionContext, request: ApiRequest, scope: Scope) {
    const token = tokenOf(request);
    if (token === null) throw missingToken();
    await super.canActivate(context);
    const ours = request.user as unknown as Known | null;
    // A request has no user before that one is admitted.
    delete request.user;
    const header = request.headers.authorization ?? '';
    const known = ours
      ? await this.stillHere(ours, this.known.has(header))
      : await this.issuedElsewhere(token);
    if (!known) {
      this.known.delete(header);
      throw invalidToken();
    }
    if (this.known.size >= REMEMBERED_TOKENS) this.known.clear();
    this.known.set(header, { known, at: performance.now() });
    this.admissions.know(known.bearer, known);
    request.user = this.admitted(known, request);
    return isWithin(request.user, scope);
  }

  /** @param isRemembered then a database that does not answer is the matter of the call itself */
  private async stillHere(known: Known, isRemembered: boolean): Promise<Known | null> {
    const { accountId, clientId } = known.bearer;
    try {
      return (await this.clients.find(accountId, clientId)) ? known : null;
    } catch (error) {
      if (isRemembered) return known;
      throw error;
    }
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
