import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { Clock } from '../../kernel/clock.js';
import { Config } from '../config/config.js';
import { ACCESS, type Access } from './access.js';
import { HttpProblem } from './problem.js';
import { TokenBuckets } from './rate-limit.js';
import type { ApiRequest } from './request.js';

/** Limits each API client, and each address where nobody is known. Runs after authentication. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  private readonly buckets: TokenBuckets | null;
  private readonly policy: string;

  constructor(
    config: Config,
    private readonly clock: Clock,
    private readonly reflector: Reflector,
  ) {
    const { rateLimit, rateBurst } = config;
    this.buckets =
      rateLimit === null ? null : new TokenBuckets(rateLimit, Math.max(rateLimit, rateBurst));
    this.policy = `"default";q=${this.buckets?.burst};w=${Math.ceil(
      (this.buckets?.burst ?? 0) / (rateLimit ?? 1),
    )}`;
  }

  canActivate(context: ExecutionContext): boolean {
    if (!this.buckets) return true;
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    // A provider's burst of webhooks is never turned away: each call is cheap until it verifies.
    if (access?.by === 'provider_signature') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const client = request.user?.clientId ?? `ip:${request.ip}`;
    const left = this.buckets.take(client, this.clock.now().getTime());
    const headers = {
      'RateLimit-Policy': this.policy,
      RateLimit: `"default";r=${left.remaining};t=${left.retryAfterSeconds}`,
    };
    if (!left.allowed) {
      throw new HttpProblem(
        429,
        'rate_limited',
        `Too many requests; wait ${left.retryAfterSeconds} s and send it again.`,
        { ...headers, 'Retry-After': String(left.retryAfterSeconds) },
      );
    }
    http.getResponse<Response>().set(headers);
    return true;
  }
}
