import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { TokenBuckets } from '../../../src/platform/http/limits/token-buckets.js';

/** How many of so many requests at one instant are let through. */
const burst = (buckets: TokenBuckets, client: string, count: number, atMs: number) =>
  Array.from({ length: count }, () => buckets.take(client, atMs)).filter(({ allowed }) => allowed)
    .length;

describe('a token bucket', () => {
  it('lets a burst through, and then what flows in', () => {
    const buckets = new TokenBuckets(100, 200);
    expect(burst(buckets, 'a', 300, 0)).toBe(200);
    expect(burst(buckets, 'a', 300, 500)).toBe(50);
    expect(burst(buckets, 'a', 300, 505)).toBe(0);
    expect(burst(buckets, 'a', 300, 3_600_000)).toBe(200);
  });

  it('is one a client', () => {
    const buckets = new TokenBuckets(1, 2);
    expect(burst(buckets, 'a', 5, 0)).toBe(2);
    expect(burst(buckets, 'b', 5, 0)).toBe(2);
  });

  it('tells what is left, and when there is more', () => {
    const buckets = new TokenBuckets(2, 2);
    expect(buckets.take('a', 0)).toEqual({ allowed: true, remaining: 1, retryAfterSeconds: 0 });
    expect(buckets.take('a', 0)).toEqual({ allowed: true, remaining: 0, retryAfterSeconds: 1 });
    expect(buckets.take('a', 0)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 1 });
    expect(buckets.take('a', 1000).allowed).toBe(true);
  });

  const steps = fc.array(fc.nat(400), { minLength: 1, maxLength: 200 });
  const limits = fc.tuple(fc.integer({ min: 1, max: 50 }), fc.nat(50));

  it('never lets more through than burst and flow allow', () => {
    fc.assert(
      fc.property(limits, steps, ([perSecond, more], waits) => {
        const buckets = new TokenBuckets(perSecond, perSecond + more);
        let [nowMs, allowed] = [0, 0];
        for (const wait of waits) {
          nowMs += wait;
          if (buckets.take('a', nowMs).allowed) allowed += 1;
        }
        const flowed = (nowMs / 1000) * perSecond;
        expect(allowed).toBeLessThanOrEqual(perSecond + more + flowed + 1e-6);
      }),
    );
  });

  it('keeps its word about when to come back', () => {
    fc.assert(
      fc.property(limits, steps, ([perSecond, more], waits) => {
        const buckets = new TokenBuckets(perSecond, perSecond + more);
        let nowMs = 0;
        for (const wait of waits) {
          nowMs += wait;
          const { allowed, retryAfterSeconds } = buckets.take('a', nowMs);
          if (allowed) continue;
          nowMs += retryAfterSeconds * 1000;
          expect(buckets.take('a', nowMs).allowed).toBe(true);
        }
      }),
    );
  });

  it('lets a client owe what a request did beyond one', () => {
    const buckets = new TokenBuckets(10, 5);
    expect(buckets.take('a', 0).allowed).toBe(true);
    buckets.charge('a', 24, 0);
    expect(buckets.take('a', 0)).toEqual({ allowed: false, remaining: 0, retryAfterSeconds: 3 });
    expect(buckets.take('a', 1900).allowed).toBe(false);
    expect(buckets.take('a', 2100).allowed).toBe(true);
    expect(buckets.take('b', 0).remaining).toBe(4);
  });

  it('gives nothing away when the clock goes back', () => {
    const buckets = new TokenBuckets(1, 5);
    expect(burst(buckets, 'a', 9, 10_000)).toBe(5);
    expect(burst(buckets, 'a', 9, 5000)).toBe(0);
    expect(burst(buckets, 'a', 9, 10_000)).toBe(0);
  });

  it('forgets the client unused for longest when there are too many', () => {
    const buckets = new TokenBuckets(1, 1);
    for (let client = 0; client <= 100_000; client += 1) buckets.take(`c${client}`, 0);
    expect(buckets.take('c1', 0).allowed).toBe(false);
    expect(buckets.take('c0', 0).allowed).toBe(true);
  });
});
