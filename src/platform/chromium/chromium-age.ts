/** Chromium 120 was released then, and another one about each four weeks since. */
const KNOWN_MAJOR = 120;
const KNOWN_ON = Date.UTC(2023, 11, 5);
const BETWEEN_MS = 28 * 86_400_000;

/**
 * How many releases have probably followed that version (`Chromium 147.0.7727.24`, `147.0.0.0`):
 * without a network nobody can be asked. Undefined where no version is in the text.
 */
export function releasesSince(version: string, now: Date): number | undefined {
  const major = /\b(\d{2,3})\.\d/.exec(version)?.[1];
  if (major === undefined) return undefined;
  const newest = KNOWN_MAJOR + Math.floor((now.getTime() - KNOWN_ON) / BETWEEN_MS);
  return Math.max(0, newest - Number(major));
}
