/** How many backups of a kind stay: the newest one of each of so many periods. */
export const KEPT_UNITS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
type KeptUnit = (typeof KEPT_UNITS)[number];
export type KeptPlan = Partial<Record<KeptUnit, number>>;

const PART = /^([1-9]\d{0,3}) (daily|weekly|monthly|yearly)$/;
const DAY_MS = 86_400_000;
/** A Monday. */
const FIRST_WEEK_MS = 4 * DAY_MS;

/** `7 daily, 4 weekly, 12 monthly`; undefined if it is none, or has a unit twice. */
export function keptPlan(text: string): KeptPlan | undefined {
  const plan: KeptPlan = {};
  for (const part of text.split(',')) {
    const [, count, unit] = PART.exec(part.trim()) ?? [];
    if (unit === undefined || plan[unit as KeptUnit] !== undefined) return undefined;
    plan[unit as KeptUnit] = Number(count);
  }
  return plan;
}

/**
 * Those that stay, by the UTC days, weeks from Monday on, months and years in which they were made.
 * A period without a backup takes no place. The newest one always stays.
 */
export function keptOf<Made extends { at: Date }>(
  made: readonly Made[],
  plan: KeptPlan,
): Set<Made> {
  const newestFirst = made.toSorted((one, other) => other.at.getTime() - one.at.getTime());
  const kept = new Set(newestFirst.slice(0, 1));
  for (const unit of KEPT_UNITS) {
    const periods = new Set<string>();
    for (const one of newestFirst) {
      if (periods.size === (plan[unit] ?? 0)) break;
      const period = periodOf(unit, one.at);
      if (periods.has(period)) continue;
      periods.add(period);
      kept.add(one);
    }
  }
  return kept;
}

function periodOf(unit: KeptUnit, at: Date): string {
  if (unit === 'weekly') return String(Math.floor((at.getTime() - FIRST_WEEK_MS) / (7 * DAY_MS)));
  const length = { daily: 10, monthly: 7, yearly: 4 }[unit];
  return at.toISOString().slice(0, length);
}
