import { beforeAll, describe, expect, it } from 'vitest';
import { attack, type Report } from './run.js';

// npm run hostile in small: what is wrong in it, without asking how long anything took.

let report: Report;
beforeAll(async () => {
  report = await attack({ seed: 1, bodies: 600, signatures: 400, bombs: false, lockedSeconds: 5 });
});

describe('a service that is attacked', () => {
  it('answers as it should', () => {
    expect(Object.fromEntries(report.unexpected)).toEqual({});
    expect(report.sent).toBeGreaterThan(1_000);
  });

  it('is asked on every route, and refuses most', () => {
    expect(report.answers.size).toBeGreaterThan(80);
    const statuses = new Set([...report.answers.values()].flatMap((of) => [...of.keys()]));
    for (const status of ['200', '400', '401', '404', '415', '422']) {
      expect(statuses).toContain(status);
    }
    expect(report.largestRefusalBytes).toBeGreaterThan(0);
  });

  it('is ready afterwards, with its books in order', () => {
    expect(report.isReady).toBe(true);
    expect(report.differences).toEqual([]);
  });

  it('lets one locked document take nothing from another account', () => {
    expect(report.locked?.wrong).toEqual([]);
    expect(report.locked?.alone).toBeGreaterThan(0);
  });

  it('lets no more pass than its rate limit', () => {
    expect(report.limited.refused).toBeGreaterThan(0);
    expect(report.limited.passed).toBeLessThanOrEqual(report.limited.allowed);
  });
});
