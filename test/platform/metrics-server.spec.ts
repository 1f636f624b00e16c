import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/platform/config/config-error.js';
import { createLog } from '../../src/platform/observability/log.js';
import { MetricsServer } from '../../src/platform/observability/metrics-server.js';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const log = createLog('silent');
let read = async () => 'one 1\n';
let metrics: MetricsServer;
beforeAll(async () => {
  metrics = await MetricsServer.start(LOOPBACK, log, async () => read());
});
afterAll(() => metrics.stop());

describe('the port of the metrics', () => {
  it('has them for Prometheus', async () => {
    const answer = await fetch(`${metrics.url}?from=prometheus`);
    expect([answer.status, await answer.text()]).toEqual([200, 'one 1\n']);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=/);
    const head = await fetch(metrics.url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '6']);
  });

  it.each<[string, string, number, string]>([
    ['GET', '/', 404, 'route_not_found'],
    ['GET', '/Metrics', 404, 'route_not_found'],
    ['GET', '/livez', 404, 'route_not_found'],
    ['POST', '/metrics', 405, 'method_not_allowed'],
  ])('has nothing else: %s %s', async (method, path, status, code) => {
    const answer = await fetch(new URL(path, metrics.url), { method });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      status,
      code,
    ]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  it('says so when a process tells none', async () => {
    const before = read;
    read = async () => Promise.reject(new Error('timed out'));
    const answer = await fetch(metrics.url);
    read = before;
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      503,
      'metrics_unavailable',
    ]);
  });

  it('is one that nobody else has, at an address of this machine', async () => {
    const port = Number(new URL(metrics.url).port);
    const start = async (place: typeof LOOPBACK) =>
      MetricsServer.start(place, log, async () => read()).catch((error: unknown) => error);
    const taken = await start({ ...LOOPBACK, port });
    expect(taken).toBeInstanceOf(ConfigError);
    expect(String(taken)).toContain(`QUITTANCE_METRICS_PORT: ${port} is in use`);
    const elsewhere = await start({ host: '192.0.2.1', port: 0 });
    expect(elsewhere).toBeInstanceOf(ConfigError);
    expect(String(elsewhere)).toContain('QUITTANCE_METRICS_HOST');
  });
});
