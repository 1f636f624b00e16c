import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import helmet, { type HelmetOptions } from 'helmet';
import { Clock } from '../../kernel/clock.js';
import { publicId } from '../../kernel/ids.js';
import { Log } from '../observability/log.js';
import { Metrics } from '../observability/metrics.js';
import type { SpanAttributes } from '../tracing/tracer.js';
import { tracing } from '../tracing/tracing.js';
import type { ApiRequest } from './request.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const QUIET_ROUTES = new Set(['/livez', '/readyz']);
const QUIET_PATH = /^\/(?:livez|readyz)\/?$/;

/** Gives each request security headers, an id, a log line and a measurement. */
export function useRequestContext(app: NestExpressApplication): void {
  const log = app.get(Log);
  const metrics = app.get(Metrics);
  const clock = app.get(Clock);
  const headers = headersOf({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: false,
    // These are for browsers that are gone, or say what the policy says, and each header costs on every answer.
    xFrameOptions: false,
    originAgentCluster: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  });
  const hsts = helmet.hsts({ maxAge: 31_536_000, includeSubDomains: true });

  app.use((incoming: Request, response: Response, next: NextFunction) => {
    const request = incoming as ApiRequest;
    const given = request.headers['x-request-id'];
    request.id = typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    request.startedAt = process.hrtime.bigint();
    const span =
      tracing.isOn && !QUIET_PATH.test(request.path)
        ? tracing.request(request.method, request.headers)
        : undefined;
    request.traceId = span?.traceId;
    for (const [name, value] of headers) response.setHeader(name, value);
    response.setHeader('X-Request-Id', request.id);
    response.setHeader('Cache-Control', 'no-store');
    response.on('close', () => {
      const { route, status } = report(request, response, log, metrics);
      span?.set(tracedOf(request));
      span?.end(request.method, route, status);
    });
    // Only behind TLS: browsers ignore it on http, and localhost must not be pinned.
    // Not a handler of its own: Express takes 5 % of a read for one.
    const inTime = () => clock.forSomebody(next);
    const goOn = span ? () => span.within(inTime) : inTime;
    if (request.secure) return hsts(request, response, goOn);
    return goOn();
  });
}

/** The headers that helmet sets. They are the same on each answer, so it is only asked once. */
function headersOf(options: HelmetOptions): Map<string, string> {
  const headers = new Map<string, string>();
  const answer = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  helmet(options)({} as Request, answer as unknown as Response, () => undefined);
  return headers;
}

/** @returns its route, if it has one, and the status that its caller got */
function report(request: ApiRequest, response: Response, log: Log, metrics: Metrics) {
  const pattern = (request.route as { path?: unknown } | undefined)?.path;
  const known = typeof pattern === 'string' ? pattern : undefined;
  const route = known ?? '(none)';
  const seconds = Number(process.hrtime.bigint() - request.startedAt) / 1e9;
  const status = response.writableFinished ? response.statusCode : 499;
  metrics.observeRequest(request.method, route, status, seconds);
  if (!QUIET_ROUTES.has(route) || status !== 200) {
    log.answered({
      request_id: request.id,
      trace_id: request.traceId,
      method: request.method,
      route,
      status,
      ms: Math.round(seconds * 10_000) / 10,
      ...callerOf(request),
    });
  }
  return { route: known, status };
}

function callerOf({ user }: ApiRequest) {
  return {
    client: user && publicId('cli', user.clientId),
    account: user && publicId('acc', user.accountId),
  };
}

function tracedOf(request: ApiRequest): SpanAttributes {
  const { client, account } = callerOf(request);
  return {
    'quittance.request_id': request.id,
    'quittance.client': client,
    'quittance.account': account,
    'error.type': request.problemCode,
  };
}
