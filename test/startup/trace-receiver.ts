import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A value as OTLP's JSON has it. */
type OtlpValue = Partial<Record<'stringValue' | 'intValue' | 'boolValue' | 'doubleValue', unknown>>;

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: OtlpValue }[];
  links: { traceId: string; spanId: string }[];
  status: { code: number };
}

/** A span that was received. */
export interface Received extends Omit<OtlpSpan, 'attributes' | 'links' | 'status'> {
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  isError: boolean;
}

/** `take`: as a collector; `refuse`: 400; `hang`: no answer. */
type Mood = 'take' | 'refuse' | 'hang';

/** A collector of traces that takes OTLP as JSON over HTTP, and keeps all of it. */
export class TraceReceiver {
  readonly spans: Received[] = [];
  /** All that was ever sent, as it was. */
  sent = '';
  /** Batches that were refused or got no answer. */
  missed = 0;
  headers: IncomingMessage['headers'] = {};
  resource: Record<string, unknown> = {};
  mood: Mood = 'take';

  private constructor(private readonly server: Server) {}

  static async start(port = 0): Promise<TraceReceiver> {
    const server = createServer();
    const receiver = new TraceReceiver(server);
    server.on('request', (request, answer) => void receiver.answer(request, answer));
    await new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  named(name: string): Received[] {
    return this.spans.filter((span) => span.name === name);
  }

  of(traceId: string): Received[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  /** Names, each below its parent, those of one parent in the order of their begin. */
  tree(traceId: string): string[] {
    const spans = this.of(traceId).toSorted(byStart);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const below = (parent: string | undefined, depth: number): string[] =>
      spans
        .filter(({ parentSpanId }) =>
          parent === undefined ? !ids.has(parentSpanId ?? '') : parentSpanId === parent,
        )
        .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...below(span.spanId, depth + 1)]);
    return below(undefined, 0);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private async answer(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await text(request);
    const { mood } = this;
    if (mood !== 'take') this.missed += 1;
    if (mood === 'hang') return;
    if (mood === 'take') this.take(request, body);
    answer.writeHead(mood === 'take' ? 200 : 400, { 'content-type': 'application/json' });
    answer.end('{}');
  }

  private take(request: IncomingMessage, body: string): void {
    this.headers = request.headers;
    this.sent += `${request.url ?? ''}\n${JSON.stringify(request.headers)}\n${body}\n`;
    const { resourceSpans } = JSON.parse(body) as {
      resourceSpans: {
        resource: Pick<OtlpSpan, 'attributes'>;
        scopeSpans: { spans: OtlpSpan[] }[];
      }[];
    };
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { status, links = [], attributes } = span;
        this.spans.push({
          ...span,
          attributes: plain(attributes),
          links,
          isError: status.code === 2,
        });
      }
    }
  }
}

function byStart(one: Received, other: Received): number {
  const between = BigInt(one.startTimeUnixNano) - BigInt(other.startTimeUnixNano);
  return between < 0n ? -1 : Number(between > 0n);
}

function plain(attributes: OtlpSpan['attributes']): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const),
  );
}
