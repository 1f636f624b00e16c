import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock } from '../../../kernel/clock.js';
import { Config } from '../../config/config.js';
import { addressOf, isNear } from '../address.js';
import type { HttpProblem } from '../problem.js';
import { RefusalCatalogue } from '../../refusal-catalogue.js';
import type { ApiRequest } from '../request.js';
import { type Allowance, TokenBuckets } from './token-buckets.js';
import { RequestRefusal } from '../request-refusals.js';

const MOST_PROVIDERS = 1000;

/** How often a client may call, and an address may fail. Each process counts for itself. */
@Injectable()
export class RateLimits {
  private readonly requests: TokenBuckets | null;
  private readonly failures: TokenBuckets;
  private readonly policy: string;
  private readonly codesOfFailures: ReadonlySet<string>;
  /** Addresses that a well signed webhook came from. */
  private readonly providers = new Set<string>();

  constructor(
    config: Config,
    private readonly clock: Clock,
    { failures }: RefusalCatalogue,
  ) {
    this.codesOfFailures = new Set(failures.map(({ code }) => code));
    const { rateLimit, rateBurst, failureLimit, failureBurst } = config;
    this.requests =
      rateLimit === null ? null : new TokenBuckets(rateLimit, Math.max(rateLimit, rateBurst));
    this.failures = new TokenBuckets(failureLimit, Math.max(failureLimit, failureBurst));
    this.policy = `"default";q=${this.requests?.burst};w=${Math.ceil(
      (this.requests?.burst ?? 0) / (rateLimit ?? 1),
    )}`;
  }

  /** Counts a request of its client, or of its address if it has none. @throws HttpProblem 429 */
  countRequest(request: ApiRequest, response: Response): void {
    if (!this.requests) return;
    const client = request.user?.clientId ?? addressOf(request);
    const left = this.requests.take(client, this.now());
    const headers = {
      'RateLimit-Policy': this.policy,
      RateLimit: `"default";r=${left.remaining};t=${left.retryAfterSeconds}`,
    };
    if (!left.allowed) {
      throw RequestRefusal.rate_limited.of(
        `Too many requests; wait ${left.retryAfterSeconds} s and send it again.`,
        { ...headers, 'Retry-After': String(left.retryAfterSeconds) },
      );
    }
    response.set(headers);
  }

  /** Counts what a request did beyond one. It goes on, and the requests after it wait for longer. */
  countMore(request: ApiRequest, count: number): void {
    const client = request.user?.clientId ?? addressOf(request);
    this.requests?.charge(client, count, this.now());
  }

  /** Refuses an address that failed too often, where a secret can be guessed. */
  refuseWhoFailed(request: ApiRequest): void {
    if (!this.requests) return;
    const left = this.failures.look(addressOf(request), this.now());
    if (!left.allowed) throw tooManyFailures(left);
  }

  /**
   * Does the same for webhooks, unless good ones come from that address, too. It may be our own
   * proxy's, or one of a provider that a forger shares.
   */
  refuseForger(request: ApiRequest): void {
    if (isNear(request) || this.providers.has(addressOf(request))) return;
    this.refuseWhoFailed(request);
  }

  /** Notes that a well signed webhook came from this address. */
  trustProvider(request: ApiRequest): void {
    if (!this.requests || isNear(request)) return;
    if (this.providers.size >= MOST_PROVIDERS) this.providers.clear();
    this.providers.add(addressOf(request));
  }

  /** Counts a failure. Returns what to answer instead if there were too many. */
  countFailure(request: ApiRequest, code: string): HttpProblem | undefined {
    if (!this.requests || !this.codesOfFailures.has(code)) return undefined;
    const left = this.failures.take(addressOf(request), this.now());
    return left.allowed ? undefined : tooManyFailures(left);
  }

  /** Nobody waits longer or gets more because the clock is set. */
  private now(): number {
    return this.clock.elapsedMs();
  }
}

function tooManyFailures({ retryAfterSeconds }: Allowance): HttpProblem {
  return RequestRefusal.too_many_failures.of(
    `Too many calls from this address failed; wait ${retryAfterSeconds} s, then send a correct call.`,
    { 'Retry-After': String(retryAfterSeconds) },
  );
}
