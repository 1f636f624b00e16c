import { randomOf } from './random.js';

/**
 * How often something random is tried: a share with every run of the tests, all with
 * `npm run test:full`. docs/testing.md lists both.
 */
export function tries<Share = number>({ pushed, full }: { pushed: Share; full: Share }): Share {
  return process.env['TEST_FULL'] === '1' ? full : pushed;
}

/** Runs of a property: a quarter of them with every run of the tests. */
export function runsOf(full: number): { numRuns: number } {
  return { numRuns: tries({ pushed: full / 4, full }) };
}

/** Printed as the tests begin; with `TEST_SEED` of a run, the same cases are drawn again. */
export const RUN_SEED = Number(process.env['TEST_SEED']);

/** One in so many, other ones with every run of the tests, in their order; in full all. */
export function oneIn<Case>(many: number, cases: readonly Case[]): Case[] {
  const size = tries({ pushed: Math.ceil(cases.length / many), full: cases.length });
  const random = randomOf(RUN_SEED + cases.length);
  const shuffled = cases.map((one) => ({ one, at: random.next() })).sort((a, b) => a.at - b.at);
  const chosen = new Set(shuffled.slice(0, size).map(({ one }) => one));
  return cases.filter((one) => chosen.has(one));
}
