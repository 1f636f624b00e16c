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

/** One in so many, other ones with every run of the tests, in their order; in full all. */
export function oneIn<Case>(many: number, cases: readonly Case[]): Case[] {
  const size = tries({ pushed: Math.ceil(cases.length / many), full: cases.length });
  const shuffled = cases.map((one) => ({ one, at: Math.random() })).sort((a, b) => a.at - b.at);
  const chosen = new Set(shuffled.slice(0, size).map(({ one }) => one));
  return cases.filter((one) => chosen.has(one));
}
