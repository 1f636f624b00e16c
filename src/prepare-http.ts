import type { NestExpressApplication } from '@nestjs/platform-express';
import { Config } from './platform/config/config.js';
import { JsonAdapter } from './platform/http/answers/json-adapter.js';
import { useDocs } from './platform/http/docs/docs.js';
import { useConnections } from './platform/http/limits/connections.js';
import { useProbesOnly } from './platform/http/probes-only.js';
import { parseQuery } from './platform/http/parameters.js';
import { useRequestContext } from './platform/http/request-context.js';

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
