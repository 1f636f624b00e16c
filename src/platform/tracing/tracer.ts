/**
 * Names, numbers and ids of ours. Paths, headers, values of callers and messages of errors may hold
 * secrets, and never stand here.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A span that is under way. */
export interface OpenSpan {
  /** 32 hexadecimal digits; undefined without traces. */
  readonly traceId: string | undefined;
  set(attributes: SpanAttributes): void;
  /** Points at a span that has another parent. */
  linkTo(other: OpenSpan): void;
  /** Spans that `work` makes are its children. */
  within<Result>(work: () => Result): Result;
}

export interface SpanOptions {
  /** It calls somebody else. */
  isClient?: boolean;
  /** The first of a trace of its own, with links to these, or to the span around it. */
  rootFor?: () => readonly OpenSpan[];
}

/** The span of a request, whose name and end are known late. */
export interface RequestSpan extends OpenSpan {
  readonly traceId: string;
  /** @param route its pattern, never the path: paths of the portal hold tokens */
  end(method: string, route: string | undefined, status: number): void;
}

export type SpanWork<Result> = (span: OpenSpan) => Promise<Result>;

/** Makes spans, and sends them to whoever collects them. */
export interface Tracer {
  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: SpanWork<Result>,
    options?: SpanOptions,
  ): Promise<Result>;
  statement<Answer extends { rowCount: number | null }>(
    text: string,
    send: () => Promise<Answer>,
  ): Promise<Answer>;
  request(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan;
  round(name: string, run: () => Promise<unknown>): Promise<unknown>;
  detached<Result>(work: () => Result): Result;
  traceId(): string | undefined;
  /** Sends what waits; it takes a moment at most. */
  stop(): Promise<void>;
}

/** The log, as far as a tracer needs it. */
export interface TracerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
