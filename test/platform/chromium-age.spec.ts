import { describe, expect, it } from 'vitest';
import { releasesSince } from '../../src/platform/chromium/chromium-age.js';

const NOVEMBER = new Date('2026-11-01T00:00:00Z');

describe('how many releases followed a Chromium', () => {
  it.each([
    ['Chromium 156.0.8078.73', 1],
    ['147.0.7727.24', 10],
    ['HeadlessChrome/120.0.6099.28', 37],
    // Newer than the calendar says.
    ['Chromium 170.0.1.2', 0],
  ])('%s: %s', (version, expected) => {
    expect(releasesSince(version, NOVEMBER)).toBe(expected);
  });

  it('is not told where there is no version', () => {
    expect(releasesSince('Chromium', NOVEMBER)).toBeUndefined();
  });
});
