import { Clock } from '../kernel/clock.js';

/** A clock that always says the same. */
export class StandingClock extends Clock {
  constructor(private readonly at: Date) {
    super();
  }

  serverNow(): Date {
    return this.at;
  }

  elapsedMs(): number {
    return 0;
  }
}

/** A clock that runs from the instant it was last set to. */
export class TestClock extends Clock {
  private offsetMs = 0;
  private passedMs = 0;

  serverNow(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  elapsedMs(): number {
    return performance.now() + this.passedMs;
  }

  /** Somebody sets the clock: no time passes. */
  set(instant: Date | string): void {
    this.offsetMs = new Date(instant).getTime() - Date.now();
  }

  /** Time passes; below zero it only looks so. */
  advance({ days = 0, hours = 0, seconds = 0 }): void {
    const milliseconds = ((days * 24 + hours) * 3600 + seconds) * 1000;
    this.offsetMs += milliseconds;
    this.passedMs += Math.max(0, milliseconds);
  }
}
