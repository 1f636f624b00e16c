import { type Context, type Link, TraceFlags, trace } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { TracingConfig } from '../config/tracing-config.js';

type Asked = Parameters<Sampler['shouldSample']>;

/**
 * A span that begins a trace for others, such as the transaction of a group, is kept if one of them
 * is: else a link would lead nowhere.
 */
class LinkedSampler implements Sampler {
  constructor(private readonly others: Sampler) {}

  shouldSample(...asked: Asked): ReturnType<Sampler['shouldSample']> {
    const [context, , , , , links] = asked;
    if (links.length === 0 || hasParent(context)) return this.others.shouldSample(...asked);
    const isKept = links.some(isSampled);
    return { decision: isKept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
  }

  toString(): string {
    return `Linked{${this.others.toString()}}`;
  }
}

const hasParent = (context: Context) => trace.getSpanContext(context) !== undefined;

const isSampled = ({ context }: Link) => (context.traceFlags & TraceFlags.SAMPLED) !== 0;

export function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const name = sampler.replace(/^parentbased_/, '');
  const plain = plainSampler(name, ratio);
  return new LinkedSampler(name === sampler ? plain : new ParentBasedSampler({ root: plain }));
}

function plainSampler(name: string, ratio: number): Sampler {
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
