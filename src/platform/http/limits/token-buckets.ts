/** The rest of a client's limit. Seconds are whole, because the headers want that. */
export interface Allowance {
  allowed: boolean;
  remaining: number;
  /** Seconds until one more request is allowed (0 when one is now). */
  retryAfterSeconds: number;
}

const LARGEST_NUMBER_OF_CLIENTS = 100_000;

/** A token bucket for each key: `perSecond` flow in, and it holds at most `burst`. */
export class TokenBuckets {
  private readonly buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(
    readonly perSecond: number,
    readonly burst: number,
  ) {}

  /** Takes a token if there is one. */
  take(client: string, nowMs: number): Allowance {
    const { tokens, atMs } = this.tokensOf(client, nowMs);
    const allowed = tokens >= 1;
    const left = allowed ? tokens - 1 : tokens;
    this.keep(client, { tokens: left, atMs });
    return this.allowance(allowed, left);
  }

  /** Takes tokens that may not be there yet: they are owed. */
  charge(client: string, count: number, nowMs: number): void {
    const { tokens, atMs } = this.tokensOf(client, nowMs);
    this.keep(client, { tokens: tokens - count, atMs });
  }

  /** Tells whether there is a token, and takes none. */
  look(client: string, nowMs: number): Allowance {
    const { tokens } = this.tokensOf(client, nowMs);
    return this.allowance(tokens >= 1, tokens);
  }

  private tokensOf(client: string, nowMs: number): { tokens: number; atMs: number } {
    const bucket = this.buckets.get(client);
    if (!bucket) return { tokens: this.burst, atMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.atMs) / 1000) * this.perSecond;
    return {
      tokens: Math.min(this.burst, bucket.tokens + gained),
      atMs: Math.max(nowMs, bucket.atMs),
    };
  }

  private allowance(allowed: boolean, left: number): Allowance {
    return {
      allowed,
      remaining: Math.max(0, Math.floor(left)),
      retryAfterSeconds: left >= 1 ? 0 : Math.ceil((1 - left) / this.perSecond),
    };
  }

  /** It is inserted again, so that the first key is always the one unused for longest. */
  private keep(client: string, bucket: { tokens: number; atMs: number }): void {
    this.buckets.delete(client);
    this.buckets.set(client, bucket);
    if (this.buckets.size > LARGEST_NUMBER_OF_CLIENTS) this.forgetOldest();
  }

  private forgetOldest(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
