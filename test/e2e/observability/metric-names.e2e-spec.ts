import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { labelsIn, metricsIn, queriesOf } from '../../support/prom-queries.js';
import { startTestService, type TestService } from '../../support/service.js';

// Alerts and dashboard name what the service tells.

const read = (path: string) =>
  readFileSync(new URL(`../../../deploy/${path}`, import.meta.url), 'utf8');

const { groups } = parse(read('prometheus/alerts.yml')) as {
  groups: { rules: { expr: string }[] }[];
};
const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
const dashboard = JSON.parse(read('grafana/quittance.json')) as Parameters<typeof queriesOf>[0];
const queries = [...alerts, ...queriesOf(dashboard).map(({ query }) => query)];

/** Prometheus makes them when it scrapes. */
const ITS_METRICS = new Set(['up']);
const ITS_LABELS = ['job', 'instance', 'pod', 'le'];

let service: TestService;
/** Labels by the names of metrics. */
let told: Map<string, string[]>;

beforeAll(async () => {
  service = await startTestService({ sendsEvents: true });
  const metrics = service.app.get(Metrics);
  // The program that has an output adds it.
  metrics.countLostLines(() => 0);
  const { registry } = metrics;
  // Backups are of an embedded database, which this one is not.
  told = new Map([['backup_age_seconds', []]]);
  for (const { name, type } of await registry.getMetricsAsJSON()) {
    const { labelNames = [] } = registry.getSingleMetric(name) as { labelNames?: string[] };
    const suffixes = `${type}` === 'histogram' ? ['_bucket', '_count', '_sum'] : [''];
    for (const suffix of suffixes) told.set(`${name}${suffix}`, [...labelNames]);
  }
});
afterAll(() => service.close());

describe('queries for operators', () => {
  it('are many', () => {
    expect(alerts.length).toBeGreaterThan(20);
    expect(queries.length).toBeGreaterThan(70);
  });

  it('name metrics that the service tells', () => {
    const named = new Set(queries.flatMap(metricsIn));
    expect([...named].filter((name) => !told.has(name) && !ITS_METRICS.has(name))).toEqual([]);
    expect(named.size).toBeGreaterThan(40);
  });

  it('name labels that these have', () => {
    const wrong = queries.flatMap((query) => {
      const known = new Set([
        ...ITS_LABELS,
        ...metricsIn(query).flatMap((name) => told.get(name) ?? []),
      ]);
      return labelsIn(query).filter((label) => !known.has(label));
    });
    expect(wrong).toEqual([]);
  });

  it('are read right', () => {
    const query =
      'sum by (a, b) (rate(x_total{c="d(e)", f=~"g"}[5m])) / on (h) y > 2 * 86400 or vector(0)';
    expect(metricsIn(query)).toEqual(['x_total', 'y']);
    expect(labelsIn(query)).toEqual(['c', 'f', 'a', 'b']);
  });
});
