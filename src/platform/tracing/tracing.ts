import type { TracingConfig } from '../config/tracing-config.js';
import type {
  OpenSpan,
  RequestSpan,
  SpanAttributes,
  SpanOptions,
  SpanWork,
  Tracer,
  TracerLog,
} from './tracer.js';

const NO_SPAN: OpenSpan = {
  traceId: undefined,
  set: () => undefined,
  linkTo: () => undefined,
  within: (work) => work(),
};

/** Without a tracer each of these is the work itself, and nothing of OpenTelemetry is loaded. */
class Tracing {
  private tracer: Tracer | null = null;

  get isOn(): boolean {
    return this.tracer !== null;
  }

  async start(config: TracingConfig, log: TracerLog): Promise<void> {
    const { OpenTelemetry } = await import('./open-telemetry.js');
    this.tracer = await OpenTelemetry.start(config, log);
  }

  async stop(): Promise<void> {
    await this.tracer?.stop();
  }

  /** There is a span only within another one, unless it is the first of a trace. */
  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: SpanWork<Result>,
    options?: SpanOptions,
  ): Promise<Result> {
    return this.tracer ? this.tracer.span(name, attributes, work, options) : work(NO_SPAN);
  }

  /** The span of one statement of SQL, by its text without values. */
  statement<Answer extends { rowCount: number | null }>(
    text: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    return this.tracer ? this.tracer.statement(text, send) : send();
  }

  /** With the trace that the caller names in `traceparent`, or a new one. */
  request(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan | undefined {
    return this.tracer?.request(method, headers);
  }

  /** A trace of a round of a job. It is kept only if the round did something. */
  round(name: string, run: () => Promise<unknown>): Promise<unknown> {
    return this.tracer ? this.tracer.round(name, run) : run();
  }

  /** Work that outlives whoever began it: it belongs to no span. */
  detached<Result>(work: () => Result): Result {
    return this.tracer ? this.tracer.detached(work) : work();
  }

  /** For log lines. */
  ids(): { trace_id?: string } {
    const id = this.tracer?.traceId();
    return id === undefined ? {} : { trace_id: id };
  }
}

/** Of this process. */
export const tracing = new Tracing();
