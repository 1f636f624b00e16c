import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUNDLED_CHROMIUM, chromiumAgeDays } from '../../src/cli/doctor/chromium-age.js';

const BUILT_ON = new Date(BUNDLED_CHROMIUM.builtOn);
const later = (days: number) => new Date(BUILT_ON.getTime() + days * 86_400_000);
const major = Number.parseInt(BUNDLED_CHROMIUM.version, 10);

describe('the age of a Chromium', () => {
  it.each([
    [`Chromium ${major}.0.8010.0`, 100, 100],
    [`HeadlessChrome/${major - 6}.0.6099.28`, 10, 178],
    [`${major + 2}.0.8078.73`, 100, 44],
    // Newer than the calendar says.
    [`Chromium ${major + 40}.0.1.2`, 100, 0],
  ])('%s, %d days after the bundled one: %d days', (version, days, expected) => {
    expect(chromiumAgeDays(version, later(days))).toBe(expected);
  });

  it('is not told where there is no version', () => {
    expect(chromiumAgeDays('Chromium', BUILT_ON)).toBeUndefined();
  });

  it('is that of the package that is installed', () => {
    const file = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url);
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
    expect(version).toBe(BUNDLED_CHROMIUM.version);
  });
});
