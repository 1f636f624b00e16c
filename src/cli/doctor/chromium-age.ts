/** The bundled Chromium, by its package, and the day of its build: a spec compares them. */
export const BUNDLED_CHROMIUM = { version: '153.0.0', builtOn: '2026-09-11' };

const DAY_MS = 86_400_000;
/** A major version comes about each four weeks. */
const BETWEEN_DAYS = 28;

/**
 * How many days old that version probably is (`Chromium 147.0.7727.24`, `147.0.0.0`): without a
 * network nobody can be asked. Undefined where no version is in the text.
 */
export function chromiumAgeDays(version: string, now: Date): number | undefined {
  const major = /\b(\d{2,3})\.\d/.exec(version)?.[1];
  if (major === undefined) return undefined;
  const later = Number(major) - Number.parseInt(BUNDLED_CHROMIUM.version, 10);
  const sinceBundled = (now.getTime() - Date.parse(BUNDLED_CHROMIUM.builtOn)) / DAY_MS;
  return Math.max(0, Math.floor(sinceBundled - later * BETWEEN_DAYS));
}
