import { describe, expect, it, vi } from 'vitest';
import { ObjectLookUps } from '../../src/gateways/object-look-ups.js';
import { PATIENCE_MS } from '../support/patience.js';

/** Look-ups that end when the test says so. */
function heldLookUps(betweenMs = 0) {
  const ends: ((found: number) => void)[] = [];
  const fails: ((error: Error) => void)[] = [];
  const lookUp = vi.fn(
    async (_id: string) =>
      new Promise<number>((resolve, reject) => {
        ends.push(resolve);
        fails.push(reject);
      }),
  );
  return { ends, fails, lookUp, lookUps: new ObjectLookUps('Mollie', lookUp, betweenMs) };
}

describe('look-ups of one object', () => {
  it('are one at a time, and whoever asks meanwhile shares the next', async () => {
    const { ends, lookUp, lookUps } = heldLookUps();
    const first = lookUps.of('tr_1');
    const others = Array.from({ length: 50 }, async () => lookUps.of('tr_1'));
    expect(lookUp).toHaveBeenCalledTimes(1);
    ends[0]?.(1);
    expect(await first).toBe(1);
    await vi.waitFor(() => expect(lookUp).toHaveBeenCalledTimes(2), PATIENCE_MS);
    ends[1]?.(2);
    // The first may have been answered before that happened which the others were told of.
    expect(await Promise.all(others)).toEqual(Array(50).fill(2));
    expect(lookUp).toHaveBeenCalledTimes(2);
  });

  it('have a pause between them', async () => {
    const lookUp = vi.fn(async (_id: string) => performance.now());
    const lookUps = new ObjectLookUps('Mollie', lookUp, 50);
    const [one, other] = [await lookUps.of('tr_1'), await lookUps.of('tr_1')];
    expect(other - one).toBeGreaterThanOrEqual(45);
    await lookUps.of('tr_1');
    expect(lookUp).toHaveBeenCalledTimes(3);
  });

  it('fail for those who shared them, and for nobody after', async () => {
    const { ends, fails, lookUp, lookUps } = heldLookUps();
    const first = lookUps.of('tr_1');
    const next = lookUps.of('tr_1');
    fails[0]?.(new Error('out of reach'));
    await expect(first).rejects.toThrow('out of reach');
    await vi.waitFor(() => expect(lookUp).toHaveBeenCalledTimes(2), PATIENCE_MS);
    ends[1]?.(7);
    expect(await next).toBe(7);
  });
});

describe('look-ups of many objects', () => {
  it('are bounded, and free again later', async () => {
    const { ends, lookUp, lookUps } = heldLookUps();
    const all = Array.from({ length: 64 }, async (_, index) => lookUps.of(`tr_${index}`));
    await expect(lookUps.of('tr_more')).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'gateway_unavailable',
    });
    expect(lookUp).toHaveBeenCalledTimes(64);
    for (const end of ends) end(0);
    await Promise.all(all);
    await vi.waitFor(async () => {
      const again = lookUps.of('tr_more');
      ends.at(-1)?.(9);
      expect(await again).toBe(9);
    }, PATIENCE_MS);
  });
});
