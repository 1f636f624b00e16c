import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import { Jobs } from '../jobs.js';
import { Log } from './log.js';
import { Metrics } from './metrics.js';

const LOOK_EVERY_MS = 10_000;
/** A clock that is only corrected slowly is not told of: at most 500 ppm, 5 ms between two looks. */
const STEP_MS = 2_000;
const MOST_LEAPS = 100;

/** A clock that was set forwards: when, in time that passed, and how far. */
interface Leap {
  atMs: number;
  byMs: number;
}

/**
 * Notices when somebody sets the clock: a hand, a time server, a machine that slept. New stamps
 * stay as they are; rows that are forgotten by age go by {@link longAgo} (decision 51).
 */
@Injectable()
export class ClockWatch {
  private last: { wallMs: number; elapsedMs: number };
  private leaps: Leap[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly log: Log,
    jobs: Jobs,
  ) {
    this.last = { wallMs: clock.serverNow().getTime(), elapsedMs: clock.elapsedMs() };
    const options = { name: 'clock', inEachProcess: true, onlyReads: true };
    jobs.every(LOOK_EVERY_MS, 'the clock could not be watched', async () => this.look(), options);
  }

  /** Tells when the clock was set since the last look. */
  look(): void {
    const [wallMs, elapsedMs] = [this.clock.serverNow().getTime(), this.clock.elapsedMs()];
    const byMs = wallMs - this.last.wallMs - (elapsedMs - this.last.elapsedMs);
    this.last = { wallMs, elapsedMs };
    if (Math.abs(byMs) < STEP_MS) return;
    if (byMs > 0) this.leaps = [...this.leaps.slice(1 - MOST_LEAPS), { atMs: elapsedMs, byMs }];
    this.metrics.countClockStep(byMs > 0 ? 'forwards' : 'backwards');
    this.log.warn(
      { seconds: Math.round(byMs / 1000), now: this.clock.serverNow() },
      'the clock was set',
    );
  }

  /**
   * The instant before which a stamp is surely older than `ms`. If the clock was set forwards, the
   * stamps of before look older by that; they are, once `ms` have passed since then.
   */
  longAgo(ms: number): Date {
    this.look();
    const recent = this.leaps.filter(({ atMs }) => this.clock.elapsedMs() - atMs < ms);
    const leaptMs = recent.reduce((sum, { byMs }) => sum + byMs, 0);
    return new Date(this.clock.serverNow().getTime() - ms - leaptMs);
  }
}
