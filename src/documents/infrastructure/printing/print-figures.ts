import { Counter, Histogram } from 'prom-client';
import type { QueueStanding } from '../../../platform/fair-queue.js';
import type { Metrics } from '../../../platform/observability/metrics.js';

/** How printing goes in this process, for those who watch the service. */
export class PrintFigures {
  private readonly prints: Histogram<'outcome'>;
  private readonly starts: Counter;

  constructor(private readonly metrics: Metrics) {
    const registers = [metrics.registry];
    this.prints = new Histogram({
      name: 'pdf_print_duration_seconds',
      help: 'PDFs that were asked of Chromium: time with the wait for a page, by outcome.',
      labelNames: ['outcome'],
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
      registers,
    });
    this.starts = new Counter({
      name: 'pdf_browser_starts_total',
      help: 'Starts of Chromium; each but the first follows an end that nobody wanted.',
      registers,
    });
  }

  /** @param outcome `made`, or the code of the refusal */
  printed(outcome: string, seconds: number): void {
    this.prints.observe({ outcome }, seconds);
  }

  browserStarted(): void {
    this.starts.inc();
  }

  watchQueues(queues: Readonly<Record<string, () => QueueStanding>>): void {
    for (const [name, standing] of Object.entries(queues)) this.metrics.watchQueue(name, standing);
  }
}
