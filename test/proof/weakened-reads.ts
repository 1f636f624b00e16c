import { vi } from 'vitest';
import { LoneTx } from '../../src/platform/database/lone-tx.js';

/** Reads without the locks of one table. */
export function withoutLock(from: RegExp): void {
  const read = LoneTx.prototype.read;
  vi.spyOn(LoneTx.prototype, 'read').mockImplementation(function (this: LoneTx, text, values) {
    const unlocked = from.test(text)
      ? text.replace(/FOR (NO KEY )?UPDATE( SKIP LOCKED)?/, '')
      : text;
    return read.call(this, unlocked, values) as Promise<never[]>;
  });
}

export function withoutTurns(): void {
  const read = LoneTx.prototype.read;
  vi.spyOn(LoneTx.prototype, 'read').mockImplementation(function (
    this: LoneTx,
    text,
    values,
    ...more
  ) {
    const free = text.replace(/WHERE pg_try_advisory_xact_lock|pg_advisory_xact_lock/, '');
    return read.call(this, free, values, ...more) as Promise<never[]>;
  });
}

/** Statements are read with another text in place of a part of theirs. */
export function withReads(part: string | RegExp, instead: string): void {
  const read = LoneTx.prototype.read;
  vi.spyOn(LoneTx.prototype, 'read').mockImplementation(function (this: LoneTx, text, ...more) {
    return read.call(this, text.replace(part, instead), ...more) as Promise<never[]>;
  });
}
