import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);
let used = 0;

/**
 * Random bytes for ids and nonces, each given out once. A call of the system for each of them took
 * 5 % of a payment.
 * @param count at most 64
 */
export function randomBytesOf(count: number): Buffer {
  if (used + count > pool.length) {
    // A new one: whoever has bytes of the last one may keep them.
    pool = randomFillSync(Buffer.allocUnsafeSlow(POOL_BYTES));
    used = 0;
  }
  used += count;
  return pool.subarray(used - count, used);
}
