import {
  context as contexts,
  type Context,
  defaultTextMapGetter,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as SdkTracer,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import { DomainError } from '../../kernel/domain-error.js';
import type { TracingConfig } from '../config/tracing-config.js';
import { MustBeAlone } from '../database/tx.js';
import { StoredReply } from '../http/answers/stored-reply.js';
import { ownVersion } from '../own-version.js';
import { within } from '../within.js';
import { RoundSpans } from './round-spans.js';
import { samplerOf } from './samplers.js';
import { statementName } from './statement-name.js';
import { TraceExport } from './trace-export.js';
import type {
  OpenSpan,
  RequestSpan,
  SpanAttributes,
  SpanOptions,
  Tracer,
  TracerLog,
} from './tracer.js';

const NAME = 'quittance';
const quiet = () => undefined;
/** A stop waits so long for a collector. */
const LAST_SPANS_MS = 2000;

/** The tracer of `tracing`, by the SDK of OpenTelemetry: loaded only where traces are asked for. */
export class OpenTelemetry implements Tracer {
  private readonly propagator = new W3CTraceContextPropagator();

  private constructor(
    private readonly provider: NodeTracerProvider,
    private readonly tracer: SdkTracer,
    private readonly rounds: RoundSpans,
  ) {}

  /**
   * The SDK reads its own variables: address, headers, batches, limits, OTEL_SERVICE_NAME and
   * OTEL_RESOURCE_ATTRIBUTES.
   */
  static async start(config: TracingConfig, log: TracerLog): Promise<OpenTelemetry> {
    tellProblems(log);
    const version = await ownVersion();
    const own = resourceFromAttributes({
      'service.name': NAME,
      'service.version': version,
      'process.pid': process.pid,
    });
    const exporter = new TraceExport(await exporterOf(config), log);
    const rounds = new RoundSpans(new BatchSpanProcessor(exporter));
    const provider = new NodeTracerProvider({
      resource: own.merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(config),
      spanProcessors: [rounds],
    });
    // Extensions that use OpenTelemetry's API find our spans around theirs.
    provider.register({ propagator: null });
    return new OpenTelemetry(provider, provider.getTracer(NAME, version), rounds);
  }

  async span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: (span: OpenSpan) => Promise<Result>,
    { isClient = false, rootFor }: SpanOptions = {},
  ): Promise<Result> {
    const around = contexts.active();
    const parent = trace.getSpan(around);
    if (!parent && !rootFor) return work(new Opened(around));
    const others = rootFor?.().flatMap((one) => (one instanceof Opened ? (one.span ?? []) : []));
    if (rootFor) this.rounds.noteWork(parent?.spanContext().traceId);
    const linked = others && others.length === 0 && parent ? [parent] : others;
    const span = this.tracer.startSpan(
      name,
      {
        kind: isClient ? SpanKind.CLIENT : SpanKind.INTERNAL,
        attributes,
        root: rootFor !== undefined,
        links: linked?.map((one) => ({ context: one.spanContext() })) ?? [],
      },
      around,
    );
    const inside = trace.setSpan(around, span);
    try {
      return await contexts.with(inside, () => work(new Opened(inside)));
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  async statement<Answer extends { rowCount: number | null }>(
    text: string,
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const around = contexts.active();
    if (!trace.getSpan(around)) return send();
    const { name, operation, text: shown } = statementName(text);
    const attributes = {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': shown,
    };
    const span = this.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, around);
    try {
      const answer = await send();
      if (answer.rowCount !== null) span.setAttribute('db.response.rows', answer.rowCount);
      return answer;
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  request(method: string, headers: Readonly<Record<string, unknown>>): RequestSpan {
    const around = this.propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
    const attributes = { 'http.request.method': method };
    const span = this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, around);
    return new OpenedRequest(trace.setSpan(around, span), span);
  }

  async round(name: string, run: () => Promise<unknown>): Promise<unknown> {
    const span = this.tracer.startSpan(name, { root: true }, ROOT_CONTEXT);
    const { traceId } = span.spanContext();
    this.rounds.begin(traceId);
    try {
      return await contexts.with(trace.setSpan(ROOT_CONTEXT, span), run);
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
      this.rounds.end(traceId);
    }
  }

  detached<Result>(work: () => Result): Result {
    return contexts.with(ROOT_CONTEXT, work);
  }

  traceId(): string | undefined {
    return trace.getSpan(contexts.active())?.spanContext().traceId;
  }

  async stop(): Promise<void> {
    const stopped = this.provider.shutdown();
    await within(LAST_SPANS_MS, 'the last traces', stopped).catch(() => undefined);
  }
}

class Opened implements OpenSpan {
  constructor(private readonly inside: Context) {}

  get span(): Span | undefined {
    return trace.getSpan(this.inside);
  }

  get traceId(): string | undefined {
    return this.span?.spanContext().traceId;
  }

  set(attributes: SpanAttributes): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined) this.span?.setAttribute(name, value);
    }
  }

  linkTo(other: OpenSpan): void {
    const to = other instanceof Opened ? other.span : undefined;
    if (to) this.span?.addLink({ context: to.spanContext() });
  }

  within<Result>(work: () => Result): Result {
    return contexts.with(this.inside, work);
  }
}

class OpenedRequest extends Opened implements RequestSpan {
  constructor(
    inside: Context,
    private readonly own: Span,
  ) {
    super(inside);
  }

  override get traceId(): string {
    return this.own.spanContext().traceId;
  }

  end(method: string, route: string | undefined, status: number): void {
    if (route !== undefined) {
      this.own.updateName(`${method} ${route}`);
      this.own.setAttribute('http.route', route);
    }
    this.own.setAttribute('http.response.status_code', status);
    if (status >= 500) this.own.setStatus({ code: SpanStatusCode.ERROR });
    this.own.end();
  }
}

/** By its code or its kind: its message may quote what somebody sent. */
function fail(span: Span, error: unknown): void {
  // Neither is a failure: an answer that was stored, and work that is done another way.
  if (error instanceof StoredReply || error instanceof MustBeAlone) return;
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const kind = typeof code === 'string' ? code : typeof name === 'string' ? name : 'Error';
  span.setAttribute('error.type', kind);
  const isRefusal = error instanceof DomainError && error.kind !== 'unavailable';
  if (!isRefusal) span.setStatus({ code: SpanStatusCode.ERROR });
}

/** The collector's own client, without the protocol that is not used. */
async function exporterOf({ protocol }: TracingConfig): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter();
}

/** The SDK's own warnings, each once: none is about a request. */
function tellProblems(log: TracerLog): void {
  const told = new Set<string>();
  const tell = (message: string) => {
    if (told.size >= 20 || told.has(message)) return;
    told.add(message);
    log.warn({ about: message }, 'tracing');
  };
  const logger = { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((error) => tell(error instanceof Error ? error.message : String(error)));
}
