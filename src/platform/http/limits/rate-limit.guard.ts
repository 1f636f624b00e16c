import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { ACCESS, type Access } from '../access.js';
import { RateLimits } from './rate-limits.js';
import type { ApiRequest } from '../request.js';

/** Limits each API client, and each address of unknown callers. Runs after authentication. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.by === 'provider_signature') {
      // It turns away callers that only forge, and never a provider's burst of good webhooks.
      this.limits.refuseForger(request);
      return true;
    }
    const isGuess =
      access?.by === 'portal_token' || (access?.by === 'public' && request.method === 'POST');
    if (isGuess) this.limits.refuseWhoFailed(request);
    this.limits.countRequest(request, http.getResponse<Response>());
    return true;
  }
}
