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
