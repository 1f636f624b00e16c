import { ROOT_CONTEXT, SpanKind, trace, TraceFlags } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SamplingDecision,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { describe, expect, it } from 'vitest';
import type { TracingConfig } from '../../../src/platform/config/tracing-config.js';
import { RoundSpans } from '../../../src/platform/tracing/round-spans.js';
import { samplerOf } from '../../../src/platform/tracing/samplers.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const asks = (traceFlags: TraceFlags) => ({
  traceId: TRACE,
  spanId: '00f067aa0ba902b7',
  traceFlags,
});
const [YES, NO] = [asks(TraceFlags.SAMPLED), asks(TraceFlags.NONE)];

interface Asked {
  parent?: typeof YES;
  links?: (typeof YES)[];
}

function keeps(sampler: TracingConfig['sampler'], { parent, links = [] }: Asked = {}, ratio = 1) {
  const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  const { decision } = samplerOf({ protocol: 'http/json', sampler, ratio }).shouldSample(
    context,
    TRACE,
    'a span',
    SpanKind.INTERNAL,
    {},
    links.map((one) => ({ context: one })),
  );
  return decision === SamplingDecision.RECORD_AND_SAMPLED;
}

describe('a trace', () => {
  it('is kept as the sampler says, and as its caller says where that is asked for', () => {
    expect(keeps('always_on')).toBe(true);
    expect(keeps('always_off')).toBe(false);
    expect(keeps('always_off', { parent: YES })).toBe(false);
    expect(keeps('always_on', { parent: NO })).toBe(true);
    expect(keeps('parentbased_always_on')).toBe(true);
    expect(keeps('parentbased_always_on', { parent: NO })).toBe(false);
    expect(keeps('parentbased_always_off')).toBe(false);
    expect(keeps('parentbased_always_off', { parent: YES })).toBe(true);
    expect(keeps('traceidratio', {}, 0)).toBe(false);
    expect(keeps('traceidratio', { parent: YES }, 0)).toBe(false);
    expect(keeps('parentbased_traceidratio', { parent: YES }, 0)).toBe(true);
  });

  it('of a group is kept if one of its members is', () => {
    expect(keeps('parentbased_traceidratio', { links: [NO, YES] }, 0)).toBe(true);
    expect(keeps('parentbased_traceidratio', { links: [NO, NO] }, 1)).toBe(false);
    expect(keeps('always_off', { links: [YES] })).toBe(true);
  });
});

const sql = (operation: string, rows: number) => ({
  'db.operation.name': operation,
  'db.response.rows': rows,
});
describe('a round of a job', () => {
  type Did = [name: string, attributes?: Record<string, string | number>, isError?: boolean];

  function keptOf(did: readonly Did[]): string[] {
    const kept = new InMemorySpanExporter();
    const rounds = new RoundSpans(new SimpleSpanProcessor(kept));
    const tracer = new BasicTracerProvider({ spanProcessors: [rounds] }).getTracer('test');
    const round = tracer.startSpan('a round');
    rounds.begin(round.spanContext().traceId);
    const inside = trace.setSpan(ROOT_CONTEXT, round);
    for (const [name, attributes = {}, isError = false] of did) {
      const span = tracer.startSpan(name, { attributes }, inside);
      if (isError) span.setStatus({ code: 2 });
      span.end();
    }
    round.end();
    rounds.end(round.spanContext().traceId);
    return kept.getFinishedSpans().map(({ name }) => name);
  }

  const look: Did = ['SELECT mail_messages', sql('SELECT', 3)];

  it.each<[Did[]]>([
    [[]],
    [[look]],
    [[look, ['UPDATE mail_messages', sql('UPDATE', 0)]]],
    [[['transaction'], look]],
    [[['UPDATE schedule_progress', sql('UPDATE', 1)], look]],
  ])('that only looked leaves no trace: %j', (did) => {
    expect(keptOf(did)).toEqual([]);
  });

  it.each<[Did[]]>([
    [[look, ['UPDATE mail_messages', sql('UPDATE', 1)], look]],
    [[look, ['pdf']]],
    [[['SELECT mail_messages', sql('SELECT', 0), true]]],
  ])('that did something leaves all of it: %j', (did) => {
    expect(keptOf(did)).toEqual([...did.map(([name]) => name), 'a round']);
  });

  it('shows a thousand spans at most', () => {
    const many = Array.from({ length: 1500 }, (): Did => ['pdf']);
    expect(keptOf(many)).toHaveLength(1001);
  });
});
