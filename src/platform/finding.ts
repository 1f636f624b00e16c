import { TooLate, within } from './within.js';

/** One look at the installation, as `doctor` tells of it. */
export interface Finding {
  check: string;
  ok: boolean;
  /** It works as it is, but could be safer; or nobody could be asked. */
  warning?: true;
  detail: string;
  /** For the operator to do. */
  next?: string;
}

export function fine(check: string, detail: string): Finding {
  return { check, ok: true, detail };
}

export function warned(check: string, detail: string, next: string): Finding {
  return { check, ok: true, warning: true, detail, next };
}

export function failed(check: string, detail: string, next: string): Finding {
  return { check, ok: false, detail, next };
}

/** Neither right nor wrong: there was no answer. */
export function unasked(check: string, detail: string, next: string): Finding {
  return warned(check, `could not be asked: ${detail}`, next);
}

/** All that `work` finds; without an end in time, that nobody answered, and `work` is left behind. */
export async function findingsWithin(
  milliseconds: number,
  check: string,
  work: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await within(milliseconds, 'the look', work(), TooLate);
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof TooLate) {
      return [unasked(check, message, 'see whether a network or a disk hangs, and ask again')];
    }
    return [failed(check, message, 'mend it, and ask again')];
  }
}

const DAY_MS = 86_400_000;

/** Whole days from one instant to the other; below zero where it has passed. */
export function daysUntil(end: Date, now: Date): number {
  return Math.floor((end.getTime() - now.getTime()) / DAY_MS);
}
