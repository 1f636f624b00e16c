/** How traces leave, where the standard variables of OpenTelemetry ask for them. */
export interface TracingConfig {
  protocol: Protocol;
  sampler: SamplerName;
  /** The share of traces that a sampler by ratio takes, 0 to 1. */
  ratio: number;
}

type Variables = Readonly<Record<string, string | undefined>>;

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;
type Protocol = (typeof PROTOCOLS)[number];

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type SamplerName = (typeof SAMPLERS)[number];

const HEADERS = /^[\w.-]+=[^,\s]*(?:, ?[\w.-]+=[^,\s]*)*$/;
const RATIO = /^(?:0?\.\d{1,9}|[01](?:\.0{0,9})?)$/;

/** Null: no trace is made. The SDK itself reads the rest, such as headers and batches. */
export function tracingConfig(given: Variables): TracingConfig | null {
  if (!isAskedFor(given)) return null;
  return {
    protocol: protocolOf(given) as Protocol,
    sampler: (given['OTEL_TRACES_SAMPLER'] ?? 'parentbased_always_on') as SamplerName,
    ratio: Number(given['OTEL_TRACES_SAMPLER_ARG'] ?? 1),
  };
}

/** Of variables that would lose traces without a word; none where no trace is asked for. */
export function refusedTracing(given: Variables): string[] {
  const exporter = given['OTEL_TRACES_EXPORTER'] ?? 'otlp';
  const disabled = given['OTEL_SDK_DISABLED'] ?? 'false';
  if (!['true', 'false'].includes(disabled.toLowerCase())) {
    return ['OTEL_SDK_DISABLED: must be true or false'];
  }
  if (disabled.toLowerCase() === 'false' && !['otlp', 'none'].includes(exporter)) {
    return ['OTEL_TRACES_EXPORTER: must be otlp or none'];
  }
  if (!isAskedFor(given)) return [];
  const wrong: string[] = [];
  const check = (isRight: (value: string) => boolean, reason: string, ...names: string[]) => {
    for (const name of names) {
      const value = given[name];
      if (value !== undefined && !isRight(value)) wrong.push(`${name}: ${reason}`);
    }
  };
  check(isHttpUrl, 'must be a URL that begins with http or https', ...ENDPOINTS);
  check(
    (value) => isOneOf(PROTOCOLS, value),
    'must be http/protobuf or http/json; collectors take both at port 4318, and grpc is not spoken here',
    ...PROTOCOL_NAMES,
  );
  check((value) => HEADERS.test(value), 'must be name=value with commas', ...HEADER_NAMES);
  check(
    (value) => isOneOf(SAMPLERS, value),
    `must be one of ${SAMPLERS.join(', ')}`,
    'OTEL_TRACES_SAMPLER',
  );
  check((value) => RATIO.test(value), 'must be a number from 0 to 1', 'OTEL_TRACES_SAMPLER_ARG');
  return wrong;
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
const PROTOCOL_NAMES = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'];
const HEADER_NAMES = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];

function isAskedFor(given: Variables): boolean {
  if (given['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return false;
  const exporter = given['OTEL_TRACES_EXPORTER'];
  if (exporter !== undefined) return exporter !== 'none';
  return ENDPOINTS.some((name) => given[name] !== undefined);
}

function protocolOf(given: Variables): string {
  const [own = '', common = ''] = PROTOCOL_NAMES;
  return given[own] ?? given[common] ?? 'http/protobuf';
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isOneOf(known: readonly string[], value: string): boolean {
  return known.includes(value);
}
