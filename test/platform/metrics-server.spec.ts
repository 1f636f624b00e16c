import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/platform/config/config-error.js';
import { createLog } from '../../src/platform/observability/log.js';
import type { StatusReport } from '../../src/platform/observability/service-status.js';
import { MetricsServer } from '../../src/platform/observability/metrics-server.js';

const LOOPBACK = { host: '127.0.0.1', port: 0 };
const log = createLog('silent');
let read = async () => 'one 1\n';
const REPORT: StatusReport = {
  at: '2026-11-28T16:00:00.000Z',
  version: '0.2.0',
  readOnly: true,
  state: 'behind',
  lines: [
    {
      state: 'behind',
      what: 'Messages are due to be <b>sent</b>',
      value: 7500,
      shown: '2 h 5 min',
      next: 'cli doctor',
      metric: 'mail_message_oldest_due_seconds',
    },
    {
      state: 'fine',
      what: 'Sessions of the database',
      value: 0,
      shown: '0',
      next: null,
      metric: 'database_lock_waits',
    },
  ],
};
const shown = { metrics: async () => read(), status: async () => REPORT };
let metrics: MetricsServer;
beforeAll(async () => {
  metrics = await MetricsServer.start(LOOPBACK, log, shown);
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

  it('has the status as a page for people, that needs no script', async () => {
    const answer = await fetch(new URL('/status', metrics.url), {
      headers: { accept: 'text/html,application/json;q=0.9' },
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    const page = await answer.text();
    expect(page).toMatch(/<h2>Behind<\/h2>.*2 h 5 min.*cli doctor.*<h2>Fine<\/h2>/s);
    expect(page).toContain('&lt;b>sent');
    expect(page).not.toMatch(/<script|<h2>Failed/);
  });

  it.each([
    ['/status', 'application/json'],
    ['/status.json', 'text/html'],
  ])('has it for programs: %s, %s', async (path, accept) => {
    const answer = await fetch(new URL(path, metrics.url), { headers: { accept } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await answer.json()).toEqual(REPORT);
  });

  it.each<[string, string, number, string]>([
    ['GET', '/', 404, 'route_not_found'],
    ['GET', '/Metrics', 404, 'route_not_found'],
    ['GET', '/livez', 404, 'route_not_found'],
    ['GET', '/toString', 404, 'route_not_found'],
    ['POST', '/metrics', 405, 'method_not_allowed'],
    ['POST', '/status', 405, 'method_not_allowed'],
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
      MetricsServer.start(place, log, shown).catch((error: unknown) => error);
    const taken = await start({ ...LOOPBACK, port });
    expect(taken).toBeInstanceOf(ConfigError);
    expect(String(taken)).toContain(`QUITTANCE_METRICS_PORT: ${port} is in use`);
    const elsewhere = await start({ host: '192.0.2.1', port: 0 });
    expect(elsewhere).toBeInstanceOf(ConfigError);
    expect(String(elsewhere)).toContain('QUITTANCE_METRICS_HOST');
  });
});
