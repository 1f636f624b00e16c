/** Rates count for so long, and for a quarter of a work that takes longer. */
const MEMORY_SECONDS = 10;
/** A rate of less is a guess. */
const FIRST_AFTER_SECONDS = 2;

/** How long work will still take, by the rate of late: it changes slowly, so that one can read it. */
export class TimeLeft {
  private before: number;
  private done = 0;
  private rate = 0;
  /** Near 0 at first, where little is known; an average is divided by it. */
  private weight = 0;

  constructor(private readonly begunMs: number) {
    this.before = begunMs;
  }

  /** In seconds; undefined while it cannot be told. */
  after(nowMs: number, done: number, total: number): number | undefined {
    const seconds = (nowMs - this.before) / 1000;
    const elapsed = (nowMs - this.begunMs) / 1000;
    if (seconds > 0) {
      const memory = Math.max(MEMORY_SECONDS, elapsed / 4);
      const share = 1 - Math.exp(-seconds / memory);
      this.rate += share * ((done - this.done) / seconds - this.rate);
      this.weight += share * (1 - this.weight);
      this.before = nowMs;
      this.done = done;
    }
    if (elapsed < FIRST_AFTER_SECONDS || this.rate <= 0) return undefined;
    return Math.max(0, total - done) / (this.rate / this.weight);
  }
}

/** `40 s`, `3 min`, `2 h 10 min`: as exactly as anybody can know it. */
export function durationText(seconds: number): string {
  if (seconds < 10) return `${Math.max(1, Math.ceil(seconds))} s`;
  if (seconds < 90) return `${Math.ceil(seconds / 5) * 5} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
