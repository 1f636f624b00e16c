import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { ConfigError } from '../config/config-error.js';
import type { MetricsPlace } from '../config/metrics-place.js';
import { type HttpRefusal, problem, PROBLEM_TYPE } from '../http/problem.js';
import { RequestRefusal } from '../http/request-refusals.js';
import { serverUrl } from '../http/server-url.js';
import type { Log } from './log.js';
import type { StatusReport } from './service-status.js';
import { STATUS_PAGE_POLICY, statusPage } from './status-page.js';

/** All that the port shows, of all processes of the service. */
export interface Shown {
  /** In the format of Prometheus. */
  metrics(): Promise<string>;
  status(): Promise<StatusReport>;
}

interface ShownText {
  type: string;
  text: string;
}

const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** By path; `accept` is what the caller asks for. */
const PATHS: Readonly<Record<string, (shown: Shown, accept: string) => Promise<ShownText>>> = {
  '/metrics': async (shown) => ({
    type: Registry.PROMETHEUS_CONTENT_TYPE,
    text: await shown.metrics(),
  }),
  '/status': async (shown, accept) => {
    const report = await shown.status();
    return prefersJson(accept)
      ? { type: JSON_TYPE, text: JSON.stringify(report) }
      : { type: HTML, text: statusPage(report) };
  },
  '/status.json': async (shown) => ({
    type: JSON_TYPE,
    text: JSON.stringify(await shown.status()),
  }),
};

const prefersJson = (accept: string) =>
  accept.includes('application/json') && !accept.includes('text/html');

/** Metrics for Prometheus, and the status for people, at a port that no caller of the API sees. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  /**
   * @throws ConfigError if it cannot listen there
   */
  static async start({ host, port }: MetricsPlace, log: Log, shown: Shown): Promise<MetricsServer> {
    const server = createServer((request, response) => void answer(request, response, shown, log));
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen(port, host, resolve);
      });
    } catch (error) {
      const { code } = error as { code?: string };
      throw new ConfigError(
        code === 'EADDRINUSE'
          ? `QUITTANCE_METRICS_PORT: ${port} is in use on ${host}; set another one, or off.`
          : `QUITTANCE_METRICS_HOST: nothing can listen at ${host}, port ${port} (${code}).`,
      );
    }
    const metrics = new MetricsServer(server);
    log.info({ url: metrics.url }, 'metrics');
    return metrics;
  }

  /** `http://127.0.0.1:9464/metrics` */
  get url(): string {
    return serverUrl(this.server.address() as AddressInfo) + '/metrics';
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

async function answer(
  { method = '', url = '', headers }: IncomingMessage,
  response: ServerResponse,
  shown: Shown,
  log: Log,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  const path = url.split('?', 1)[0] ?? '';
  const read = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
  if (!read) {
    const detail = `There is only ${Object.keys(PATHS).join(', ')} at this port.`;
    return refuse(response, RequestRefusal.route_not_found, detail);
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    const detail = `${method} is not possible here; this path takes GET, HEAD.`;
    return refuse(response, RequestRefusal.method_not_allowed, detail);
  }
  try {
    const { type, text } = await read(shown, headers.accept ?? '');
    response.setHeader('Content-Type', type);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (type === HTML) response.setHeader('Content-Security-Policy', STATUS_PAGE_POLICY);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(method === 'HEAD' ? '' : text);
  } catch (error) {
    // One of several processes that just starts or ends does not tell its own.
    log.warn({ error, path }, 'the metrics could not be read');
    response.setHeader('Retry-After', '5');
    refuse(response, RequestRefusal.metrics_unavailable);
  }
}

function refuse(
  response: ServerResponse,
  { status, code, example }: HttpRefusal,
  detail = example,
): void {
  response.statusCode = status;
  response.setHeader('Content-Type', PROBLEM_TYPE);
  response.end(JSON.stringify(problem(status, { code, detail }, { id: randomUUID() }, '/')));
}
