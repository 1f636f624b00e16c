import { describe, expect, it } from 'vitest';
import { refusedTracing, tracingConfig } from '../../../src/platform/config/tracing-config.js';

const URL_OF_ONE = 'http://collector:4318';
const USUAL = { protocol: 'http/protobuf', sampler: 'parentbased_always_on', ratio: 1 };

describe('traces', () => {
  it.each([
    {},
    { OTEL_SERVICE_NAME: 'billing' },
    { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: URL_OF_ONE },
    { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: URL_OF_ONE },
    { OTEL_SDK_DISABLED: 'TRUE', OTEL_EXPORTER_OTLP_ENDPOINT: 'nonsense' },
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
  ])('are not made with %j', (given) => {
    expect(tracingConfig(given)).toBeNull();
    expect(refusedTracing(given)).toEqual([]);
  });

  it.each([
    { OTEL_EXPORTER_OTLP_ENDPOINT: URL_OF_ONE },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${URL_OF_ONE}/v1/traces` },
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_HEADERS: 'api-key=k%20y,other=1' },
  ])('are made with %j', (given) => {
    expect(tracingConfig(given)).toEqual(USUAL);
    expect(refusedTracing(given)).toEqual([]);
  });

  it('go by the protocol of traces first, and are kept as the sampler says', () => {
    const given = {
      OTEL_EXPORTER_OTLP_ENDPOINT: URL_OF_ONE,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    expect(tracingConfig(given)).toEqual({
      protocol: 'http/json',
      sampler: 'traceidratio',
      ratio: 0.25,
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api-key'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_SDK_DISABLED', 'yes'],
  ])('are refused for %s=%s, without its value', (name, value) => {
    const told = refusedTracing({ OTEL_TRACES_EXPORTER: 'otlp', [name]: value });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(new RegExp(`^${name}: `));
    if (value !== 'grpc') expect(told[0]).not.toContain(value);
  });
});
