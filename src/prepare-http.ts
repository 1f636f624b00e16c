import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { Config } from './platform/config/config.js';
import { JsonAdapter } from './platform/http/answers/json-adapter.js';
import { useDocs } from './platform/http/docs/docs.js';
import { useConnections } from './platform/http/limits/connections.js';
import { RequestRefusal } from './platform/http/request-refusals.js';
import { parseQuery } from './platform/http/parameters.js';
import { useRequestContext } from './platform/http/request-context.js';

const PROBES = new Set(['/livez', '/readyz']);

/** Before `init` or `listen`: all that has to be there before the first route. */
export function prepareHttp(app: NestExpressApplication): void {
  const { trustProxy, baseUrl, answersCalls } = app.get(Config);
  const adapter = app.getHttpAdapter() as unknown as JsonAdapter;
  adapter.prepared = { baseUrl };
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  if (trustProxy) app.set('trust proxy', 1);
  useRequestContext(app);
  useConnections(app);
  if (!answersCalls) useProbesOnly(app);
  useDocs(app);
}

/** Of a process that does jobs and answers nobody: only whoever supervises it asks how it is. */
function useProbesOnly(app: NestExpressApplication): void {
  app.use((request: Request, _: Response, next: NextFunction) => {
    if (PROBES.has(request.path)) return next();
    const detail = 'This process does jobs only (QUITTANCE_ROLES=worker); call one that answers.';
    return next(RequestRefusal.route_not_found.of(detail));
  });
}
