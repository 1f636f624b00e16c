import { Clock } from '../../src/kernel/clock.js';

/** A clock that runs from the instant it was last set to. */
export class TestClock extends Clock {
  private offsetMs = 0;

  now(): Date {
    return new Date(Date.now() + this.offsetMs);
  }

  set(instant: Date | string): void {
    this.offsetMs = new Date(instant).getTime() - Date.now();
  }

  advance({ days = 0, hours = 0, seconds = 0 }): void {
    this.offsetMs += ((days * 24 + hours) * 3600 + seconds) * 1000;
  }
}
