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

const PATH = '/metrics';

/** Metrics for Prometheus, at a port of their own: whoever may call the API does not see them. */
export class MetricsServer {
  private constructor(private readonly server: Server) {}

  /**
   * @param read the text of all processes of the service
   * @throws ConfigError if it cannot listen there
   */
  static async start(
    { host, port }: MetricsPlace,
    log: Log,
    read: () => Promise<string>,
  ): Promise<MetricsServer> {
    const server = createServer((request, response) => void answer(request, response, read, log));
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
    return serverUrl(this.server.address() as AddressInfo) + PATH;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}

async function answer(
  { method = '', url = '' }: IncomingMessage,
  response: ServerResponse,
  read: () => Promise<string>,
  log: Log,
): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  if (url.split('?', 1)[0] !== PATH) {
    return refuse(response, RequestRefusal.route_not_found, `There is only ${PATH} at this port.`);
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    const detail = `${method} is not possible here; this path takes GET, HEAD.`;
    return refuse(response, RequestRefusal.method_not_allowed, detail);
  }
  try {
    const text = await read();
    response.setHeader('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE);
    response.setHeader('Content-Length', Buffer.byteLength(text));
    response.end(method === 'HEAD' ? '' : text);
  } catch (error) {
    // One of several processes that just starts or ends does not tell its own.
    log.warn({ error }, 'the metrics could not be read');
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
  response.end(JSON.stringify(problem(status, { code, detail }, randomUUID(), '/')));
}
