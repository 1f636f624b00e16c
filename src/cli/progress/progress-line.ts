import { durationText, TimeLeft } from './time-left.js';

/** Standard error, where somebody looks at it. */
export interface Terminal {
  write(text: string): unknown;
  columns?: number;
}

const PAINT_MS = 500;
const ERASE = '\r\u001b[2K';
const USUAL_COLUMNS = 80;
const GIGABYTE = 1e9;
const MEGABYTE = 1e6;

/**
 * The last line of a terminal, with what is done, and how long the rest will take. It is painted twice
 * a second, however often it is told, and leaves nothing behind.
 */
export class ProgressLine {
  private done = 0;
  private total = 0;
  private isShown = false;
  private hasEnded = false;
  private timer: NodeJS.Timeout | undefined;
  private timeLeft: TimeLeft | undefined;

  constructor(
    private readonly terminal: Terminal,
    private readonly name: string,
    /** `bytes`, or those of a kind, such as `checks`. */
    private readonly unit: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  readonly show = (done: number, total: number): void => {
    if (this.hasEnded || total <= 0) return;
    this.done = done;
    this.total = total;
    if (this.timer) return;
    this.timeLeft = new TimeLeft(this.nowMs());
    this.paint();
    // Nobody waits for it: the work keeps the process alive.
    this.timer = setInterval(() => this.paint(), PAINT_MS).unref();
  };

  /** Room for another line; this one comes back below it. */
  clear(): void {
    if (this.isShown) this.terminal.write(ERASE);
    this.isShown = false;
  }

  end(): void {
    this.hasEnded = true;
    clearInterval(this.timer);
    this.clear();
  }

  private paint(): void {
    // One that is as wide as the terminal would go on to the next row.
    const width = (this.terminal.columns || USUAL_COLUMNS) - 1;
    this.terminal.write(`${ERASE}${this.text().slice(0, width)}`);
    this.isShown = true;
  }

  private text(): string {
    const { done, total } = this;
    const percent = Math.min(100, Math.floor((100 * done) / total));
    const parts = [`${this.name}: ${percent}%`, this.count()];
    const seconds = this.timeLeft?.after(this.nowMs(), done, total);
    if (seconds !== undefined && done < total) parts.push(`about ${durationText(seconds)} left`);
    return parts.join(', ');
  }

  private count(): string {
    const { done, total, unit } = this;
    if (unit !== 'bytes') return `${done} of ${total} ${unit}`;
    const [size, name] = total < GIGABYTE ? [MEGABYTE, 'MB'] : [GIGABYTE, 'GB'];
    return `${(done / size).toFixed(1)} of ${(total / size).toFixed(1)} ${name}`;
  }
}
