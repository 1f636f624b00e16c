import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { Clock } from '../../kernel/clock.js';
import { DomainError } from '../../kernel/domain-error.js';
import { ACCESS, type Access } from '../../platform/http/access.js';
import { HttpProblem } from '../../platform/http/problem.js';
import type { ApiRequest, Bearer } from '../../platform/http/request.js';

const REMEMBERED_TOKENS = 1000;

/** Global: a route that does not say who may call it is closed to everybody. */
@Injectable()
export class AccessGuard extends AuthGuard('access-token') {
  /** Callers of tokens that verified before, by Authorization header; tokens are not revoked. */
  private readonly known = new Map<string, Bearer>();

  constructor(
    private readonly reflector: Reflector,
    private readonly clock: Clock,
  ) {
    super({ session: false });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (!access) throw new DomainError('forbidden', 'route_closed', 'Nobody may call this route.');
    if (access.by !== 'bearer') return true;
    const user = await this.authenticate(context);
    if (user?.scopes.includes(access.scope)) return true;
    throw new HttpProblem(
      403,
      'insufficient_scope',
      `This call needs the scope ${access.scope}; ask for a token that has it.`,
      { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${access.scope}"` },
      { scope: access.scope },
    );
  }

  private async authenticate(context: ExecutionContext): Promise<Bearer | undefined> {
    const request = context.switchToHttp().getRequest<ApiRequest>();
    const { authorization } = request.headers;
    const known = authorization === undefined ? undefined : this.known.get(authorization);
    if (known && known.expiresAtMs > this.clock.now().getTime()) {
      request.user = known;
      return known;
    }
    await super.canActivate(context);
    if (this.known.size >= REMEMBERED_TOKENS) this.known.clear();
    if (authorization !== undefined && request.user) this.known.set(authorization, request.user);
    return request.user;
  }

  override handleRequest<User = Bearer>(error: unknown, user: User | false, info: unknown): User {
    if (error) throw error;
    if (user) return user;
    const given = !(info instanceof Error && info.message === 'No auth token');
    const challenge = given
      ? 'Bearer realm="quittance", error="invalid_token"'
      : 'Bearer realm="quittance"';
    throw new HttpProblem(
      401,
      given ? 'invalid_token' : 'missing_token',
      given
        ? 'The access token is wrong or expired; get a new one from POST /v1/auth/token.'
        : 'Send Authorization: Bearer <access token>; POST /v1/auth/token gives one.',
      { 'WWW-Authenticate': challenge },
    );
  }
}
