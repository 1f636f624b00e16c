import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-node';

/** More of one round say nothing new. */
const MOST_SPANS = 1000;

interface Round {
  held: ReadableSpan[];
  count: number;
  didSomething: boolean;
}

/**
 * Holds the spans of a round of a job until the round does something: most rounds only look, and a
 * trace of each would bury the others.
 */
export class RoundSpans implements SpanProcessor {
  private readonly rounds = new Map<string, Round>();

  constructor(private readonly next: SpanProcessor) {}

  begin(traceId: string): void {
    this.rounds.set(traceId, { held: [], count: 0, didSomething: false });
  }

  /** Something that has a trace of its own was begun in it. */
  noteWork(traceId: string | undefined): void {
    const round = this.rounds.get(traceId ?? '');
    if (round) this.letGo(round);
  }

  /** Behind the end of its own span. */
  end(traceId: string): void {
    this.rounds.delete(traceId);
  }

  onStart(...begun: Parameters<SpanProcessor['onStart']>): void {
    this.next.onStart(...begun);
  }

  onEnding(span: Span): void {
    this.next.onEnding?.(span);
  }

  onEnd(span: ReadableSpan): void {
    const round = this.rounds.get(span.spanContext().traceId);
    if (!round) return this.next.onEnd(span);
    round.count += 1;
    if (round.count > MOST_SPANS && span.parentSpanContext) return;
    round.held.push(span);
    if (round.didSomething || isWork(span)) this.letGo(round);
  }

  async forceFlush(): Promise<void> {
    await this.next.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.next.shutdown();
  }

  private letGo(round: Round): void {
    round.didSomething = true;
    for (const span of round.held.splice(0)) this.next.onEnd(span);
  }
}

/** A failure, a statement that changed rows, or anything that is neither a statement nor the frame of some. */
function isWork({ status, attributes, name, parentSpanContext }: ReadableSpan): boolean {
  if (status.code === SpanStatusCode.ERROR) return true;
  const operation = attributes['db.operation.name'];
  if (operation === undefined) return parentSpanContext !== undefined && !FRAMES.has(name);
  if (PROGRESS.test(name)) return false;
  return CHANGES.has(operation as string) && Number(attributes['db.response.rows'] ?? 0) > 0;
}

const FRAMES = new Set(['transaction', 'group commit', 'wait for a connection']);
/** How far a round has looked, which it notes however little it found. */
const PROGRESS = /^UPDATE \w+_progress$/;
const CHANGES = new Set(['INSERT', 'UPDATE', 'DELETE']);
